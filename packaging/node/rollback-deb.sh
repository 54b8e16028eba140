package=

# A package of the kept tree, not compressed: it is gone in a minute.
prepare_previous() {
  folder=$(mktemp -d)
  (cd "$cache/previous" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  package=$folder/wellhouse-node.deb
  dpkg-deb --root-owner-group -Znone --build "$cache/previous" "$package" >/dev/null ||
    { rm -rf "$folder"; fail "$cache/previous can't be packed: nothing was changed"; }
}

# Settings that the owner changed stay, as after any upgrade.
install_previous() {
  status=0
  dpkg --force-confdef --force-confold --install "$package" || status=1
  rm -rf "${package%/*}"
  if command -v apt-mark >/dev/null; then
    say "\"apt-mark hold wellhouse-node\" keeps apt from upgrading it again"
  fi
  return "$status"
}
