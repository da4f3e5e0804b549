#!/bin/sh
# Installs the companion as a service, or upgrades it; again and again, also after it was interrupted.
#   sudo systemd/install.sh [CHECKOUT or WHEEL]     (the checkout that this script lies in if nothing is named)
# WHEELS=FOLDER: take Python's packages from there and not from the network.
# HOME_NETWORK=yes or no: whether phones in the home network reach the companion's page. Else it is asked, where somebody
# can answer, and stays as it is where nobody can.
# VERSIONS=ADDRESS: where the companion looks for newer versions, below https:// or in a folder; VERSIONS=none: nowhere, as
# long as nothing else is said.
# Settings (/etc/companion) and games (/var/lib/companion) stay as they are.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=${1:-$(dirname "$here")}
home=/opt/companion
say() { echo "companion: $*"; }
fail() { echo "companion: $*" >&2; exit 1; }

# (Of the programs, not of the kernel: Raspberry Pi OS has a 32-bit edition whose kernel has 64.)
[ "$(getconf LONG_BIT)" = 64 ] || fail "this system has 32 bits, for which there are no packages: install the 64-bit Raspberry Pi OS."
[ "$(id -u)" = 0 ] || fail "this changes the system: call it with sudo."
[ -d /run/systemd/system ] || fail "this system was not started by systemd; Raspberry Pi OS or Debian is needed."
case ${VERSIONS:-} in
"" | none) ;;
*[!0-9A-Za-z._~:/-]*) fail "VERSIONS=$VERSIONS: such an address may have letters, digits and . _ ~ : / - in it." ;;
https://?* | /?*) ;;
*) fail "VERSIONS=$VERSIONS: it is neither a folder, from / on, nor does it begin with https://." ;;
esac
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed: Raspberry Pi OS from 2023 on."
case $source in
*.whl) [ -f "$source" ] || fail "there is no file $source." ;;
*) [ -f "$source/pyproject.toml" ] || fail "$source is neither a checkout nor a wheel: name one of them." ;;
esac
# Exactly these versions, with their checksums.
lock=$here/locks/appliance.txt
[ -f "$lock" ] || fail "there is no $lock: the checkout or the wheel is not whole."
umask 022
mkdir -p "$home"
exec 9>"$home/.lock"
flock -n 9 || fail "another installation is under way: wait for it."

# 1. The system's packages. What a system does not offer is left out: `companion doctor` says what that means.
missing() { # PACKAGE...: those that are not installed, but could be
    for package; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed && continue
        apt-get install --simulate -qq "$package" >/dev/null 2>&1 && echo "$package"
    done
}
wanted="python3-venv libgl1 libglib2.0-0 python3-lgpio python3-picamera2"
if command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    dpkg --configure -a >/dev/null # what an interrupted installation has left: apt refuses to go on before
    [ -n "${WHEELS:-}" ] || apt-get update -qq || say "the lists of packages could not be renewed; going on with the old ones"
    packages=$(missing $wanted | tr '\n' ' ')
    if [ -n "$packages" ]; then
        say "installing from the system's packages: $packages"
        apt-get install -y -qq --no-install-recommends $packages >/dev/null
    fi
fi

# 2. The program, in a folder of its own that nobody uses before it is whole.
running=$(readlink "$home/current" || true)
before=$(readlink "$home/before" || true)
# Where an upgrade was cut off the one that runs has not proven yet that it can (upgrade.sh).
proven=$(readlink "$home/fallback" || echo "$running")
for left in "$home"/version-*; do
    [ "$left" = "$running" ] || [ "$left" = "$before" ] || [ "$left" = "$proven" ] || rm -rf "$left"
done
new=$home/version-$(date +%Y%m%d-%H%M%S)-$$
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT TERM HUP
say "installing the program into $new"
# It sees the system's packages: picamera2 and lgpio come from there, as pip would have to compile them.
python3 -m venv --system-site-packages "$new"
# pip unpacks on the disk: /tmp may be a small part of the memory.
export TMPDIR="$new/tmp" PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir "$TMPDIR"
case $source in
*.whl) package=$source ;;
*) # A copy: building leaves files in a checkout that may belong to somebody else.
    mkdir "$new/source"
    (cd "$source" && tar -cf - pyproject.toml README.md LICENSE companion vision hardware systemd) | tar -xf - -C "$new/source"
    package=$new/source ;;
esac
# Wheels only: a source package would run its own program here, as root.
set --
if [ -n "${WHEELS:-}" ]; then set -- --no-index --find-links "$WHEELS"; fi
"$new/bin/pip" install -q --no-cache-dir --require-hashes --only-binary :all: "$@" -r "$lock" ||
    fail "Python's packages could not be installed; nothing has been changed. Is there a network?"
"$new/bin/pip" install -q --no-cache-dir --no-index --no-deps --no-build-isolation "$package" ||
    fail "the program could not be installed; nothing has been changed."
rm -rf "$new/source" "$TMPDIR"
unset TMPDIR
# (From a folder of our own: lgpio makes a pipe in the working directory, and Python imports first what lies there.)
(cd "$new" && bin/python -c 'import lgpio; lgpio.gpiochip_open' 2>/dev/null) ||
    say "lgpio is missing, so buttons will not work: install python3-lgpio, then install the companion again."
(cd "$new" && bin/python -c 'import cv2, luma.oled.device, gpiozero, companion.commands.run, companion.device.appliance' && bin/companion --help >/dev/null) ||
    fail "the program does not start here; nothing has been changed. What is missing stands above."
# A camera that the system's Python can use has to be one for ours, too: picamera2 is particular about numpy.
if (cd "$new" && python3 -c 'import picamera2' >/dev/null 2>&1); then
    (cd "$new" && bin/python -c 'import cv2, picamera2') ||
        fail "the system's picamera2 does not work with the program's packages; nothing has been changed. Why stands above."
fi

# 3. The user, the devices, the settings, the service.
place() { # FILE TARGET [MODE]: whole or not at all
    mkdir -p "$(dirname "$2")"
    cmp -s "$1" "$2" && return
    install -m "${3:-644}" "$1" "$2.new"
    mv "$2.new" "$2"
}
place "$here/sysusers.conf" /etc/sysusers.d/companion.conf
systemd-sysusers /etc/sysusers.d/companion.conf
place "$here/devices.rules" /etc/udev/rules.d/70-companion.rules
place "$here/modules.conf" /etc/modules-load.d/companion.conf
place "$here/journal.conf" /etc/systemd/journald.conf.d/companion.conf
if command -v raspi-config >/dev/null; then
    raspi-config nonint do_i2c 0 || say "I2C could not be switched on: do it with raspi-config, Interface Options."
fi
modprobe i2c-dev 2>/dev/null || true
udevadm control --reload || true
udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=dma_heap || true
mkdir -p /etc/companion
if [ ! -e /etc/companion/devices.toml ]; then
    printf '%s\n' '# What is wired differently from the usual way, which stands explained in' \
        "# $home/current/lib/python3*/site-packages/hardware/default.toml" >/etc/companion/devices.toml.new
    mv /etc/companion/devices.toml.new /etc/companion/devices.toml
fi
[ -e /etc/default/companion ] || echo '#OPTIONS=--deck /var/lib/companion/deck' >/etc/default/companion
if [ "$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')" -ge 254 ]; then
    place "$here/back-off.conf" /etc/systemd/system/companion.service.d/back-off.conf
fi
place "$here/companion.service" /etc/systemd/system/companion.service
place "$here/companion.socket" /etc/systemd/system/companion.socket
opened=/etc/systemd/system/companion.socket.d/home-network.conf
if [ -z "${HOME_NETWORK:-}" ] && [ ! -e "$opened" ] && [ -t 0 ] && [ -t 1 ]; then
    printf 'companion: Phones in your home network can show a page of the companion: watch the game, aim the camera, teach cards.\n'
    printf 'companion: Everybody there may watch; who wants to steer is let in at the table. Shall they reach it? [y/N] '
    read -r answer || answer=
    case $answer in [yYjJsS]*) HOME_NETWORK=yes ;; *) HOME_NETWORK=no ;; esac
fi
case ${HOME_NETWORK:-} in
yes)
    place "$here/home-network.conf" "$opened"
    [ ! -d /etc/avahi/services ] || place "$here/avahi.service.xml" /etc/avahi/services/companion.service ;;
no) rm -f "$opened" /etc/avahi/services/companion.service ;;
esac
place "$here/upgrade.sh" /usr/local/lib/companion/upgrade.sh 755
place "$here/companion-upgrade.service" /etc/systemd/system/companion-upgrade.service
place "$here/companion-upgrade.path" /etc/systemd/system/companion-upgrade.path

versions=/etc/companion/versions
case ${VERSIONS:-} in
"") ;;
none)
    systemctl -q disable --now companion-newer.path 2>/dev/null || true
    rm -f "$versions" /etc/systemd/system/companion-newer.path /etc/systemd/system/companion-newer.service ;;
*)
    echo "ADDRESS=$VERSIONS" >"$versions.new"
    mv "$versions.new" "$versions" ;;
esac
if [ -e "$versions" ]; then
    place "$here/newer/companion-newer.service" /etc/systemd/system/companion-newer.service
    place "$here/newer/companion-newer.path" /etc/systemd/system/companion-newer.path
fi

# 4. From here on the new program is the one that runs.
# On the disk before anything leads to it, and renamed, which happens as a whole: whenever the power is cut, the link
# leads to a complete program.
if [ -n "$proven" ]; then
    ln -sfn "$proven" "$home/before.new"
    mv -T "$home/before.new" "$home/before"
fi
sync
ln -sfn "$new" "$home/current.new"
mv -T "$home/current.new" "$home/current"
rm -f "$home/fallback"
trap - EXIT # the new folder is in use: from here on it is not removed any more
ln -sfn "$home/current/bin/companion" /usr/local/bin/companion
systemctl daemon-reload
systemctl -q enable companion.service
systemctl -q enable --now companion-upgrade.path
[ ! -e "$versions" ] || systemctl -q enable --now companion-newer.path
systemctl try-restart systemd-journald.service || true
# The version before is kept: people may want to go back.
for left in "$home"/version-*; do
    [ "$left" = "$new" ] || [ "$left" = "$proven" ] || rm -rf "$left"
done
systemctl restart companion.service ||
    fail "installed, but the service does not start: 'journalctl -u companion' and 'companion doctor' say why."
sync
say "installed and running. 'companion doctor' looks at every part."
if [ -e "$opened" ]; then
    say "its page: http://$(hostname).local:8055/ or http://$(hostname -I | cut -d' ' -f1):8055/"
fi
[ -e /dev/i2c-1 ] || say "I2C is switched on with the next start: sudo reboot"
