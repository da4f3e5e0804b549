#!/bin/sh
# Takes the companion off this system. Games (/var/lib/companion) and settings (/etc/companion) stay.
set -eu
[ "$(id -u)" = 0 ] || { echo "companion: this changes the system: call it with sudo." >&2; exit 1; }
systemctl -q disable --now companion.service companion.socket companion-upgrade.path companion-newer.path 2>/dev/null || true
rm -f /etc/systemd/system/companion.service /etc/systemd/system/companion.socket /usr/local/bin/companion
rm -f /etc/systemd/system/companion-upgrade.path /etc/systemd/system/companion-upgrade.service
rm -f /etc/systemd/system/companion-newer.path /etc/systemd/system/companion-newer.service
rm -rf /etc/systemd/system/companion.service.d /etc/systemd/system/companion.socket.d /opt/companion /usr/local/lib/companion
rm -f /etc/sysusers.d/companion.conf /etc/udev/rules.d/70-companion.rules /etc/modules-load.d/companion.conf
rm -f /etc/systemd/journald.conf.d/companion.conf /etc/avahi/services/companion.service
systemctl daemon-reload
systemctl try-restart systemd-journald.service || true
sync
echo "companion: removed. The games are still in /var/lib/companion, the settings in /etc/companion and"
echo "companion: /etc/default/companion. Their owner, the user 'companion', stays too, and I2C stays switched on."
