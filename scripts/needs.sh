#!/bin/sh
# Checks what the tests need besides Go: a C compiler with the C library's headers for the race
# detector, the servers of PostgreSQL, PgBouncer and Redis, nginx, Caddy, curl, the shells zsh and
# fish, mandoc, faketime, and for browser tests of the dashboard Node, Chromium, Firefox and
# packages from npm, of which Prettier checks the format; also from npm, an OpenID provider, a
# receiver of webhooks, and the search of the documentation site.
# Building the server needs none of it. As root on Debian and its derivatives it installs them;
# elsewhere it says what to install. Without the compiler it stops; without the others their tests
# are skipped with a message, unless CI is "true". With --fonts it also installs the fonts of the
# pictures in docs/screenshots, with --release what tries a release: an emulator, systemd-analyze,
# systemd-nspawn, what installs packages for Fedora, Ruby with rubocop for Homebrew's formula, Nix,
# and Prometheus.
set -eu
cd "$(dirname "$0")/.."

command -v go >/dev/null || {
	echo "Go is missing: https://go.dev/doc/install" >&2
	exit 1
}

debian() { [ -e /etc/debian_version ] && [ "$(id -u)" -eq 0 ]; }

install() {
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

compiles() {
	echo '#include <stdlib.h>' |
		CGO_ENABLED=1 $(CGO_ENABLED=1 go env CC) -x c -c -o /dev/null - 2>/dev/null
}

if ! compiles && debian; then
	echo "installing a C compiler for the race detector"
	install gcc libc6-dev || true
fi
compiles || {
	cat >&2 <<-'END'
		The tests run with Go's race detector, which needs a C compiler and the C library's headers:
		  Debian, Ubuntu   apt-get install gcc libc6-dev
		  Fedora           dnf install gcc glibc-devel
		  Alpine           apk add gcc musl-dev
		  macOS            xcode-select --install
	END
	exit 1
}

redis() { command -v redis-server || command -v valkey-server; } >/dev/null

if ! redis && debian; then
	echo "installing a Redis server, for rate limits that nodes share; its service is not started"
	install redis-server || true
	systemctl -q disable --now redis-server 2>/dev/null || true
fi
redis || {
	cat >&2 <<-'END'
		RATE LIMITS OF SEVERAL NODES WILL NOT BE TESTED. That needs a Redis or Valkey server:
		  Debian, Ubuntu   apt-get install redis-server
		  Fedora, Alpine   valkey
		  macOS            brew install redis
	END
	[ "${CI:-}" != true ]
}

proxy() { command -v nginx || [ -x /usr/sbin/nginx ]; } >/dev/null

if ! proxy && debian; then
	echo "installing nginx, behind which the server is tested; its service is not started"
	install nginx-light || true
	{ systemctl -q disable --now nginx || service nginx stop; } >/dev/null 2>&1 || true
fi
proxy || {
	cat >&2 <<-'END'
		A PATH IN BASE_URL WILL NOT BE TESTED BEHIND NGINX. That needs the package nginx, on Debian
		and Ubuntu nginx-light, and on macOS: brew install nginx
	END
	[ "${CI:-}" != true ]
}

has_caddy() { command -v caddy; } >/dev/null

if ! has_caddy && debian; then
	echo "installing Caddy, behind which the server is tested; its service is not started"
	install caddy || true
	systemctl -q disable --now caddy 2>/dev/null || true
fi
has_caddy || {
	echo "THE COMPOSE FILE WITH HTTPS WILL NOT BE TESTED. That needs the package caddy." >&2
	[ "${CI:-}" != true ]
}

has_curl() { command -v curl; } >/dev/null

if ! has_curl && debian; then
	echo "installing curl, with which the documents' commands run"
	install curl || true
fi
has_curl || {
	echo "THE DOCUMENTS' COMMANDS WILL NOT BE TESTED. That needs curl." >&2
	[ "${CI:-}" != true ]
}

small() {
	command -v zsh && command -v fish && command -v mandoc && command -v faketime
} >/dev/null

if ! small && debian; then
	echo "installing zsh and fish, which complete commands, mandoc, which reads the manual, and" \
		"faketime, which sets the clock of a database"
	install zsh fish mandoc faketime || true
fi
small || {
	echo "COMPLETION IN ZSH AND FISH, THE MANUAL PAGES AND WRONG CLOCKS WILL NOT BE TESTED." \
		"That needs zsh, fish, mandoc and faketime." >&2
	[ "${CI:-}" != true ]
}

# What tries a release: an emulator for its other architecture, and what checks its unit. Only Linux
# can try it.
emulator() { command -v qemu-aarch64-static || [ "$(uname -s)" != Linux ]; } >/dev/null
units() {
	[ "$(uname -s)" != Linux ] || { command -v systemd-analyze && command -v systemd-nspawn; }
} >/dev/null

rpms() {
	[ "$(uname -s)" != Linux ] ||
		{ command -v rpm && command -v dnf && command -v createrepo_c && command -v rpmlint; }
} >/dev/null

readers() { command -v ruby && command -v rubocop && command -v nix-instantiate; } >/dev/null

if [ "${1:-}" = --release ] && ! { emulator && units && rpms && readers; } && debian; then
	echo "installing an emulator for arm64, systemd-analyze, dnf with rpm, rubocop and Nix, with" \
		"which a release is tried"
	install qemu-user-static systemd systemd-container iproute2 adduser rpm dnf createrepo-c \
		rpmlint rubocop nix-bin || true
fi
[ "${1:-}" != --release ] || { emulator && units && rpms && readers; } || {
	cat >&2 <<-'END'
		NOT ALL OF A RELEASE WILL BE TESTED. That needs qemu-aarch64-static, systemd-analyze,
		systemd-nspawn, rpm, dnf, createrepo_c, rpmlint, rubocop and Nix:
		  Debian, Ubuntu   apt-get install qemu-user-static systemd-container rpm dnf createrepo-c \
		                   rpmlint rubocop nix-bin
		  Fedora           dnf install qemu-user-static systemd-container createrepo_c rpmlint \
		                   rubygem-rubocop nix
	END
	[ "${CI:-}" != true ]
}

monitoring() { command -v prometheus && command -v promtool; } >/dev/null

if [ "${1:-}" = --release ] && ! monitoring && debian; then
	echo "installing Prometheus, which reads the alerts; its service is not started"
	install prometheus || true
	{ systemctl -q disable --now prometheus || service prometheus stop; } >/dev/null 2>&1 || true
fi
[ "${1:-}" != --release ] || monitoring || {
	echo "THE ALERTS AND THE DASHBOARD WILL NOT BE TESTED. That needs the package prometheus." >&2
	[ "${CI:-}" != true ]
}

node20() {
	command -v npm >/dev/null &&
		node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null
}
# Not named like the program, because `command -v` would find the function.
has_chromium() {
	[ -n "${CHROMIUM:-}" ] || command -v chromium-headless-shell || command -v chromium ||
		command -v chromium-browser || command -v google-chrome ||
		[ -x "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" ]
} >/dev/null
has_firefox() {
	[ -n "${FIREFOX:-}" ] || command -v firefox-esr || command -v firefox ||
		[ -x /Applications/Firefox.app/Contents/MacOS/firefox ]
} >/dev/null

if debian; then
	# In a Chromium with windows, tests take half as much CPU again.
	[ -n "${CHROMIUM:-}" ] || command -v chromium-headless-shell >/dev/null || {
		echo "installing Chromium, in which the dashboard is tested"
		install chromium-headless-shell || has_chromium || install chromium || true
	}
	has_firefox || {
		echo "installing Firefox, in which it is tested, too"
		install firefox-esr || true
	}
	node20 || { echo "installing Node, which drives it" && install nodejs npm; } || true
fi
if debian && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
	echo "installing PostgreSQL, for the store of several nodes; its service is not started"
	# Debian's package would create a server that nobody needs.
	conf=/etc/postgresql-common/createcluster.conf
	mkdir -p "${conf%/*}" && { [ -e $conf ] || echo "create_main_cluster = false" >$conf; }
	install postgresql || true
fi

pooler() { command -v pgbouncer || [ -x /usr/sbin/pgbouncer ]; } >/dev/null
if ! pooler && debian; then
	echo "installing PgBouncer, through which nodes reach the database; its service is not started"
	install pgbouncer || true
	{ systemctl -q disable --now pgbouncer || service pgbouncer stop; } >/dev/null 2>&1 || true
fi
pooler || {
	cat >&2 <<-'END'
		NODES BEHIND A CONNECTION POOLER WILL NOT BE TESTED. That needs PgBouncer:
		  Debian, Ubuntu, Fedora, Alpine   the package pgbouncer
		  macOS                            brew install pgbouncer
	END
	[ "${CI:-}" != true ]
}

fonts() {
	for name in Inter "JetBrains Mono" "Noto Color Emoji"; do
		fc-list 2>/dev/null | grep -q "$name" || return 1
	done
}
if [ "${1:-}" = --fonts ] && ! fonts; then
	! debian || {
		echo "installing fonts for the pictures"
		install fontconfig fonts-inter fonts-jetbrains-mono fonts-noto-color-emoji || true
	}
	fonts || echo "The pictures want the fonts Inter, JetBrains Mono and Noto Color Emoji." >&2
fi
web=internal/web
provider=internal/tests/oidctest/provider
# npm records in node_modules what it installed; run it again if the lock file is newer.
packages() {
	node20 && [ ! "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || return 0
	echo "installing $2 from npm"
	npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null &&
		touch "$1/node_modules/.package-lock.json" || true
}
packages $web "Prettier and what drives the browsers"
packages $provider "an OpenID provider, with which signing in is tested"
packages internal/webhooks/testdata/reference "what verifies signatures of webhooks"
packages site "the search of the documentation site"
[ -e $provider/node_modules/oidc-provider ] || {
	echo "SIGNING IN WILL NOT BE TESTED WITH A CERTIFIED PROVIDER. That needs Node with npm." >&2
	[ "${CI:-}" != true ]
}
missing=
has_chromium || missing=CHROMIUM
has_firefox || missing="${missing:+$missing AND }FIREFOX"
node20 && [ -e "$web/node_modules/playwright-core" ] || missing="ANY BROWSER"
[ -n "$missing" ] || exit 0
echo "THE DASHBOARD WILL NOT BE TESTED IN $missing." >&2
cat >&2 <<'END'
That needs Node 20 or newer with npm, the npm registry, Chromium and Firefox 153 or newer (or their
paths in CHROMIUM and FIREFOX):
  Debian 13, Ubuntu 26.04   apt-get install nodejs npm chromium-headless-shell firefox-esr
  elsewhere                 https://nodejs.org, Chromium or Google Chrome,
                            https://www.mozilla.org/firefox
END
[ "${CI:-}" != true ]
