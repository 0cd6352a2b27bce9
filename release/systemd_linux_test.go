package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestSystemd boots this Debian's systemd in a copy of its file system. There the packages install,
// upgrade and remove the service as on a machine, and it runs confined as the unit says.
func TestSystemd(t *testing.T) {
	t.Parallel()
	needs(t, "rpm", "dpkg", "systemd-nspawn")
	d := newDebian(t)
	rpm := fmt.Sprintf("terse-0.1.0-1.%s.rpm", machines[runtime.GOARCH])
	deb := fmt.Sprintf("terse_0.1.0_%s.deb", runtime.GOARCH)
	dir := t.TempDir()
	for name, content := range map[string]string{
		"80-test.preset": "disable *\n", // as on Fedora
		"test.service": `[Unit]
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
TimeoutStartSec=300
StandardOutput=append:/root/log
StandardError=append:/root/log
ExecStart=/bin/sh -exc "cd /root; . ./test.sh"
ExecStopPost=/bin/sh -c 'journalctl --unit=terse --no-pager'
`,
		"test.sh": fmt.Sprintf(`
answers() {
	until curl -sf http://127.0.0.1:8080/ready; do
		systemctl is-active terse
		sleep 0.1
	done
}
running() { systemctl show --property=MainPID --value terse; }

rpm --force-debian --nodeps --install %[1]s
[ "$(systemctl is-enabled terse)" = disabled ]
systemctl enable --now terse
answers
terse token --data-dir /var/lib/terse
first=$(running)
rpm --force-debian --nodeps --upgrade --force %[1]s
answers
[ "$(running)" != "$first" ]
rpm --force-debian --nodeps --erase terse
[ "$(systemctl is-active terse)" = inactive ]
[ -s /var/lib/terse/terse.db ]
rm /etc/systemd/system-preset/80-test.preset

dpkg --install %[2]s
answers
first=$(running)
dpkg --install %[2]s
answers
[ "$(running)" != "$first" ]
dpkg --remove terse
[ "$(systemctl is-active terse)" = inactive ]
`, rpm, deb),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.run(t, "sh", "-ec", fmt.Sprintf(`
		cd %[1]s
		mkdir -p etc/systemd/system-preset
		cp %[2]s/80-test.preset etc/systemd/system-preset
		cp %[2]s/test.service etc/systemd/system
		cp %[2]s/test.sh opt/dist/%[3]s opt/dist/%[4]s root
		rm -f usr/sbin/policy-rc.d # which images have, to start no services
		umount --recursive --lazy dev proc run tmp # it mounts its own`, d.root, dir, rpm, deb))
	boot := d.command(t, "systemd-nspawn", "--register=no", "--keep-unit", "--private-network",
		"--link-journal=no", "--console=pipe", "--directory="+d.root, "--boot",
		"systemd.unit=test.service")
	if out, err := boot.CombinedOutput(); err != nil {
		log, _ := d.command(t, "cat", d.root+"/root/log").CombinedOutput()
		t.Errorf("%v\n%s\n%s", err, out, log)
	}
}
