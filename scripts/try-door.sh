#!/usr/bin/env bash
# Tries docs/remote.md for real: a headless node and a phone's browser in separate network namespaces, with a tap on the
# wire between them, over the same network, over WireGuard and over ssh. This file sets up the network; try-door.ts has
# the steps.
# Usage, as root on Debian, after npm ci && npm run build: scripts/try-door.sh
# Installs the Debian packages that it needs. Uses no port, address or user of this machine, and leaves none behind.
# Prints one line for each step; exits 0 if every step passed.
set -euo pipefail
source "$(dirname "$0")/try-common.sh"

need_root 'network namespaces need it'
need_build
need_packages iproute2 tcpdump wireguard-tools wireguard-go openssh-server openssh-client chromium
own_namespaces "$@"
mkdir -p /run/sshd

# One LAN, 10.79.0.0/24: node .2, phone .3. The wire, with the tap, is a separate switch between them.
make_lan 10.79.0 wire node:2 phone:3

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
