#!/usr/bin/env bash
# Tries docs/remote.md for real: a headless node and a phone's browser in separate network namespaces, with a tap on the
# wire between them, over the same network, over WireGuard and over ssh. This file sets up the network; try-door.ts has
# the steps.
# Usage, as root on Debian, after npm ci && npm run build: scripts/try-door.sh
# Installs the Debian packages that it needs. Uses no port, address or user of this machine, and leaves none behind.
# Prints one line for each step; exits 0 if every step passed.
set -euo pipefail
trap 'echo "try-door: line $LINENO failed" >&2' ERR

fail() {
  echo "try-door: $*" >&2
  exit 2
}

project=$(cd "$(dirname "$0")/.." && pwd)
node=$project/node_modules/.bin/node
[[ $(id -u) == 0 ]] || fail 'run it as root: network namespaces need it'
[[ -f $project/out/main/headless.js ]] || fail 'out/main/headless.js is missing: npm run build'
needed=(iproute2 tcpdump wireguard-tools wireguard-go openssh-server openssh-client chromium)
dpkg --status "${needed[@]}" >/dev/null 2>&1 || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${needed[@]}" </dev/null >/dev/null
}

# Separate mount and process namespaces: names of networks and sockets are private, and all processes and network
# namespaces end with this script, however it ends.
if [[ ${TRY_DOOR_INSIDE-} != yes ]]; then
  TRY_DOOR_INSIDE=yes exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi

work=$(mktemp -d)
cleanup() {
  # shellcheck disable=SC2046 # one word per process
  kill $(jobs -p) 2>/dev/null || true
  wait 2>/dev/null || true
  for machine in node wire phone; do ip netns del "$machine" 2>/dev/null || true; done
  umount /run 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mount -t tmpfs tmpfs /run
mkdir -p /run/sshd

# One LAN, 10.79.0.0/24: node .2, phone .3. The wire, with the tap, is a separate switch between them.
for machine in node wire phone; do
  ip netns add "$machine"
  ip -n "$machine" link set lo up
done
ip -n wire link add lan type bridge
ip -n wire link set lan up
for machine in node:2 phone:3; do
  name=${machine%:*}
  ip link add eth0 netns "$name" type veth peer name "to-$name" netns wire
  ip -n wire link set "to-$name" master lan up
  ip -n "$name" address add "10.79.0.${machine#*:}/24" dev eth0
  ip -n "$name" link set eth0 up
done

# A tunnel, 10.81.0.0/24: node .1, phone .2. It uses the kernel's WireGuard, or Debian's wireguard-go if the kernel has
# none.
(
  umask 077
  for machine in node phone; do wg genkey >"$work/$machine.key"; done
)
wireguard=kernel
for machine in node phone; do
  if ! ip -n "$machine" link add "wg-$machine" type wireguard 2>/dev/null; then
    wireguard=wireguard-go
    ip netns exec "$machine" wireguard-go -f "wg-$machine" >"$work/wireguard-$machine.log" 2>&1 &
    for _ in {1..100}; do
      [[ ! -S /run/wireguard/wg-$machine.sock ]] || break
      sleep 0.1
    done
  fi
done
# tunnel MACHINE NUMBER PEER PEER-NUMBER PEER-ADDRESS
tunnel() {
  ip netns exec "$1" wg set "wg-$1" private-key "$work/$1.key" listen-port 51820 \
    peer "$(wg pubkey <"$work/$3.key")" allowed-ips "10.81.0.$4/32" endpoint "$5:51820"
  ip -n "$1" address add "10.81.0.$2/24" dev "wg-$1"
  ip -n "$1" link set "wg-$1" up
}
tunnel node 1 phone 2 10.79.0.3
tunnel phone 2 node 1 10.79.0.2

# sshd on the node has a key for root; ssh on the phone has that key and the host's key.
for key in host user; do ssh-keygen -q -t ed25519 -N '' -f "$work/$key"; done
cat >"$work/sshd_config" <<TEXT
HostKey $work/host
AuthorizedKeysFile $work/user.pub
StrictModes no
PasswordAuthentication no
PidFile none
TEXT
echo "10.79.0.2 $(cut -d ' ' -f 1-2 "$work/host.pub")" >"$work/known_hosts"
ip netns exec node "$(command -v sshd)" -D -e -f "$work/sshd_config" >"$work/sshd.log" 2>&1 &

# Playwright talks to its browser through pipes, which work across namespaces.
printf '#!/bin/sh\nexec ip netns exec phone %s "$@"\n' "$(command -v chromium)" >"$work/chromium"
chmod +x "$work/chromium"

echo "$(chromium --version 2>/dev/null | cut -d ' ' -f 1-2), WireGuard: $wireguard, $(ssh -V 2>&1 | cut -d ' ' -f 1)"
status=0
ip netns exec node "$node" "$project/scripts/try-door.ts" "$work" || status=$?
[[ $status == 0 ]] || tail -n 20 "$work"/*.log
exit "$status"
