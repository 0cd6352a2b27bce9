package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v4"

	"terse/internal/cli"
	"terse/internal/httpapi"
	"terse/internal/tests/tersetest"
)

// deployDir has the files of which these tests say that they fit the binary: that what they set are
// settings, and that ports, paths and times agree. What else was tested with them:
// docs/releasing.md.
const deployDir = "../../deploy"

// secrets are what the files leave to the operator.
var secrets = map[string]string{
	"AUTH_TOKENS":  "one,two",
	"DATABASE_URL": "postgres://terse:secret@postgres:5432/terse?sslmode=disable",
	"REDIS_URL":    "redis://:secret@valkey:6379/0",
}

// deployment is how one of the files starts the server.
type deployment struct {
	environ []string
	mounts  []string      // the folders that can be written
	start   time.Duration // from the start until it must be ready, 0 for no bound
	stop    time.Duration // from SIGTERM to SIGKILL
}

func TestDeployments(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]deployment{
		"compose.yaml":                   composeService(t, "compose.yaml", "terse"),
		"compose.https.yaml":             composeService(t, "compose.https.yaml", "terse"),
		"compose.scale-out.yaml terse-1": composeService(t, "compose.scale-out.yaml", "terse-1"),
		"compose.scale-out.yaml terse-2": composeService(t, "compose.scale-out.yaml", "terse-2"),
		"compose.scale-out.yaml terse-3": composeService(t, "compose.scale-out.yaml", "terse-3"),
		"kubernetes":                     kubernetesNode(t),
		"quadlet":                        quadletService(t, `^Environment=(.*)$`),
		"quadlet with all settings":      quadletService(t, `^#?Environment=(.*)$`),
		"systemd":                        systemdService(t, `^([A-Z].*=.+)$`),
		"systemd with all of terse.env":  systemdService(t, `^#?([A-Z].*=.+)$`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := parseServe(t, d.environ)
			if s.listen != ":8080" && s.listen != "127.0.0.1:8080" {
				t.Errorf("listens on %s", s.listen)
			}
			// One leaves it to the operator. With the others the dashboard shows the address by
			// which it was opened.
			if s.baseURL == "" && name != "systemd" && name != "compose.yaml" && name != "quadlet" {
				t.Error("no BASE_URL: short URLs would begin with http://localhost")
			}
			// Whoever else had an address in there could forge all others.
			for _, proxy := range s.trustedProxies {
				if !proxy.IsSingleIP() {
					t.Errorf("TRUSTED_PROXIES has %s, which is more than one proxy", proxy)
				}
			}
			// where the operator alone knows the proxy
			if len(s.trustedProxies) == 0 && name != "kubernetes" &&
				!strings.HasPrefix(name, "quadlet") {
				t.Error("no TRUSTED_PROXIES: all visitors would look like one")
			}
			if d.start != 0 && d.start <= s.startTimeout {
				t.Errorf("is killed %s after its start, with START_TIMEOUT %s", d.start,
					s.startTimeout)
			}
			if !slices.Contains(d.mounts, s.dataDir) {
				t.Errorf("DATA_DIR is %s, which is none of %q", s.dataDir, d.mounts)
			}
			if d.stop < s.shutdownTimeout+5*time.Second {
				t.Errorf("is killed after %s, with SHUTDOWN_TIMEOUT %s", d.stop, s.shutdownTimeout)
			}
		})
	}
}

// What NixOS and Homebrew set for a service of theirs are settings, with valid values.
func TestDeployServices(t *testing.T) {
	t.Parallel()
	plain := strings.NewReplacer(" = ", "=", "lib.mkDefault ", "", `"`, "", "'", "")
	for file, expression := range map[string]string{
		"nix/module.nix":           `^ +([A-Z_]+ = .*);$`,
		"../release/terse.rb.tmpl": `^ +#?([A-Z_]+='.*')$`,
	} {
		var environ []string
		for _, set := range matches(deployFile(t, file), expression) {
			environ = append(environ, plain.Replace(set))
		}
		s := parseServe(t, environ)
		if len(environ) != 3 || s.listen != "127.0.0.1:8080" || len(s.trustedProxies) != 1 ||
			s.baseURL != "https://go.example.com" {
			t.Errorf("%s sets %q", file, environ)
		}
	}
}

// parseServe returns the settings that the server would have, and fails for a variable that is
// none.
func parseServe(t *testing.T, environ []string) settings {
	t.Helper()
	environ = slices.Clone(environ)
	dir := t.TempDir()
	for i, entry := range environ {
		name, _, _ := strings.Cut(entry, "=")
		if secret, isFile := strings.CutSuffix(name, "_FILE"); isFile {
			path := filepath.Join(dir, secret)
			if err := os.WriteFile(path, []byte(secrets[secret]+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			environ[i] = name + "=" + path
		}
	}
	var line commandLine
	parser := kong.Must(&line, kong.Writers(io.Discard, io.Discard), kong.Vars(cli.Variables()),
		kong.Resolvers(environment(variables(environ))))
	known := map[string]bool{}
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			name := variableOf(flag.Value)
			known[name] = known[name] || command.Name == "serve"
			known[name+"_FILE"] = known[name+"_FILE"] || command.Name == "serve" &&
				flag.Tag.Has("secret")
		}
	}
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); !known[name] {
			t.Errorf("%s is no setting", name)
		}
	}
	if _, err := parser.Parse([]string{"serve"}); err != nil {
		t.Fatal(err)
	}
	s, err := line.Serve.parse()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func deployFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(deployDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// matches returns what the first group of an expression matches, each time.
func matches(text, expression string) (found []string) {
	for _, m := range regexp.MustCompile(`(?m)`+expression).FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}

var (
	withDefault    = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`)
	withoutDefault = regexp.MustCompile(`\$\{\w+(:\?)?\}`)
)

// composeService reads a service; what the image sets holds for it, too. A variable without a
// default has a value from the operator.
func composeService(t *testing.T, file, service string) deployment {
	t.Helper()
	var project struct {
		Services map[string]struct {
			Environment map[string]string
			Volumes     []string
			StopGrace   time.Duration `yaml:"stop_grace_period"`
			ReadOnly    bool          `yaml:"read_only"`
			CapDrop     []string      `yaml:"cap_drop"`
		}
	}
	if err := yaml.Unmarshal([]byte(deployFile(t, file)), &project); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	s, ok := project.Services[service]
	if !ok || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) {
		t.Errorf("%s: service %s (there: %v) is not confined", file, service, ok)
	}
	d := deployment{environ: imageEnviron(t), stop: s.StopGrace}
	for name, value := range s.Environment {
		value = withDefault.ReplaceAllString(value, "$1")
		d.environ = append(d.environ, name+"="+withoutDefault.ReplaceAllString(value, "secret"))
	}
	for _, volume := range s.Volumes {
		_, folder, _ := strings.Cut(volume, ":")
		d.mounts = append(d.mounts, folder)
	}
	return d
}

func imageEnviron(t *testing.T) []string {
	t.Helper()
	content, err := os.ReadFile("../../release/image.json")
	if err != nil {
		t.Fatal(err)
	}
	var image struct{ Env []string }
	if err := json.Unmarshal(content, &image); err != nil || len(image.Env) == 0 {
		t.Fatalf("the image sets nothing: %v", err)
	}
	return image.Env
}

// kubernetesNode reads the stateful set with what the list of all manifests adds to it.
func kubernetesNode(t *testing.T) deployment {
	t.Helper()
	var list struct {
		Resources []string
		Images    []struct {
			NewTag string `yaml:"newTag"`
		}
		ConfigMaps []struct{ Literals []string } `yaml:"configMapGenerator"`
	}
	var set struct {
		Spec struct {
			Template struct {
				Spec struct {
					Grace      int `yaml:"terminationGracePeriodSeconds"`
					Containers []struct {
						Env     []struct{ Name, Value string }
						Startup struct {
							Period   int `yaml:"periodSeconds"`
							Failures int `yaml:"failureThreshold"`
						} `yaml:"startupProbe"`
						Lifecycle struct {
							PreStop struct{ Sleep struct{ Seconds int } } `yaml:"preStop"`
						}
						Mounts []struct {
							Path     string `yaml:"mountPath"`
							ReadOnly bool   `yaml:"readOnly"`
						} `yaml:"volumeMounts"`
					}
				}
			}
		}
	}
	for file, into := range map[string]any{
		"kubernetes/kustomization.yaml": &list,
		"kubernetes/statefulset.yaml":   &set,
	} {
		if err := yaml.Unmarshal([]byte(deployFile(t, file)), into); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	for _, file := range list.Resources {
		deployFile(t, "kubernetes/"+file)
	}
	pod := set.Spec.Template.Spec
	if len(pod.Containers) != 1 || len(list.ConfigMaps) != 1 || len(list.Images) != 1 {
		t.Fatal("kubernetes: want one container, one map of settings, one image")
	}
	if tags := matches(deployFile(t, "compose.yaml"), `image: \S+:(\S+)$`); !slices.Equal(tags,
		[]string{list.Images[0].NewTag}) {
		t.Errorf("kubernetes: the image's tag is %s, Compose's %q", list.Images[0].NewTag, tags)
	}
	node := pod.Containers[0]
	d := deployment{environ: append(imageEnviron(t), list.ConfigMaps[0].Literals...)}
	d.start = time.Duration(node.Startup.Period*node.Startup.Failures) * time.Second
	if d.start == 0 {
		t.Error("kubernetes: no startup probe")
	}
	for _, e := range node.Env {
		d.environ = append(d.environ, e.Name+"="+e.Value)
	}
	for _, mount := range node.Mounts {
		if !mount.ReadOnly {
			d.mounts = append(d.mounts, mount.Path)
		}
	}
	d.stop = time.Duration(pod.Grace-node.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	return d
}

// quadletService reads the container of Podman, and of its settings the lines that match.
func quadletService(t *testing.T, lines string) deployment {
	t.Helper()
	unit := deployFile(t, "quadlet/terse.container")
	d := deployment{environ: append(imageEnviron(t), matches(unit, lines)...)}
	d.mounts = matches(unit, `^Volume=terse\.volume:(.*)$`)
	for _, stop := range matches(unit, `^StopTimeout=(.*)$`) {
		var err error
		if d.stop, err = time.ParseDuration(stop + "s"); err != nil {
			t.Error(err)
		}
	}
	return d
}

// systemdService reads the unit, and of its settings the lines that match.
func systemdService(t *testing.T, lines string) deployment {
	t.Helper()
	unit := strings.ReplaceAll(deployFile(t, "systemd/terse.service"), "%S", "/var/lib")
	d := deployment{environ: append(matches(unit, `^Environment=(.*)$`),
		matches(deployFile(t, "systemd/terse.env"), lines)...)}
	for _, folder := range matches(unit, `^StateDirectory=(.*)$`) {
		d.mounts = append(d.mounts, "/var/lib/"+folder)
	}
	for _, stop := range matches(unit, `^TimeoutStopSec=(.*)$`) {
		var err error
		if d.stop, err = time.ParseDuration(stop); err != nil {
			t.Error(err)
		}
	}
	return d
}

// A process that panics, has no memory or fails otherwise is started again by systemd, however
// often that happens. One with wrong settings is not.
func TestSystemdRestarts(t *testing.T) {
	t.Parallel()
	unit := deployFile(t, "systemd/terse.service")
	value := func(name string) string {
		return strings.Join(matches(unit, `^`+name+`=(.*)$`), " ")
	}
	never := strings.Fields(value("RestartPreventExitStatus"))
	if value("Restart") != "on-failure" || value("StartLimitIntervalSec") != "0" ||
		value("SuccessExitStatus") != "" || !slices.Equal(never, []string{"78"}) {
		t.Errorf("the unit's rules for restarts are others:\n%s", unit)
	}
	path := tersetest.Binary(t)
	for _, wrong := range []string{
		"SERVER_PORT=http", "AUTH_TOKENS=,", "AUTH_TOKENS=a b", "REDIS_URL_FILE=/nowhere",
		"GEOIP_DATABASE=/nowhere",
	} {
		cmd := exec.CommandContext(t.Context(), path, "serve")
		cmd.Env = []string{"DATA_DIR=" + t.TempDir(), wrong}
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); strconv.Itoa(code) != never[0] {
			t.Errorf("%s: exit code %d: %s", wrong, code, out)
		}
	}
	// SIGABRT ends it as a panic does: with the traces of all goroutines, and with 2.
	i := startProcess(t, t.TempDir())
	if err := i.cmd.Process.Signal(syscall.SIGABRT); err != nil {
		t.Fatal(err)
	}
	<-i.done
	if i.code != 2 || slices.Contains(never, strconv.Itoa(i.code)) {
		t.Errorf("a process that dies ends with %d, upon which it stays down", i.code)
	}
}

// TestDeployPorts looks at everything that names the server's port or a path to be asked.
func TestDeployPorts(t *testing.T) {
	t.Parallel()
	for file, expression := range map[string]string{
		"compose.yaml":     `^ +- "127\.0\.0\.1:\d+:(\d+)"`,
		"nginx/terse.conf": `^\t#?server \S+:(\d+) `,
		"caddy/Caddyfile":  `\{\$UPSTREAMS:\S+:(\d+)\}`,

		"../release/image.json":       `"(\d+)/tcp"`,
		"compose.scale-out.yaml":      `terse-\d:(\d+)`,
		"kubernetes/statefulset.yaml": `containerPort: (\d+)`,

		"helm/terse/templates/statefulset.yaml": `containerPort: (\d+)`,
	} {
		ports := matches(deployFile(t, file), expression)
		if len(ports) == 0 || slices.ContainsFunc(ports,
			func(port string) bool { return port != "8080" }) {
			t.Errorf("%s leads to the ports %q", file, ports)
		}
	}
	var paths []string
	for _, route := range httpapi.Routes() {
		paths = append(paths, route.Pattern)
	}
	for file, expression := range map[string]string{
		"nginx/terse.conf": `^\tlocation = (\S+) \{`,
		"caddy/Caddyfile":  `^\trespond (\S+) 404`,

		"kubernetes/statefulset.yaml": `httpGet: \{path: (\S+),`,

		"helm/terse/templates/statefulset.yaml": `httpGet: \{path: (\S+),`,
	} {
		asked := matches(deployFile(t, file), expression)
		if len(asked) == 0 || slices.ContainsFunc(asked,
			func(path string) bool { return !slices.Contains(paths, path) }) {
			t.Errorf("%s names the paths %q", file, asked)
		}
	}
}

// TestDeployNginx: the file works where there is no IPv6, and with each version of nginx.
func TestDeployNginx(t *testing.T) {
	t.Parallel()
	conf := deployFile(t, "nginx/terse.conf")
	if active := matches(conf, `^(\s*(?:listen \[::\]|listen .*http2|http2 ).*)$`); len(
		active) > 0 {
		t.Errorf("nginx's file has the lines %q", active)
	}
	if n := len(matches(conf, `^\t#(listen \[::\]|http2 on)`)); n != 3 {
		t.Errorf("nginx's file has %d lines to switch on, want 3", n)
	}
}

// TestDeployImages: a version that somebody else chooses later is not what was tried.
func TestDeployImages(t *testing.T) {
	t.Parallel()
	pinned := regexp.MustCompile(`^\S+:\d+\.\d+(\.\d+)?$`)
	for _, file := range []string{
		"compose.yaml", "compose.https.yaml", "compose.scale-out.yaml", "quadlet/terse.container",
	} {
		images := matches(deployFile(t, file), `^ *(?:image: |Image=)(\S+)`)
		if len(images) == 0 || slices.ContainsFunc(images,
			func(image string) bool { return !pinned.MatchString(image) }) {
			t.Errorf("%s has the images %q", file, images)
		}
	}
}

// TestReleaseGo: releases are built with a version of Go that the module wants, and that anyone who
// builds them again can know.
func TestReleaseGo(t *testing.T) {
	t.Parallel()
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := matches(string(module), `^go (\d+\.\d+)`)
	for _, file := range []string{"build.yml", "release.yml"} {
		workflow := deployFile(t, "../.github/workflows/"+file)
		have := matches(workflow, `go-version: "(\d+\.\d+)\.\d+"$`)
		if have = slices.Compact(have); !slices.Equal(have, want) {
			t.Errorf("%s has Go %q, the module wants %q", file, have, want)
		}
	}
}

// TestDeployVolumes: two nodes on one journal are refused at the start, so that the file would not
// work.
func TestDeployVolumes(t *testing.T) {
	t.Parallel()
	volumes := matches(deployFile(t, "compose.scale-out.yaml"), `volumes: \["(\S+):/data"\]`)
	slices.Sort(volumes)
	if len(volumes) != 3 || len(slices.Compact(volumes)) != 3 {
		t.Errorf("three nodes have the volumes %q", volumes)
	}
}

// TestDeployChart: the chart takes all settings that fit into it, and no other. How it is rendered
// is tested in deploy/helm.
func TestDeployChart(t *testing.T) {
	t.Parallel()
	// What the pod needs as it is, or does not need: a proxy in front terminates TLS.
	own := regexp.MustCompile(`^((SERVER_)?PORT|LISTEN_HOST|DATA_DIR|(START|SHUTDOWN)_TIMEOUT|` +
		`(TLS|ACME|HSTS)_.*)$`)
	type value struct {
		Enum []any
		Ref  string `json:"$ref"`
	}
	var schema struct {
		Properties struct {
			Settings, SecretSettings struct {
				Properties map[string]value
			}
		}
	}
	if err := json.Unmarshal([]byte(deployFile(t, "helm/terse/values.schema.json")),
		&schema); err != nil {
		t.Fatal(err)
	}
	var settings, secretSettings []string
	var line commandLine
	for _, command := range kong.Must(&line, kong.Vars(cli.Variables())).Model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			switch name := variableOf(flag.Value); {
			case name == "" || own.MatchString(name) || name == "AUTH_TOKEN": // beside AUTH_TOKENS
			case flag.Tag.Has("secret"):
				secretSettings = append(secretSettings, name)
			default:
				settings = append(settings, name)
				// The chart knows the words that a setting may be. YAML reads off as false.
				words := strings.Split(flag.Tag.Get("complete"), ",")
				taken := schema.Properties.Settings.Properties[name]
				enum := slices.DeleteFunc(taken.Enum, func(word any) bool { return word == false })
				switch {
				case len(words) == 1: // any text, or a file
				case slices.Equal(words, []string{"true", "false"}):
					if taken.Ref != "#/definitions/boolean" {
						t.Errorf("the chart does not take %s as a boolean", name)
					}
				case fmt.Sprint(enum) != fmt.Sprint(words):
					t.Errorf("the chart takes %v as %s, want %v", enum, name, words)
				}
			}
		}
	}
	for what, names := range map[string]struct {
		known []string
		taken map[string]value
	}{
		"settings":       {settings, schema.Properties.Settings.Properties},
		"secretSettings": {secretSettings, schema.Properties.SecretSettings.Properties},
	} {
		taken := slices.Sorted(maps.Keys(names.taken))
		slices.Sort(names.known)
		if len(taken) == 0 || !slices.Equal(taken, names.known) {
			t.Errorf("the chart takes as %s\n%q, the server\n%q", what, taken, names.known)
		}
	}
}

// TestDeployChartVersion: the chart has the version of terse.
func TestDeployChartVersion(t *testing.T) {
	t.Parallel()
	want := matches(deployFile(t, "compose.yaml"), `image: \S+:(\S+)$`)
	for _, field := range []string{"version", "appVersion"} {
		if have := matches(deployFile(t, "helm/terse/Chart.yaml"),
			`^`+field+`: "?([^"\n]+)"?$`); !slices.Equal(have, want) {
			t.Errorf("the chart's %s is %q, want %q", field, have, want)
		}
	}
}

// TestDeployAlerts: the list of what to alert on is the one of the rules.
func TestDeployAlerts(t *testing.T) {
	t.Parallel()
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal([]byte(deployFile(t, "helm/terse/files/alerts.yaml")),
		&rules); err != nil {
		t.Fatal(err)
	}
	listed := matches(deployFile(t, "README.md"), `^\| `+"`(Terse\\w+)`"+` \| `)
	var alerts []string
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			alerts = append(alerts, rule.Alert)
		}
	}
	if len(alerts) == 0 || !slices.Equal(alerts, listed) {
		t.Errorf("the rules are\n%q, the list has\n%q", alerts, listed)
	}
}
