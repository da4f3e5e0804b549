#!/bin/sh
# Puts another version of the program in the place of this one, or goes back to the one before. Started as root by
# companion-upgrade.path when the service asks for it: FOLDER/wanted holds "install" or "back", FOLDER/new.whl the program.
#   upgrade.sh FOLDER
# Nothing that comes from the service is run, or followed, as root: docs/appliance.md says what that defends against.
set -eu
folder=$1
home=/opt/companion
user=companion
most_bytes=50000000
as_service() { runuser -u "$user" -- "$@"; }
tell() { # WORD: to the service, which may read it with its next start
    as_service sh -c 'echo "$2" >"$1/.told" && mv "$1/.told" "$1/told"' sh "$folder" "$1" || true
    echo "companion: $1"
}
refuse() { tell "$1"; exit 0; }

umask 022
wanted=$(as_service head -c 20 "$folder/wanted" || true)
# First of all: what cannot be done is not tried again and again.
as_service rm -f "$folder/wanted"
exec 9>"$home/.lock"
flock -n 9 || refuse busy
running=$(readlink "$home/current")
before=$(readlink "$home/before" || true)
new=
trap '[ -z "$new" ] || rm -rf "$new"' EXIT
trap 'exit 130' INT TERM HUP

switch_to() { # VERSION: renamed, which happens as a whole; on the disk before anything leads to it
    sync
    ln -sfn "$1" "$home/current.new"
    mv -T "$home/current.new" "$home/current"
    sync
}

case $wanted in
back)
    if [ -z "$before" ] || [ ! -x "$before/bin/companion" ]; then refuse no-version-before; fi
    next=$before word=went-back ;;
install)
    new=$home/version-$(date +%Y%m%d-%H%M%S)-$$
    mkdir "$new"
    # Read as the service, which may have made a link of it, and never longer than a program is.
    as_service head -c "$((most_bytes + 1))" "$folder/new.whl" >"$new/new.whl" || refuse not-readable
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
    next=$new word=installed ;;
*) refuse not-readable ;;
esac

made=$new new= # in use: from here on it is not removed any more
switch_to "$next"
if ! systemctl restart companion.service; then
    switch_to "$running"
    new=$made
    systemctl restart companion.service || true
    refuse does-not-start
fi
ln -sfn "$running" "$home/before.new"
mv -T "$home/before.new" "$home/before"
as_service rm -f "$folder/new.whl"
for left in "$home"/version-*; do
    [ "$left" = "$next" ] || [ "$left" = "$running" ] || rm -rf "$left"
done
tell "$word"
