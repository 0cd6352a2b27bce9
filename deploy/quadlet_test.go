package deploy

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/containers/podman/v5/pkg/systemd/parser"
)

// Podman's own generator turns the files into units. They start the server as Compose does, with
// what is set and with what the file says that one can set.
func TestQuadlet(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string]string{
		"as it is":                 `$^`,
		"with all that can be set": `(?m)^#((?:Environment|Secret)=)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"terse.container", "terse.volume"} {
				content := regexp.MustCompile(lines).ReplaceAll(read(t, "quadlet/"+name),
					[]byte("$1"))
				if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			flags, name := podmanRun(t, dir)
			startsLikeCompose(t, flags)
			a := app{image: name, environ: map[string]string{}, port: 8080}
			_, a.data, _ = strings.Cut(flags["-v"][0], ":")
			// The image has no shell, which would run what is no list.
			if err := strictJSON([]byte(flags["--health-cmd"][0]), &a.health); err != nil {
				t.Fatal(err)
			}
			a.health = append([]string{"CMD"}, a.health...)
			for _, set := range flags["--env"] {
				name, value, _ := strings.Cut(set, "=")
				a.environ[name] = value
			}
			for _, set := range flags["--secret"] {
				_, name, _ := strings.Cut(set, ",type=env,target=")
				a.environ[name] = secret
			}
			if n := len(a.environ); lines == `$^` && n != 0 || lines != `$^` && n != 3 {
				t.Errorf("it sets %v", a.environ)
			}
			a.works(t, image(t))
		})
	}
}

// podmanRun returns how the unit that is made of the files in a folder runs Podman: its flags, and
// the image.
func podmanRun(t *testing.T, dir string) (flags map[string][]string, image string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "tool", "quadlet", "-dryrun", "-user")
	cmd.Env = append(os.Environ(), "QUADLET_UNIT_DIRS="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("quadlet: %v\n%s", err, &stderr)
	}
	units := t.TempDir()
	for _, unit := range strings.Split(string(out), "---terse")[1:] {
		name, content, _ := strings.Cut(unit, "---\n")
		content = strings.ReplaceAll(content, "/usr/bin/podman", "/bin/true")
		path := filepath.Join(units, "terse"+name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(units, "terse.service")
	if _, err := exec.LookPath("systemd-analyze"); err == nil {
		verify := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--user",
			"--man=no", path)
		verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+units)
		if said, err := verify.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("systemd-analyze: %v\n%s", err, said)
		}
	} else {
		t.Log("the units are not checked, without systemd-analyze")
	}
	unit, err := parser.ParseUnitFile(path)
	if err != nil {
		t.Fatal(err)
	}
	args, _, err := unit.LookupLastArgs("Service", "ExecStart")
	if err != nil || len(args) < 3 || args[1] != "run" {
		t.Fatalf("the unit starts %q: %v", args, err)
	}
	flags = map[string][]string{}
	last := len(args) - 1
	for i := 2; i < last; i++ {
		name, value, ok := strings.Cut(args[i], "=")
		if !ok && i+1 < last && !strings.HasPrefix(args[i+1], "-") {
			i++
			value = args[i]
		}
		flags[name] = append(flags[name], value)
	}
	return flags, args[last]
}

// startsLikeCompose fails unless Podman's flags say what compose.yaml says.
func startsLikeCompose(t *testing.T, flags map[string][]string) {
	t.Helper()
	s := load(t, nil, []string{"BASE_URL", "AUTH_TOKEN", "BACKUP_DIR", "NETWORK"},
		file("compose.yaml")).Services["terse"]
	port, limit := s.Ports[0], s.Ulimits["nofile"].Single
	for name, want := range map[string]string{
		"--read-only":    "",
		"--cap-drop":     strings.ToLower(s.CapDrop[0]),
		"--security-opt": strings.TrimSuffix(s.SecurityOpt[0], ":true"),
		"--ulimit":       fmt.Sprintf("nofile=%d:%d", limit, limit),
		"--publish":      fmt.Sprintf("%s:%s:%d", port.HostIP, port.Published, port.Target),
		"--stop-timeout": fmt.Sprint(time.Duration(*s.StopGracePeriod).Seconds()),

		"--health-interval":         short(s.HealthCheck.Interval),
		"--health-timeout":          short(s.HealthCheck.Timeout),
		"--health-start-period":     short(s.HealthCheck.StartPeriod),
		"--health-startup-interval": short(s.HealthCheck.StartInterval),
		"--health-startup-cmd":      flags["--health-cmd"][0],

		// beyond it: no folder of Podman's own can be written, and the unit waits for the server
		"--read-only-tmpfs": "false",
		"--sdnotify":        "healthy",
	} {
		if got := flags[name]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// short writes a duration as files do.
func short(d *types.Duration) string {
	return fmt.Sprintf("%gs", time.Duration(*d).Seconds())
}
