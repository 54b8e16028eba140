#!/bin/sh
# The command line of the installed node, on the service's data.
set -eu
lib=@LIB@
if [ "${1-}" = rollback ]; then
  shift
  exec "$lib/rollback" "$@"
fi
data=/var/lib/wellhouse
export DATA_DIR="${DATA_DIR:-$data}"
settings=
[ ! -r /etc/default/wellhouse ] || settings=--env-file=/etc/default/wellhouse
set -- "$lib/bin/node" ${settings:+"$settings"} "$lib/out/main/wellhouse.js" "$@"
if [ "$(id -u)" -eq 0 ]; then
  # What root wrote into the data folder, the node could not open.
  umask 077
  exec setpriv --reuid=wellhouse --regid=wellhouse --init-groups -- "$@"
fi
if [ "$DATA_DIR" = "$data" ] && [ -d "$data" ] && [ ! -x "$data" ]; then
  case " $* " in
  *" help "* | *" --help "* | *" -h "* | *" --version "* | *" completion "* | *" --data-dir"* | *" --desktop "*) ;;
  *)
    echo "wellhouse: only the node's own user can read its data: run this with sudo" >&2
    exit 6
    ;;
  esac
fi
exec "$@"
