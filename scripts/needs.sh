#!/bin/sh
# Checks for what the tests need beyond Go: a C compiler with the C library's headers, for
# the race detector. The server itself is built without. As root on Debian and its kin it
# installs them; elsewhere it says what to install, and stops.
set -eu

command -v go >/dev/null || {
	echo "Go is missing: https://go.dev/doc/install" >&2
	exit 1
}

compiles() {
	echo '#include <stdlib.h>' | CGO_ENABLED=1 $(CGO_ENABLED=1 go env CC) -x c -c -o /dev/null - 2>/dev/null
}

compiles && exit 0
if [ -e /etc/debian_version ] && [ "$(id -u)" -eq 0 ]; then
	echo "installing a C compiler for the race detector"
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends gcc libc6-dev >/dev/null
	compiles && exit 0
fi
cat >&2 <<'END'
The tests run with Go's race detector, which needs a C compiler and the C library's headers:
  Debian, Ubuntu   apt-get install gcc libc6-dev
  Fedora           dnf install gcc glibc-devel
  Alpine           apk add gcc musl-dev
  macOS            xcode-select --install
END
exit 1
