#!/bin/sh
# Puts what this version has outside its own folder in place. Settings that are there stay.
set -eu
lib=@LIB@
[ -e /etc/default/wellhouse ] || install -D -m 0644 "$lib/package/default" /etc/default/wellhouse
install -D -m 0644 "$lib/package/wellhouse.service" /etc/systemd/system/wellhouse.service
install -D -m 0755 "$lib/package/wellhouse" /usr/local/bin/wellhouse
systemctl daemon-reload
