# shellcheck shell=bash
# What the scripts try-*.sh share; they source this file. Each sets `-euo pipefail` itself.

script=$(basename "$0" .sh)
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # the scripts use it
node=$project/node_modules/.bin/node
trap 'echo "$script: line $LINENO failed" >&2' ERR
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
  echo "$script: $*" >&2
  exit 2
}

# need_root REASON
need_root() { [[ $(id -u) == 0 ]] || fail "run it as root: $1"; }

# need_build [ENTRY]
need_build() {
  local entry=${1:-$project/out/main/headless.js}
  [[ -f $entry ]] || fail "$entry is missing: npm run build"
}

# need_packages PACKAGE…: installs those Debian packages that are missing.
need_packages() {
  ! dpkg --status "$@" >/dev/null 2>&1 || return 0
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

# own_namespaces ARGUMENT…: starts the script again in separate mount and process namespaces, with a /run and a folder
# `work` of its own. Names of networks and sockets are then private, and all processes and network namespaces end with
# the script, however it ends.
own_namespaces() {
  if [[ ${TRY_INSIDE-} != "$script" ]]; then
    TRY_INSIDE=$script exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
  fi
  work=$(mktemp -d)
  machines=()
  trap leave_namespaces EXIT
  mount -t tmpfs tmpfs /run
}
leave_namespaces() {
  local machine
  {
    # shellcheck disable=SC2046 # one word per process
    kill $(jobs -p) || true
    for machine in "${machines[@]}"; do
      # shellcheck disable=SC2046 # one word per process
      kill -KILL $(ip netns pids "$machine") || true
    done
    wait || true
    for machine in "${machines[@]}"; do ip netns del "$machine" || true; done
    umount /run || true
    umount /etc || true
  } 2>/dev/null
  rm -rf --one-file-system "$work"
}

# make_lan NETWORK SWITCH MACHINE:NUMBER…: makes a network namespace for each machine, with the address NETWORK.NUMBER,
# and one for the switch `lan` between them. A machine's end of the cable is eth0, the switch's is to-MACHINE.
make_lan() {
  local network=$1 switch=$2 machine name
  shift 2
  machines=("$switch" "${@%:*}")
  for name in "${machines[@]}"; do
    ip netns add "$name"
    ip -n "$name" link set lo up
  done
  ip -n "$switch" link add lan type bridge
  ip -n "$switch" link set lan up
  for machine; do
    name=${machine%:*}
    ip link add eth0 netns "$name" type veth peer name "to-$name" netns "$switch"
    ip -n "$switch" link set "to-$name" master lan up
    ip -n "$name" address add "$network.${machine#*:}/24" dev eth0
    ip -n "$name" link set eth0 up
  done
}
