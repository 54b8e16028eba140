prepare_previous() { :; }

# The two versions change places, so that another rollback leads forward again.
install_previous() {
  rm -rf "$cache/aside"
  mkdir -p "$cache/aside@LIB@" && rmdir "$cache/aside@LIB@" &&
    mv "$lib" "$cache/aside@LIB@" && mv "$cache/previous@LIB@" "$lib" || return 1
  rm -rf "$cache/previous" && mv "$cache/aside" "$cache/previous"
  "$lib/install-files"
  systemctl --no-block restart wellhouse.service
  wait_until_healthy || say "it does not start: journalctl -u wellhouse -n 50 says why"
}
