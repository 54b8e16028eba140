root=${DPKG_ROOT:-}
lib=$root@LIB@
data=$root/var/lib/wellhouse
cache=$root/var/cache/wellhouse
defaults=$root/etc/default/wellhouse
user=wellhouse

say() { echo "wellhouse: $*" >&2; }

# Runs the command line of an installed or kept tree as the service's user: what root wrote into the data folder, the node
# could not open.
cli() {
  tree=$1
  shift
  settings=
  [ ! -f "$defaults" ] || settings=--env-file=$defaults
  (
    umask 077
    cd /
    DATA_DIR=$data setpriv --reuid="$user" --regid="$user" --init-groups -- \
      "$tree/bin/node" ${settings:+"$settings"} "$tree/out/main/wellhouse.js" "$@"
  )
}

# Seconds by a clock that nobody sets.
uptime_seconds() { cut -d. -f1 /proc/uptime; }

healthy() {
  systemctl is-active --quiet wellhouse.service && cli "$lib" --json status 2>/dev/null | grep -q '"running": true'
}

# Two minutes: a start on a slow card, with stores that are brought up to date. Fails with 2 where the service is not to run:
# what was asked to start it ($starting, a process) has ended, and nothing starts.
wait_until_healthy() {
  end=$(($(uptime_seconds) + 120))
  until healthy; do
    if [ -n "${starting-}" ] && ! kill -0 "$starting" 2>/dev/null &&
      [ "$(systemctl show --property=ActiveState --value wellhouse.service)" = inactive ]; then
      return 2
    fi
    [ "$(uptime_seconds)" -lt "$end" ] || return 1
    sleep 1
  done
}

# What stands in a file of one word; nothing where there is none.
word_in() { [ ! -f "$1" ] || cat "$1"; }

# Keeps what undoes an upgrade from the installed version to one with stores of schema $1: the tree, and where the stores
# will change, a backup of them by the program that wrote them. The node is stopped. Fails where the backup can't be made.
keep_for_rollback() {
  mkdir -p "$cache"
  schema=$(word_in "$lib/schema")
  backup=
  if [ -n "$schema" ] && [ "$schema" -lt "$1" ] && [ -f "$data/private.db" ]; then
    if [ -n "${WELLHOUSE_NO_BACKUP:-}" ]; then
      say "WELLHOUSE_NO_BACKUP is set: you cannot go back from this version to the previous one"
    else
      say "this version upgrades the stores: making a backup first"
      said=$(cli "$lib" --json backup --before-upgrade) || return 1
      backup=$(echo "$said" | sed -n 's/^  "path": "\(.*\)",$/\1/p')
      [ -f "$backup" ] || return 1
    fi
  fi
  rm -rf "$cache/previous" "$cache/previous.new" "$cache/backup"
  # A half-copied tree is never taken for a whole one. No room for it is no reason to keep the old version.
  if keep_tree "$cache/previous.new" && mv "$cache/previous.new" "$cache/previous"; then
    [ -z "$backup" ] || echo "$backup" >"$cache/backup"
  else
    rm -rf "$cache/previous.new"
    say "the previous version could not be kept in $cache: rollback will not be possible"
  fi
}

# Hard links take no room and write nothing; another file system gets a copy.
link_or_copy() { cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2" && cp -a "$1" "$2"; }; }
