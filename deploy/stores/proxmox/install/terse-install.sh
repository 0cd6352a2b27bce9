#!/usr/bin/env bash

# License: MIT | https://github.com/community-scripts/ProxmoxVE/raw/main/LICENSE
# Source: https://github.com/terse/terse

source /dev/stdin <<<"$FUNCTIONS_FILE_PATH"
color
verb_ip6
catch_errors
setting_up_container
network_check
update_os

# The package has the unit and its user, and makes a token.
fetch_and_deploy_gh_release "terse" "terse/terse" "binary"

msg_info "Configuring terse"
# The package's settings are for a proxy on the same machine. Here the network reaches the server,
# and whoever has one of these addresses may say for whom it asks.
sed -i '/^\(LISTEN_HOST\|TRUSTED_PROXIES\)=/d' /etc/terse/terse.env
cat <<EOF >>/etc/terse/terse.env
LISTEN_HOST=0.0.0.0
TRUSTED_PROXIES=10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
METRICS_AUTH_ENABLED=true
EOF
(
  umask 077
  echo "Access token of terse: $(terse token --data-dir /var/lib/terse)" >>~/terse.creds
)
systemctl enable -q terse
systemctl restart terse
msg_ok "Configured terse"

motd_ssh
customize
cleanup_lxc
