#!/usr/bin/env bash
# Tries the bridge with the real Home Assistant: a broker, two simulated devices, restarts of all three, and removal.
# Run it as root on Debian with debootstrap and mosquitto. The first run fetches Debian and Home Assistant (about 2 GB)
# into a folder that later runs reuse:
#   scripts/try-home-assistant.sh [/var/tmp/try-home-assistant]
set -euo pipefail
source "$(dirname "$0")/try-common.sh"
need_root 'Home Assistant runs in a system of its own'
cd "$project"
VERSION=2026.11.0
root=${1:-/var/tmp/try-home-assistant}/root

if [[ ! -x $root/opt/ha/bin/hass ]]; then
  scripts=$(mktemp -d)
  cp -r /usr/share/debootstrap/. "$scripts"
  [[ -e $scripts/scripts/forky ]] || ln -s sid "$scripts/scripts/forky"
  DEBOOTSTRAP_DIR=$scripts debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates forky "$root" \
    http://deb.debian.org/debian
  rm -rf "$scripts"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  chroot "$root" python3 -m venv /opt/ha
  chroot "$root" /opt/ha/bin/pip install -q "homeassistant==$VERSION"
  # The packages that its integrations would install at their first start, except those that need a compiler.
  constraints=$(chroot "$root" sh -c 'echo /opt/ha/lib/python3.*/site-packages/homeassistant/package_constraints.txt')
  chroot "$root" /opt/ha/bin/pip install -q -c "$constraints" paho-mqtt numpy hassil home-assistant-intents \
    home-assistant-frontend PyTurboJPEG pyotp PyQRCode ha-ffmpeg mutagen aiohasupervisor infrared-protocols rf-protocols \
    unicode-rbnf
fi

mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
"$node" scripts/run.mjs --built scripts/try-home-assistant.ts "$root"
