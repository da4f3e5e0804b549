#!/bin/sh
# Puts another version of the program in the place of this one, or goes back to the one before. Started as root by
# companion-upgrade.path when the service asks for it: FOLDER/wanted holds "install" or "back", FOLDER/new.whl the program.
#   upgrade.sh FOLDER
# While it works, and until the other version has proven that it runs, /opt/companion/fallback leads to the version that
# runs meanwhile. If that is still there when the machine starts, the power was cut: then what was begun is brought to its end.
# Nothing that comes from the service is run, or followed, as root: docs/appliance.md says what that defends against.
set -eu
folder=$1
home=/opt/companion
user=companion
most_bytes=50000000
# A little longer than the service's watchdog (WatchdogSec=) waits: what stands still has been ended by then.
proof_seconds=40
as_service() { runuser -u "$user" -- "$@"; }
tell() { # WORD: to the service, which may read it with its next start
    as_service sh -c 'echo "$2" >"$1/.told" && mv "$1/.told" "$1/told"' sh "$folder" "$1" || true
    echo "companion: $1"
}
link() { # TARGET NAME: renamed, which happens as a whole; on the disk before anything else follows
    sync && ln -sfn "$1" "$home/$2.new" && mv -T "$home/$2.new" "$home/$2" && sync
}
process() { systemctl show -p MainPID --value companion.service; }
is_proven() { # start or restart: the version in place comes up, and then runs on
    # Twice: somebody may load a saved companion meanwhile, and then it starts again.
    for how in "$1" start; do
        systemctl "$how" companion.service || return 1
        began=$(process)
        sleep "$proof_seconds"
        if [ "$began" != 0 ] && [ "$began" = "$(process)" ]; then return 0; fi
    done
    return 1
}
finish() { # what came of it has been told: nothing is left to be brought to its end
    sync
    rm -f "$home/fallback"
    running=$(readlink "$home/current")
    before=$(readlink "$home/before" || true)
    for left in "$home"/version-*; do
        [ "$left" = "$running" ] || [ "$left" = "$before" ] || rm -rf "$left"
    done
    exit 0
}
refuse() { tell "$1"; finish; }
keep() { # the version in place is proven
    word=installed
    [ "$(readlink "$home/current")" != "$before" ] || word=went-back
    link "$fallback" before
    refuse "$word"
}
fall_back() { # WORD
    link "$fallback" current
    tell "$1"
    systemctl restart companion.service || true
    finish
}

umask 022
exec 9>"$home/.lock"
if [ -L "$home/fallback" ]; then
    flock 9
    as_service rm -f "$folder/wanted" "$folder/new.whl"
    fallback=$(readlink "$home/fallback") || exit 0 # whoever had the lock has brought it to its end
    before=$(readlink "$home/before" || true)
    if as_service test -e "$folder/told"; then is_told=yes; else is_told=no; fi
    if [ "$(readlink "$home/current")" = "$fallback" ] || [ ! -x "$fallback/bin/companion" ]; then
        [ "$is_told" = yes ] || tell cut-off # while it was being made
        finish
    fi
    if [ "$before" = "$fallback" ]; then # it was proven
        [ "$is_told" = yes ] || tell installed
        finish
    fi
    # Cut off again while it was tried: it may be what stops the machine.
    [ "$is_told" = no ] || fall_back cut-off
    tell cut-off
    if is_proven start; then keep; fi
    fall_back does-not-start
fi
wanted=$(as_service head -c 20 "$folder/wanted" || true)
if ! flock -n 9; then
    as_service rm -f "$folder/wanted" "$folder/new.whl"
    tell busy
    exit 0
fi
running=$(readlink "$home/current")
before=$(readlink "$home/before" || true)
fallback=$running
new=
trap '[ -z "$new" ] || rm -rf "$new"' EXIT
trap 'exit 130' INT TERM HUP
link "$fallback" fallback || is_full=yes
# What cannot be done is not tried again and again.
as_service rm -f "$folder/wanted"
[ -z "${is_full:-}" ] || exit 1

case $wanted in
back)
    if [ -z "$before" ] || [ ! -x "$before/bin/companion" ]; then refuse no-version-before; fi
    next=$before ;;
install)
    new=$home/version-$(date +%Y%m%d-%H%M%S)-$$
    mkdir "$new"
    # Read as the service, which may have made a link of it, and never longer than a program is.
    as_service head -c "$((most_bytes + 1))" "$folder/new.whl" >"$new/new.whl" || refuse not-readable
    # From here on what lies there is another request's.
    as_service rm -f "$folder/new.whl"
    [ "$(wc -c <"$new/new.whl")" -le "$most_bytes" ] || refuse not-readable
    # The packages are those of the running version, so no network is needed.
    cp -a "$running/." "$new"
    name=$(as_service "$running/bin/python" -I -m zipfile -l /dev/stdin <"$new/new.whl" |
        sed -n 's|^\(table_companion-[0-9][0-9A-Za-z.+]*\)\.dist-info/METADATA .*|\1|p') || refuse not-readable
    [ -n "$name" ] || refuse not-readable
    wheel=$new/$name-py3-none-any.whl
    mv "$new/new.whl" "$wheel"
    # As the service: what a strange program could do while it is installed, it could do there anyway.
    chown -R -h "$user:" "$new"
    as_service env HOME="$new" "$new/bin/python" -I -m pip install -q --no-cache-dir --disable-pip-version-check \
        --no-index --no-deps --force-reinstall "$wheel" || refuse not-installable
    rm -f "$wheel"
    (cd "$new" && as_service bin/python -I -c 'import companion.commands.run, companion.device.appliance' &&
        as_service bin/companion --help >/dev/null) || refuse does-not-start
    chown -R -h root: "$new"
    chmod -R go-w,a-s "$new"
    # Not through this door: what root runs, and packages of others.
    diff -r "$running/share/companion" "$new/share/companion" >/dev/null || refuse needs-a-terminal
    next=$new ;;
*) refuse not-readable ;;
esac

new= # in use: from here on it is not removed any more
link "$next" current
if is_proven restart; then keep; fi
fall_back does-not-start
