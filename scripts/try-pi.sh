#!/usr/bin/env bash
# Tries the packages of the node on separate systems: the arm64 one in an emulated Debian 12 with 512 MB, the x64 one
# and the archive under a real systemd. Prints one line for each step; exits 0 if every step passed.
# docs/raspberry-pi.md has the output.
set -euo pipefail
source "$(dirname "$0")/try-common.sh"

usage() {
  cat <<'TEXT'
Usage, as root on Debian 12, after npm ci: scripts/try-pi.sh [--only arm64|amd64] [DIR]

  DIR     where Debian's base systems and the packages are kept between runs (default: /var/tmp/wellhouse-pi)
  --only  one of the two

Installs what it needs of Debian (debootstrap, qemu-user-static, systemd-container, apt-utils, iproute2, curl). Packages are made
again unless PACKAGES=keep. MIRROR names another Debian mirror.
TEXT
}

only=
while [[ ${1-} == --* ]]; do
  case $1 in
    --only) only=${2-}; shift ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
dir=$(realpath -m "${1:-/var/tmp/wellhouse-pi}")
need_root 'it starts systems of their own'
[[ $("$node" --version) == v24.* ]] || fail "$node is missing: npm ci"
need_packages debootstrap qemu-user-static systemd-container apt-utils iproute2 curl
mkdir -p "$dir/packages" "$dir/next"

# The kernel runs arm64 programs with qemu. The flag P in Debian's registration keeps the programs' names.
if [[ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]]; then
  mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  [[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] ||
    cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
fi

base_system() { # ARCH
  [[ ! -e $dir/$1/usr/bin/apt-get ]] || return 0
  rm -rf --one-file-system "${dir:?}/$1.new"
  debootstrap --arch="$1" --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,procps bookworm \
    "$dir/$1.new" "${MIRROR:-http://deb.debian.org/debian}" >"$dir/$1.log" 2>&1 || fail "debootstrap: see $dir/$1.log"
  mv "$dir/$1.new" "$dir/$1"
}

# Makes packages of this version, and of a next one whose stores have one more schema step.
make_packages() {
  [[ ${PACKAGES-} != keep ]] || return 0
  rm -f "$dir"/packages/* "$dir"/next/*
  (cd "$project" && "$node" scripts/package-node.ts --quick --out "$dir/packages") >"$dir/packages.log" 2>&1 ||
    fail "the packages could not be made: see $dir/packages.log"
  local copy=$dir/copy
  rm -rf --one-file-system "$copy"
  mkdir "$copy"
  git -C "$project" ls-files --cached --others --exclude-standard |
    tar -C "$project" --ignore-failed-read --files-from=- -cf - | tar -C "$copy" -xf -
  ln -s "$project/node_modules" "$copy/node_modules"
  sed -i 's/"version": "[^"]*"/"version": "99.0.0"/' "$copy/package.json"
  local steps=$copy/src/main/store/sqlite/file/migrations.ts
  sed -i "/^export const STORE_VERSION/i (MIGRATIONS as Migration[]).push((db) => db.exec('CREATE TABLE next_step (id INTEGER PRIMARY KEY) STRICT'));" "$steps"
  (cd "$copy" && "$node" scripts/package-node.ts --deb --arch x64 --quick --out "$dir/next") >"$dir/next.log" 2>&1 ||
    fail "the next version could not be made: see $dir/next.log"
  rm -rf --one-file-system "$copy"
}

failures=0
log=$dir/step.log
# step TEXT COMMAND…: prints one line with the duration; if it failed, also the output.
step() {
  local text=$1 from=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    printf 'PASS  %-9s %s (%d s)\n' "$name" "$text" $((SECONDS - from))
  else
    failures=$((failures + 1))
    printf 'FAIL  %-9s %s (%d s)\n' "$name" "$text" $((SECONDS - from))
    tail -n 25 "$log" | sed 's/^/      | /'
  fi
}

name= root= machine=
# boot NAME ARCH BYTES: starts a new Debian system under its own systemd, with an address of its own and 192.168.77.10.
boot() {
  name=$1 root=$dir/run-$1
  local group=/sys/fs/cgroup/memory/wellhouse-try-$1
  shut_down
  rm -rf --one-file-system "$root" || rm -rf --one-file-system "$root"
  cp -a "$dir/$2" "$root"
  echo "$name" >"$root/etc/hostname"
  [[ -d /sys/fs/cgroup/memory ]] || group=/sys/fs/cgroup/wellhouse-try-$1
  mkdir -p "$group"
  echo "$3" >"$group/memory.limit_in_bytes" 2>/dev/null || echo "$3" >"$group/memory.max"
  bash -c 'echo $$ >"$1/cgroup.procs"; exec systemd-nspawn --quiet --boot --private-network --register=no --keep-unit \
    --machine="$2" --directory="$3"' - "$group" "wellhouse-$name" "$root" </dev/null >"$dir/$name.console" 2>&1 &
  container=$!
  local tries
  for tries in {1..120}; do
    machine=$(pgrep -P "$container" | tail -n 1) || machine=
    [[ -z $machine ]] || ! inside systemctl is-active --quiet multi-user.target 2>/dev/null || break
    sleep 1
  done
  ((tries < 120)) || fail "$name does not boot: see $dir/$name.console"
  nsenter -t "$machine" -n ip link set lo up
  nsenter -t "$machine" -n ip link add lan0 type veth peer name lan1
  nsenter -t "$machine" -n ip address add 192.168.77.10/24 dev lan0
  nsenter -t "$machine" -n ip link set lan0 up
  nsenter -t "$machine" -n ip link set lan1 up
}
container=
shut_down() {
  [[ -n $container ]] || return 0
  kill -TERM "$container" 2>/dev/null || true
  for _ in {1..40}; do
    kill -0 "$container" 2>/dev/null || break
    sleep 0.5
  done
  kill -KILL "$container" 2>/dev/null || true
  wait "$container" 2>/dev/null || true
  container=
}
trap shut_down EXIT

# inside COMMAND…: runs a command in the machine. beside COMMAND…: runs a program of this machine on the other's
# network, as a neighbour would.
inside() {
  nsenter -t "$machine" -m -u -i -n -p -r -w env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    SUDO_USER=pi DEBIAN_FRONTEND=noninteractive "$@"
}
beside() { nsenter -t "$machine" -n "$@"; }
within() { # SECONDS COMMAND…: repeats it until it succeeds
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 1
  done
}
says() { # PATTERN COMMAND…
  local pattern=$1 said
  shift
  said=$("$@" 2>&1) || { echo "$said"; return 1; }
  echo "$said"
  grep -Eq -- "$pattern" <<<"$said"
}
link() { inside wellhouse --json link | sed -n 's/.*"link": "\(.*\)".*/\1/p'; }
field() { inside wellhouse --json status | sed -n "s/^  \"$1\": \(.*\),\$/\1/p"; }
healthy() { [[ $(beside curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:3001/health) == 200 ]]; }
refuses() { ! healthy; }
main_pid() { inside systemctl show --property=MainPID --value wellhouse.service; }
another_pid() { [[ $(main_pid) != "$1" && $(main_pid) != 0 ]] && healthy; }
owner_api() { # METHOD INPUT
  local at=$(link)
  beside curl -sf -H "authorization: Bearer ${at#*token=}" -H 'content-type: application/json' -d "$2" "${at%/ui/*}/ui/api/$1"
}
simulate() { # ARGUMENT…
  (cd "$project" && nsenter -t "$machine" -n "$node" src/simulator/cli.ts --state "$dir/$name.simulator" --devices 1 --once "$@")
}
owned_by_node() { ! find "$root/var/lib/wellhouse" ! -uid "$(stat -c %u "$root/var/lib/wellhouse")" | grep .; }
deb() { basename "$(ls "$dir/$1"/wellhouse-node_*_"$2".deb)"; }

view_opens() { says '<div id="root">' beside curl -sf "$(link)"; }
ssh_line() { says '^  ssh -N -L 13001:127\.0\.0\.1:3001 pi@192\.168\.77\.10$' inside wellhouse --table link --ssh; }
gate_on() {
  sed -i 's/^#GATE_ADDRESS=.*/GATE_ADDRESS=192.168.77.10/' "$root/etc/default/wellhouse"
  inside systemctl restart wellhouse && within 60 healthy
}
refused_when_closed() { ! simulate --url http://192.168.77.10:8080 --backfill 1; }
joins() {
  owner_api openJoining '{"closesAfterOne":true}' && simulate --url http://192.168.77.10:8080 --backfill 20 && [[ $(field devices) == 1 ]]
}
private_readings() { inside wellhouse --json readings "$(device)" --limit 500 | grep -c '"seq"'; }
device() { inside wellhouse --json devices | sed -n 's/.*"id": "\(.*\)".*/\1/p' | head -n 1; }
killed() {
  local pid=$(main_pid)
  inside kill -KILL "$pid" && within 60 another_pid "$pid" && [[ $(private_readings) == 20 ]]
}
terminated() {
  local pid=$(main_pid)
  inside kill -TERM "$pid" && within 60 another_pid "$pid"
}
stopped() {
  local pid=$(main_pid)
  inside kill -STOP "$pid" && within 180 another_pid "$pid"
}
port_in_log() { says 'port 3001 is taken' inside journalctl --no-pager --output=cat -u wellhouse; }
port_taken() {
  inside systemctl stop wellhouse
  # The process itself, so that it can be killed.
  nsenter -t "$machine" -n "$node" -e 'require("node:net").createServer().listen(3001, "127.0.0.1")' &
  local taker=$!
  within 20 says '' beside "$node" -e 'require("node:net").connect(3001,"127.0.0.1").on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))'
  local code=0
  inside systemctl start wellhouse || code=$?
  local logged=0
  within 60 port_in_log || logged=$?
  kill "$taker"
  [[ $code != 0 && $logged == 0 ]] && within 60 healthy
}
repository() { # FOLDER ARCH: puts a package into a repository in the machine's own folder
  mkdir -p "$root/srv/apt"
  cp "$dir/$1"/wellhouse-node_*_"$2".deb "$root/srv/apt/"
  (cd "$root/srv/apt" && apt-ftparchive packages . >Packages && apt-ftparchive release . >Release)
  rm -f "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
  echo 'deb [trusted=yes] file:/srv/apt ./' >"$root/etc/apt/sources.list.d/wellhouse.list"
  inside apt-get update && says "Candidate: $3" inside apt-cache policy wellhouse-node
}
upgraded() {
  says 'backing them up first' inside apt-get -y upgrade && [[ $(word version) == 99.0.0 ]] && healthy && [[ $(private_readings) == 20 ]]
}
word() { cat "$root/usr/lib/wellhouse/$1" 2>/dev/null || cat "$root/usr/local/lib/wellhouse/$1"; }
rollback_asks() { ! inside wellhouse rollback && [[ $(word version) == 99.0.0 ]] && healthy; }
rolled_back() {
  inside wellhouse rollback --yes && [[ $(word version) == "$version" ]] && healthy &&
    [[ $(private_readings) == 20 && $(field publicKey) == "$key" ]]
}
device_goes_on() { simulate --url http://192.168.77.10:8080 --backfill 5 && [[ $(private_readings) -ge 25 ]]; }
unhealthy() { # an upgrade after which the node does not start: apt succeeds and says what to do
  inside systemctl stop wellhouse
  # The process itself, so that it can be killed.
  nsenter -t "$machine" -n "$node" -e 'require("node:net").createServer().listen(3001, "127.0.0.1")' &
  local taker=$! said code=0
  said=$(inside apt-get -y install --reinstall --allow-downgrades "wellhouse-node=$version" 2>&1) || code=$?
  kill "$taker"
  echo "$said"
  [[ $code == 0 ]] && grep -q 'did not start within two minutes' <<<"$said" && within 60 healthy
}
removed() {
  inside apt-get -y remove wellhouse-node && refuses && [[ -s $root/var/lib/wellhouse/private.db && -e $root/etc/default/wellhouse ]]
}
purged() {
  inside apt-get -y purge wellhouse-node && [[ -s $root/var/lib/wellhouse/private.db && ! -e $root/etc/default/wellhouse ]]
}
back_with_data() { inside apt-get -y install "wellhouse-node=$version" && healthy && [[ $(field publicKey) == "$key" ]]; }
purged_with_data() {
  touch "$root/var/lib/wellhouse/purge-data" && inside apt-get -y purge wellhouse-node && [[ ! -e $root/var/lib/wellhouse ]]
}
archive() { # install.sh, its own update, and its end
  # Unpacked here: Debian's smallest system has no xz.
  tar -C "$root/root" -xf "$dir"/packages/*-linux-x64.tar.xz && inside sh -c '/root/wellhouse-node-*/install.sh' && healthy
}
archive_again() {
  inside sh -c 'cd /root/wellhouse-node-*/ && echo 98.0.0 >wellhouse/version && ./install.sh' && [[ $(word version) == 98.0.0 ]] && healthy
}
archive_back() { inside wellhouse rollback && [[ $(word version) == "$version" ]] && healthy; }
archive_gone() {
  inside sh -c '/root/wellhouse-node-*/install.sh --uninstall' && refuses && [[ -s $root/var/lib/wellhouse/private.db ]]
}
other_processor() { # the package for another processor says so in one line and does nothing
  local said code=0
  said=$(inside dpkg -i "/root/$(deb packages "$1")" 2>&1) || code=$?
  echo "$said"
  [[ $code != 0 && ! -e $root/usr/lib/wellhouse ]] && grep -q 'does not match system' <<<"$said"
}

base_system amd64
base_system arm64
make_packages
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$project/package.json")
key=

if [[ $only != amd64 ]]; then
  boot arm64 arm64 512M
  package=$(deb packages arm64)
  cp "$dir/packages/$package" "$root/root/"
  step "apt install ./$package, in 512 MB" inside apt-get -y install "/root/$package"
  step 'wellhouse status shows a running node' says '^node +runs$' inside wellhouse --table status
  step 'wellhouse link opens the view' view_opens
  step 'wellhouse link --ssh is a command that can be pasted' ssh_line
  step 'the gate listens where /etc/default/wellhouse says' gate_on
  step 'a device joins at the gate, and its 20 signed readings are stored' joins
  step 'the data is the node’s own, every file' owned_by_node
  step 'removed; the data stays' removed
  shut_down
fi

if [[ $only != arm64 ]]; then
  boot amd64 amd64 512M
  cp "$dir/packages/$(deb packages arm64)" "$root/root/"
  step 'the package of another processor is refused' other_processor arm64
  step 'a repository made of a folder is known to apt' repository packages amd64 "$version"
  step 'apt install wellhouse-node' inside apt-get -y install wellhouse-node
  step 'wellhouse status shows a running node' says '^node +runs$' inside wellhouse --table status
  step 'wellhouse link opens the view' view_opens
  step 'the gate listens where /etc/default/wellhouse says' gate_on
  step 'no device joins uninvited' refused_when_closed
  step 'a device joins at the gate, and its 20 signed readings are stored' joins
  key=$(field publicKey)
  step 'kill -9: it runs again, with every reading' killed
  step 'a stray SIGTERM: it runs again' terminated
  step 'SIGSTOP: the watchdog acts, and it runs again' stopped
  step 'a taken port: systemctl start says no, the log says why, and it runs once the port is free' port_taken
  step 'the data is the node’s own, every file' owned_by_node
  step 'apt knows the next version' repository next amd64 99.0.0
  step 'apt upgrade backs up, changes the stores, and keeps every reading' upgraded
  step 'rollback asks before it puts readings aside' rollback_asks
  step 'wellhouse rollback --yes: the version before, with its stores' rolled_back
  step 'the device goes on' device_goes_on
  step 'a version that does not come up: apt ends, and says what to do' unhealthy
  step 'apt remove leaves data and settings' removed
  step 'apt purge leaves the data' purged
  step 'installed again, it is the same node' back_with_data
  step 'apt purge takes the data where it was asked to' purged_with_data
  step 'install.sh of the archive installs and starts it' archive
  step 'install.sh of another version keeps the one before' archive_again
  step 'wellhouse rollback goes back to it' archive_back
  step 'install.sh --uninstall leaves the data' archive_gone
  shut_down
fi
echo "try-pi: $failures failed"
[[ $failures == 0 ]]
