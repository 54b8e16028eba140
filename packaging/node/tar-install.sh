#!/bin/sh
# sudo ./install.sh [--uninstall]: installs this version of the node under /usr/local, as a systemd service, or takes it away. The data in
# /var/lib/wellhouse stays in either case.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# @include common.sh

fail() {
  say "$@"
  exit 1
}

# Everything that it could fail on later, in one line each, before anything is done.
check_machine() {
  [ "$(uname -s)" = Linux ] || fail "this is a package for Linux; this system is $(uname -s)"
  bits=$(getconf LONG_BIT 2>/dev/null || echo unknown)
  case $(uname -m) in
  @MACHINE@)
    [ "$bits" != 32 ] ||
      fail "the kernel has 64 bits, but the system's programs have 32: install a 64-bit system, such as the 64-bit Raspberry Pi OS"
    ;;
  armv6l | armv7l | i?86) fail "this machine's system has 32 bits ($(uname -m)), and Wellhouse needs 64" ;;
  *) fail "this package is for @ARCH@ processors, and this one is $(uname -m): take the package for it" ;;
  esac
  libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || fail "Wellhouse needs a Linux with glibc, such as Debian, Ubuntu or Fedora"
  libc=${libc#glibc }
  { [ "${libc%%.*}" -gt 2 ] || [ "${libc#*.}" -ge @GLIBC_MINOR@ ]; } ||
    fail "Wellhouse needs glibc 2.@GLIBC_MINOR@ or newer, and this system has $libc: use a newer release of it, such as Debian 12"
  "$here/wellhouse/bin/node" --version >/dev/null 2>&1 ||
    fail "the Node in this package does not run here: $("$here/wellhouse/bin/node" --version 2>&1 | head -n 1)"
  [ -d /run/systemd/system ] || fail "systemd does not run here: start $here/wellhouse/bin/node out/main/headless.js by other means"
  for tool in setpriv systemctl; do
    command -v "$tool" >/dev/null || fail "$tool is missing (Debian: util-linux, systemd)"
  done
  ! dpkg-query --show wellhouse-node >/dev/null 2>&1 ||
    fail "wellhouse-node is installed as a Debian package: update it with apt, or remove it first"
  [ "$(id -u)" -eq 0 ] || fail "put sudo before the command"
}

keep_tree() {
  mkdir -p "$1@LIB@" && rmdir "$1@LIB@" && link_or_copy "$lib" "$1@LIB@"
}

uninstall() {
  [ "$(id -u)" -eq 0 ] || fail "put sudo before the command"
  systemctl disable --now wellhouse.service 2>/dev/null || true
  rm -rf "$lib" "$cache" /usr/local/bin/wellhouse /etc/systemd/system/wellhouse.service
  systemctl daemon-reload
  say "removed; the data stays in $data, the settings in $defaults"
}

case "${1-}" in
'') ;;
--uninstall)
  uninstall
  exit
  ;;
*)
  echo "Usage: $0 [--uninstall]" >&2
  exit 2
  ;;
esac

check_machine
version=$(word_in "$here/wellhouse/version")
before=$(word_in "$lib/version")
getent passwd "$user" >/dev/null ||
  useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin "$user"
if [ -n "$before" ]; then
  systemctl stop wellhouse.service
  if [ "$before" != "$version" ] && ! keep_for_rollback "$(word_in "$here/wellhouse/schema")"; then
    systemctl start wellhouse.service || true
    fail "no backup could be made, so nothing was upgraded; WELLHOUSE_NO_BACKUP=1 upgrades without a way back"
  fi
fi
rm -rf "$lib.new"
mkdir -p "${lib%/*}"
cp -R "$here/wellhouse" "$lib.new"
chown -R root:root "$lib.new"
rm -rf "$lib"
mv "$lib.new" "$lib"
"$lib/install-files"
systemctl enable wellhouse.service >/dev/null 2>&1
systemctl --no-block restart wellhouse.service
if wait_until_healthy; then
  say "version $version runs; sudo wellhouse link prints the link of its view"
else
  say "version $version did not start within two minutes: journalctl -u wellhouse -n 50 says why"
  [ ! -d "$cache/previous" ] || say "sudo wellhouse rollback goes back to version $before"
  exit 1
fi
