#!/usr/bin/env bash
# Proves that this project needs only Node 20, npm 11 and the registry: runs a command in a new clone on a bare Debian
# 12 (no Python, no compiler, no fonts, an empty HOME).
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: scripts/bare-machine.sh [--working-tree] [--keep] [DIR [COMMAND]]

  DIR             where the bare root is kept between runs; made on the first run (default: /var/tmp/wellhouse-bare)
  COMMAND         what to run in the clone (default: npm ci && npm test)
  --working-tree  take the files as they lie here instead of the committed HEAD
  --keep          leave the copy that was used behind, and say where it is

DIR itself stays as it was made: every run gets its own copy of it, beside it, and removes that copy at the end.
Ends with COMMAND's exit code. Needs root, debootstrap, git, and Node 20 with npm 11 on PATH (they are copied in).
MIRROR names another Debian mirror, NODE another Node 20 binary.
TEXT
}

fail() {
  echo "bare-machine: $*" >&2
  exit 2
}

source_kind=head
keep=no
while [[ ${1-} == --* ]]; do
  case $1 in
    --working-tree) source_kind=tree ;;
    --keep) keep=yes ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
[[ $# -le 2 ]] || { usage >&2; exit 2; }
base=$(realpath -m "${1:-/var/tmp/wellhouse-bare}")
command=${2:-npm ci && npm test}
checkout=$(cd "$(dirname "$0")/.." && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}

[[ $(id -u) == 0 ]] || fail 'run it as root: debootstrap and chroot need it'
for tool in debootstrap git unshare; do
  [[ -n $(command -v "$tool") ]] || fail "$tool is missing: apt-get install debootstrap git util-linux"
done

# Created under another name and renamed when complete, so that an interrupted run never counts as a bare root.
make_base() {
  local node npm new=$base.new
  node=$(realpath "${NODE:-$(command -v node)}")
  [[ $("$node" --version) == v20.* ]] || fail "$node is $("$node" --version); set NODE to a Node 20 binary"
  npm=$(dirname "$node")/../lib/node_modules/npm
  [[ $("$node" -p 'require(process.argv[1]).version' "$npm/package.json") == 11.* ]] || fail "no npm 11 in $npm"
  rm -rf --one-file-system "$new"
  mkdir -p "$(dirname "$new")"
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$new" "$mirror"
  cp "$node" "$new/usr/local/bin/node"
  mkdir -p "$new/usr/local/lib/node_modules"
  cp -a "$npm" "$new/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$new/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$new/usr/local/bin/npx"
  # Certificates that this machine's administrator trusts (a registry mirror or a proxy may need them).
  if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
    cp /usr/local/share/ca-certificates/*.crt "$new/usr/local/share/ca-certificates/"
    chroot "$new" update-ca-certificates >/dev/null
  fi
  for absent in python3 make gcc cc; do
    [[ ! -e $new/usr/bin/$absent ]] || fail "the new root holds $absent: it is not bare"
  done
  mv "$new" "$base"
}
[[ -x $base/usr/local/bin/node ]] || make_base >&2

run=$(mktemp -d "$base.run.XXXXXX")
cleanup() {
  if [[ $keep == yes ]]; then echo "bare-machine: kept $run" >&2; else rm -rf --one-file-system "$run"; fi
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
cp -a "$base/." "$run/"
cp -L /etc/resolv.conf /etc/hosts "$run/etc/"
mkdir -p "$run/home/bare" "$run/work"
if [[ $source_kind == head ]]; then
  git clone --quiet --no-local "$checkout" "$run/work/wellhouse"
  what="commit $(git -C "$run/work/wellhouse" rev-parse --short HEAD)"
else
  mkdir "$run/work/wellhouse"
  git -C "$checkout" ls-files -z --cached --others --exclude-standard |
    (cd "$checkout" && while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done) |
    tar -C "$checkout" --null --files-from=- -cf - | tar -C "$run/work/wellhouse" -xf -
  git -C "$run/work/wellhouse" init --quiet
  what='the working tree'
fi

# Of this shell's environment, only the variables that the network needs are passed on.
environment=(HOME=/home/bare PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt)
for name in CI http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry; do
  [[ -z ${!name-} ]] || environment+=("$name=${!name}")
done

# Separate mount and process namespaces: the mounts are visible nowhere else, so the removal above can never reach
# through one. They and all processes that the command leaves behind end with the namespaces.
echo "bare-machine: $what: $command" >&2
started=$SECONDS
code=0
unshare --mount --pid --fork --kill-child sh -euc '
  root=$1; shift
  # A mount point of its own, as the root of a real machine is: making namespaces inside needs that.
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mkdir -p "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777,size=1g tmpfs "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
  exec chroot "$root" env -i "$@"
' sh "$run" "${environment[@]}" sh -c 'cd /work/wellhouse && eval "$1"' sh "$command" </dev/null || code=$?
if [[ $code == 0 ]]; then verdict=passed; else verdict=FAILED; fi
echo "bare-machine: $verdict (exit $code) in $((SECONDS - started)) s: $what: $command" >&2
exit "$code"
