#!/bin/sh
# Runs in the machine before the companion does: copies what the last cut has left to the host.
set -eu
mkdir -p /host
mountpoint -q /host || mount -t 9p -o trans=virtio,version=9p2000.L host /host
rm -rf /host/found.new
mkdir /host/found.new
for file in /var/lib/companion/game*; do
    if [ -e "$file" ]; then cp -r "$file" /host/found.new/; fi
done
mv /host/found.new /host/found
