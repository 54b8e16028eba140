#!/bin/sh
# sudo wellhouse rollback: puts the version before back in place, and where the stores have changed since, the backup of them
# that was made before the upgrade.
set -eu
# @include common.sh
# @include rollback-@KIND@.sh

fail() {
  say "$@"
  exit 1
}

yes=
for word in "$@"; do
  case $word in
  --yes) yes=1 ;;
  *)
    echo "Usage: wellhouse rollback [--yes]" >&2
    exit 2
    ;;
  esac
done
[ "$(id -u)" -eq 0 ] || fail "rollback changes the installed program: run it with sudo"
[ -d "$cache/previous" ] || fail "there is no previous version in $cache"
tree=$cache/previous@LIB@
version=$(word_in "$tree/version")
backup=
if [ "$(word_in "$tree/schema")" -lt "$(word_in "$lib/schema")" ] && [ -f "$data/private.db" ]; then
  backup=$(word_in "$cache/backup")
  [ -f "$backup" ] ||
    fail "version $version can't read the present stores, and there is no backup from before the upgrade"
  if [ -z "$yes" ]; then
    say "version $version can't read the present stores. The backup from before the upgrade replaces them:"
    say "  $backup"
    say "Newer readings are moved aside in $data, for a later version. To continue: wellhouse rollback --yes"
    exit 1
  fi
fi

say "going back to version $version"
prepare_previous
systemctl stop wellhouse.service || fail "the service did not stop: nothing was changed"
if [ -n "$backup" ] && ! cli "$tree" --table restore --replace "$backup"; then
  systemctl start wellhouse.service || true
  fail "the backup could not be restored: nothing was changed"
fi
if ! install_previous; then
  [ -z "$backup" ] || cli "$lib" restore --undo >/dev/null || true
  systemctl start wellhouse.service || true
  fail "version $version could not be installed"
fi
[ ! -f "$cache/backup" ] || [ -z "$backup" ] || rm -f "$cache/backup"
say "version $(word_in "$lib/version") is installed"
