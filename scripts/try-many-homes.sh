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
source "$(dirname "$0")/try-common.sh"

need_root 'network namespaces need it'
need_build
need_packages iproute2 postgresql patroni etcd-server etcd-client python3-etcd haproxy
own_namespaces "$@"
chmod 755 "$work"

# One LAN, 10.78.0.0/24: the switch has .1, which is also the address of the balancer and the devices.
make_lan 10.78.0 lan db1:11 db2:12 db3:13 node1:21 node2:22
ip -n lan address add 10.78.0.1/24 dev lan

echo "$(patroni --version), $(etcd --version | head -n 1), $(haproxy -v | cut -d ' ' -f 1-3 | head -n 1)"
status=0
ip netns exec lan "$node" "$project/scripts/try-many-homes.ts" --work "$work" "$@" || status=$?
if [[ $status != 0 ]]; then
  kept=$(mktemp -d)
  cp "$work"/*.log "$kept"
  echo "the logs are in $kept"
fi
exit "$status"
