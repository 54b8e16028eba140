#!/usr/bin/env bash
# Tries docs/many-homes.md for real: a PostgreSQL cluster of three machines (Patroni and etcd, synchronous replication),
# two nodes and HAProxy, each machine in its own network namespace. Devices post signed blocks continuously; meanwhile
# primaries, standbys and nodes are killed and links are cut. At the end it looks up every confirmed reading in the
# database.
# Usage, as root on Debian 12 or newer, after npm ci && npm run build:
#   scripts/try-many-homes.sh [--faults 20] [--seed N]
# Installs the Debian packages that it needs. Uses no port, address or user of this machine, and leaves none behind.
# Prints one line for each fault; exits 0 if no confirmed reading is missing. Takes about 20 minutes, and 2 GB in the
# temporary folder.
set -euo pipefail
trap 'echo "try-many-homes: line $LINENO failed" >&2' ERR

fail() {
  echo "try-many-homes: $*" >&2
  exit 2
}

project=$(cd "$(dirname "$0")/.." && pwd)
node=$project/node_modules/.bin/node
[[ $(id -u) == 0 ]] || fail 'run it as root: network namespaces need it'
[[ -f $project/out/main/headless.js ]] || fail 'out/main/headless.js is missing: npm run build'
needed=(iproute2 postgresql patroni etcd-server etcd-client python3-etcd haproxy)
dpkg --status "${needed[@]}" >/dev/null 2>&1 || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${needed[@]}" </dev/null >/dev/null
}

# Separate mount and process namespaces: names of networks and sockets are private, and all processes and network
# namespaces end with this script, however it ends.
if [[ ${TRY_MANY_HOMES_INSIDE-} != yes ]]; then
  TRY_MANY_HOMES_INSIDE=yes exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi

work=$(mktemp -d)
chmod 755 "$work"
machines=(db1:11 db2:12 db3:13 node1:21 node2:22)
cleanup() {
  for machine in lan "${machines[@]%:*}"; do
    # shellcheck disable=SC2046 # one word per process
    kill -KILL $(ip netns pids "$machine" 2>/dev/null) 2>/dev/null || true
    ip netns del "$machine" 2>/dev/null || true
  done
  wait 2>/dev/null || true
  umount /run 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mount -t tmpfs tmpfs /run

# One LAN, 10.78.0.0/24: the switch is in `lan` and has .1, which is also the address of the balancer and the devices.
for machine in lan:1 "${machines[@]}"; do
  ip netns add "${machine%:*}"
  ip -n "${machine%:*}" link set lo up
done
ip -n lan link add switch type bridge
ip -n lan address add 10.78.0.1/24 dev switch
ip -n lan link set switch up
for machine in "${machines[@]}"; do
  name=${machine%:*}
  ip link add eth0 netns "$name" type veth peer name "to-$name" netns lan
  ip -n lan link set "to-$name" master switch up
  ip -n "$name" address add "10.78.0.${machine#*:}/24" dev eth0
  ip -n "$name" link set eth0 up
done

echo "$(patroni --version), $(etcd --version | head -n 1), $(haproxy -v | cut -d ' ' -f 1-3 | head -n 1)"
status=0
ip netns exec lan "$node" "$project/scripts/try-many-homes.ts" --work "$work" "$@" || status=$?
if [[ $status != 0 ]]; then
  kept=$(mktemp -d)
  cp "$work"/*.log "$kept"
  echo "the logs are in $kept"
fi
exit "$status"
