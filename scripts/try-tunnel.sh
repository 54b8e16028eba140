#!/usr/bin/env bash
# Tries the recipe of docs/tunnel.md for real: three machines (node, helper, device) on one LAN, each a network
# namespace, with Debian's own sshd and configuration, the headless node and the simulated device.
# Usage, as root: apt-get install openssh-server iproute2; npm ci && npm run build; scripts/try-tunnel.sh
# Uses no port, address or user of this machine, and leaves none behind. Exits 0 if every step passed.
set -euo pipefail
source "$(dirname "$0")/try-common.sh"

entry=${1:-$project/out/main/headless.js}
need_root 'network namespaces need it'
need_build "$entry"
for tool in ip ssh sshd ssh-keygen unshare; do
  [[ -n $(command -v "$tool") ]] || fail "$tool is missing: apt-get install openssh-server iproute2"
done
own_namespaces "$@"
# Users and the configuration of sshd are changed below, in a private copy.
cp -a /etc "$work/etc"
mount --bind "$work/etc" /etc
mkdir -p /run/sshd

failures=0
# step TEXT EXPECTED ACTUAL: EXPECTED is an extended regular expression that must match the whole of ACTUAL.
step() {
  local verdict=ok
  if ! [[ $3 =~ ^($2)$ ]]; then
    verdict=NO
    failures=$((failures + 1))
  fi
  printf '%-3s %s\n      -> %s\n' "$verdict" "$1" "${3:0:150}"
}
# on MACHINE COMMAND… (for the background, write out `ip netns exec`: the process is then the command itself and can be
# killed)
on() { ip netns exec "$@"; }
# ask MACHINE URL [JAVASCRIPT]: prints the status, and the body or the result of JAVASCRIPT; or the network error's
# code.
ask() {
  on "$1" "$node" -e '
    const [url, expression] = process.argv.slice(1);
    fetch(url, { signal: AbortSignal.timeout(8000) })
      .then(async (answer) => {
        const text = await answer.text();
        const made = expression && new Function("body", `return ${expression}`)(JSON.parse(text));
        console.log(answer.status, expression ? JSON.stringify(made) : text);
      })
      .catch((error) => console.log(error.cause?.code ?? error.name));
  ' "$2" "${3-}"
}
# until_says SECONDS EXPECTED COMMAND…: waits until the output of COMMAND matches EXPECTED; prints the last output.
until_says() {
  local end=$((SECONDS + $1)) expected=$2 said
  shift 2
  while said=$("$@"); do
    if [[ $said =~ ^($expected)$ || $SECONDS -ge $end ]]; then break; fi
    sleep 0.2
  done
  echo "$said"
}

# One LAN, 10.77.0.0/24: helper .1 (which also has the switch), node .2, device .3.
make_lan 10.77.0 helper node:2 device:3
ip -n helper address add 10.77.0.1/24 dev lan

echo '== on the node: the headless node, and sshd with a user that may open 127.0.0.1:3001 and nothing else'
mkdir "$work/data"
# It runs with the default settings, whatever this shell's environment.
ip netns exec node env -i PATH="$PATH" DATA_DIR="$work/data" "$node" "$entry" </dev/null >"$work/node.log" 2>&1 &
useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin wellhouse-tunnel
install -d -m 0700 -o wellhouse-tunnel /etc/wellhouse-tunnel
as_user=(setpriv --reuid=wellhouse-tunnel --regid=wellhouse-tunnel --clear-groups)
"${as_user[@]}" ssh-keygen -q -t ed25519 -N '' -f /etc/wellhouse-tunnel/id_ed25519
cp /etc/wellhouse-tunnel/id_ed25519.pub /etc/ssh/wellhouse-tunnel.keys
# Exactly the file in the recipe.
sshd_config=/etc/ssh/sshd_config.d/wellhouse-tunnel.conf
sed -n '/^Match User wellhouse-tunnel/,/^```/{/^```/d;p}' "$project/docs/tunnel.md" >"$sshd_config"
[[ -s $sshd_config ]] || fail 'docs/tunnel.md lost its sshd configuration'
ssh-keygen -A >/dev/null
ip netns exec node "$(command -v sshd)" -D -e >"$work/sshd.log" 2>&1 &
step 'the node answers on its own loopback' '200 .*' \
  "$(until_says 20 '200 .*' ask node http://127.0.0.1:3001/health)"

echo '== without a tunnel'
step 'the device cannot reach port 3001 of the node' ECONNREFUSED "$(ask device http://10.77.0.2:3001/health)"
step 'nor can the helper' ECONNREFUSED "$(ask helper http://10.77.0.2:3001/health)"
step 'nothing listens on the helper yet' ECONNREFUSED "$(ask device http://10.77.0.1:8080/health)"

echo '== on the helper: ssh -N -L 10.77.0.1:8080:127.0.0.1:3001 wellhouse-tunnel@10.77.0.2'
for address in 10.77.0.2 127.0.0.1; do
  until_says 10 "$address ssh-ed25519 .*" on node ssh-keyscan -t ed25519 "$address" 2>/dev/null
done >/etc/wellhouse-tunnel/known_hosts
# Exactly the command of the recipe's unit, with these addresses.
read -ra command <<<"$(
  sed -n '/^ExecStart=/,/[^\\]$/p' "$project/docs/tunnel.md" | sed 's/^ExecStart=//; s/\\$//' | tr '\n' ' ' |
    sed 's/192\.168\.1\.5\b/10.77.0.1/g; s/192\.168\.1\.10\b/10.77.0.2/g'
)"
[[ ${command[*]} == */ssh\ * ]] || fail 'docs/tunnel.md lost its unit'
ip netns exec helper "${as_user[@]}" "${command[@]}" 2>"$work/ssh.log" &
tunnel=$!
options=(-F none -i /etc/wellhouse-tunnel/id_ed25519 -o BatchMode=yes
  -o UserKnownHostsFile=/etc/wellhouse-tunnel/known_hosts)
step 'the device reaches the loopback endpoint through it' '200 .*' \
  "$(until_says 20 '200 .*' ask device http://10.77.0.1:8080/health)"
step 'it took Host 10.77.0.1:8080, an IP literal; a name it would not take' '403 .*host_not_allowed.*' \
  "$(echo '10.77.0.1 helper.test' >>/etc/hosts && ask device http://helper.test:8080/health)"
step 'port 3001 of the node is as closed as before' ECONNREFUSED "$(ask device http://10.77.0.2:3001/health)"
step 'the key opens no shell' '.*This account is currently not available.*' \
  "$(on helper "${as_user[@]}" ssh "${options[@]}" wellhouse-tunnel@10.77.0.2 id 2>&1 | tr '\n' ' ' || true)"
step 'and no other port' '.*administratively prohibited.*' "$(
  on helper timeout 5 "${as_user[@]}" ssh "${options[@]}" -W 127.0.0.1:3000 wellhouse-tunnel@10.77.0.2 2>&1 </dev/null |
    tr -d '\r' | tr '\n' ' ' || true
)"

# simulate NAME URL: run it only in the background, because it never returns.
simulate() {
  exec ip netns exec device "$node" "$project/src/simulator/cli.ts" --url "$2" --state "$work/$1.json" \
    --devices 1 --backfill 150 --speed 1
}
# readings MACHINE BASE: prints the number of readings of the first device there.
readings() {
  local id
  id=$(ask "$1" "$2/v1/devices" 'body.devices[0]?.id' | sed -n 's/^200 "\([0-9a-f]*\)"$/\1/p')
  if [[ -n $id ]]; then ask "$1" "$2/v1/devices/$id/telemetry" body.readings.length; else echo 'no device'; fi
}

echo '== the simulated device, which knows only http://10.77.0.1:8080'
simulate private http://10.77.0.1:8080 >"$work/simulate-private.log" 2>&1 &
step 'its readings arrive in the private store' '200 15[0-9]' \
  "$(until_says 60 '200 15[0-9]' readings node http://127.0.0.1:3001)"
step 'the public store has no device' '200 0' "$(ask node http://127.0.0.1:3000/v1/devices body.devices.length)"

echo '== the same with port 3000 instead: public'
simulate public http://10.77.0.2:3000 >"$work/simulate-public.log" 2>&1 &
step 'everybody on the network reads what it sent' '200 15[0-9]' \
  "$(until_says 60 '200 15[0-9]' readings helper http://10.77.0.2:3000)"

echo '== the tunnel falls, and the node makes its own'
kill "$tunnel"
wait "$tunnel" 2>/dev/null || true
step 'without the tunnel the device is refused' ECONNREFUSED \
  "$(ask device http://10.77.0.1:8080/health)"
ip netns exec node "${as_user[@]}" ssh -N "${options[@]}" \
  -L 10.77.0.2:8080:127.0.0.1:3001 wellhouse-tunnel@127.0.0.1 2>>"$work/ssh.log" &
step 'without a helper: ssh on the node itself, bound to its LAN address' '200 .*' \
  "$(until_says 20 '200 .*' ask device http://10.77.0.2:8080/health)"

if [[ $failures != 0 ]]; then
  tail -n 20 "$work"/*.log
  echo "try-tunnel: $failures steps did not hold"
  exit 1
fi
echo 'try-tunnel: every step held'
