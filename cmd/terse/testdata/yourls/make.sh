#!/bin/sh
# Makes an installation of YOURLS and dumps it.
# usage: make.sh YOURLS PLUGIN FOLDER ZONE LINKS VISITS CLICKS
#   YOURLS   the source of YOURLS (github.com/YOURLS/YOURLS)
#   PLUGIN   plugin.php of github.com/acelaya/yourls-shlink-import-plugin
#   FOLDER   where everything goes; it must not be there
#   ZONE     the database server's time zone
#   LINKS    how many automatic links there are
#   VISITS   how many visits are made; CLICKS how many rows the log has in the end
# It needs PHP (php-cli php-mysql php-mbstring php-curl), MariaDB (mariadb-server) and curl. Both
# servers go on: FOLDER/pids has their processes, FOLDER/port the port of YOURLS.
set -eu
yourls=$1 plugin=$2 folder=$3 zone=$4 links=$5 visits=$6 clicks=$7
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$folder"
folder=$(cd "$folder" && pwd)
db=$folder/db socket=$folder/db.sock site=$folder/site

mariadb-install-db --no-defaults --auth-root-authentication-method=normal --datadir="$db" \
  --skip-test-db --user="$(id -un)" >"$folder/install.log" 2>&1
TZ=$zone mariadbd --no-defaults --user="$(id -un)" --datadir="$db" --socket="$socket" \
  --skip-networking --pid-file="$folder/db.pid" --innodb-flush-log-at-trx-commit=0 \
  --innodb-buffer-pool-size=64M >"$folder/db.log" 2>&1 &
echo $! >"$folder/pids"
for _ in $(seq 100); do
  mysqladmin --no-defaults -u root -S "$socket" ping >"$folder/ping.log" 2>&1 && break
  sleep 0.2
done
sql() { mysql --no-defaults -u root -S "$socket" "$@"; }
sql -e 'CREATE DATABASE yourls CHARACTER SET utf8mb4'

cp -R "$yourls" "$site"
mkdir -p "$site/user/plugins/shlink"
cp "$plugin" "$site/user/plugins/shlink/plugin.php"
# What lets keywords have capitals, dashes and slashes.
mkdir "$site/user/plugins/letters"
cat >"$site/user/plugins/letters/plugin.php" <<'END'
<?php
/* Plugin Name: Letters */
function letters() {
    yourls_add_filter('get_shorturl_charset', fn($c) => $c.'ABCDEFGHIJKLMNOPQRSTUVWXYZ-_/');
}
letters();
END
port=$(php -r '$s = stream_socket_server("tcp://127.0.0.1:0");
  echo substr(strrchr(stream_socket_get_name($s, false), ":"), 1);')
echo "$port" >"$folder/port"
cat >"$site/user/config.php" <<END
<?php
define('YOURLS_DB_USER', 'root');
define('YOURLS_DB_PASS', '');
define('YOURLS_DB_NAME', 'yourls');
define('YOURLS_DB_HOST', 'localhost');
define('YOURLS_DB_PREFIX', 'yourls_');
define('YOURLS_SITE', 'http://127.0.0.1:$port');
define('YOURLS_LANG', '');
define('YOURLS_UNIQUE_URLS', false);
define('YOURLS_PRIVATE', true);
define('YOURLS_NO_HASH_PASSWORD', true);
define('YOURLS_COOKIEKEY', 'no secret');
define('YOURLS_URL_CONVERT', 36);
define('YOURLS_DEBUG', false);
define('YOURLS_FLOOD_DELAY_SECONDS', 0);
define('YOURLS_NO_VERSION_CHECK', true);
\$yourls_user_passwords = ['anna' => 'no:secret'];
\$yourls_reserved_URL = [];
END
cat >"$folder/route.php" <<'END'
<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (is_file($_SERVER['DOCUMENT_ROOT'].$path)) { return false; }
require $_SERVER['DOCUMENT_ROOT'].'/yourls-loader.php';
END
PHP_CLI_SERVER_WORKERS=4 php -d pdo_mysql.default_socket="$socket" -d error_log="$folder/php.log" \
  -d error_reporting=0 -S "127.0.0.1:$port" -t "$site" "$folder/route.php" \
  >"$folder/site.log" 2>&1 &
echo $! >>"$folder/pids"
for _ in $(seq 100); do
  curl -so "$folder/curl.log" "http://127.0.0.1:$port/" && break
  sleep 0.2
done
curl -so "$folder/installed.html" "http://127.0.0.1:$port/admin/install.php?install=1"
sql yourls -e "UPDATE yourls_options SET option_value =
  'a:2:{i:0;s:17:\"shlink/plugin.php\";i:1;s:18:\"letters/plugin.php\";}'
  WHERE option_name = 'active_plugins'"

php -d pdo_mysql.default_socket="$socket" -d error_reporting=0 "$here/make.php" \
  "$site" "$links" "$clicks" "$visits" "$port"
sql yourls -Ne "SELECT COUNT(*), SUM(clicks) FROM yourls_url; SELECT COUNT(*) FROM yourls_log"
