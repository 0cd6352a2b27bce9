// Package helm tests the chart: that Helm renders it, that Kubernetes takes what it renders, that
// the server runs with it, and that its alerts and its dashboard ask for what there is.
package helm

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// helmPath is the program, which go builds once.
var helmPath = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-n", "helm").CombinedOutput()
	return strings.TrimSpace(string(out)), err
})

// helm runs the program, and returns what it prints.
func helm(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	path, err := helmPath()
	if err != nil {
		t.Fatalf("go tool helm: %v\n%s", err, path)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	// Nothing that this machine's user has set up.
	cmd.Env = append(os.Environ(), "HELM_CONFIG_HOME="+t.TempDir(), "HELM_CACHE_HOME="+t.TempDir(),
		"HELM_DATA_HOME="+t.TempDir(), "KUBECONFIG=/dev/null")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		return stderr.String(), err
	}
	return string(b), nil
}

// installations are files of values, "" for none.
func installations(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{
		"as it is":           "",
		"SQLite":             "testdata/sqlite.yaml",
		"PostgreSQL":         "testdata/postgresql.yaml",
		"README.md":          fromReadme(t, "ingress:"),
		"README.md, several": fromReadme(t, "ingress:", "replicas:"),
		"README.md, all":     fromReadme(t, "ingress:", "replicas:", "serviceMonitor:"),
	}
}

// fromReadme returns a file with the values that the chart's README.md shows, from the examples
// with texts.
func fromReadme(t *testing.T, texts ...string) string {
	t.Helper()
	readme := read(t, "terse/README.md")
	var values []string
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readme,
		-1) {
		if slices.ContainsFunc(texts,
			func(text string) bool { return strings.Contains(block[1], text) }) {
			values = append(values, block[1])
		}
	}
	if len(values) != len(texts) {
		t.Fatalf("README.md has %d examples with %q", len(values), texts)
	}
	return write(t, "values.yaml", strings.Join(values, ""))
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// write writes a file, and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// render returns what the chart is with a file of values, "" for none, and values of the command
// line, as a release called terse.
func render(t *testing.T, file string, set ...string) string {
	t.Helper()
	args := []string{"template", "terse", "terse", "--namespace", "terse"}
	if file != "" {
		args = append(args, "--values", file)
	}
	for _, value := range set {
		args = append(args, "--set", value)
	}
	out, err := helm(t, args...)
	if err != nil {
		t.Fatalf("helm template: %v\n%s", err, out)
	}
	return out
}

// object is one of Kubernetes' objects.
type object map[string]any

// objects returns the objects in a text by their kinds and names, such as "Service terse".
func objects(t *testing.T, text string) map[string]object {
	t.Helper()
	found := map[string]object{}
	for _, document := range regexp.MustCompile(`(?m)^---$`).Split(text, -1) {
		var o object
		if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if o == nil {
			continue
		}
		var known struct {
			Kind     string
			Metadata struct{ Name string }
		}
		o.into(t, &known)
		found[known.Kind+" "+known.Metadata.Name] = o
	}
	return found
}

// into copies an object into a value.
func (o object) into(t *testing.T, value any) {
	t.Helper()
	b, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(b, value)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestLint(t *testing.T) {
	t.Parallel()
	for name, file := range installations(t) {
		args := []string{"lint", "--strict", "terse"}
		if file != "" {
			args = append(args, "--values", file)
		}
		if out, err := helm(t, args...); err != nil || strings.Contains(out, "[WARNING]") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestRendered names what each installation consists of.
func TestRendered(t *testing.T) {
	t.Parallel()
	always := []string{
		"ConfigMap terse", "PodDisruptionBudget terse", "Service terse", "Service terse-nodes",
		"StatefulSet terse",
	}
	for file, more := range map[string][]string{
		"":                     nil,
		"testdata/sqlite.yaml": {"Ingress terse"},
		"testdata/postgresql.yaml": {
			"ConfigMap terse-dashboard", "Ingress terse", "NetworkPolicy terse",
			"PrometheusRule terse", "Secret terse", "ServiceMonitor terse",
		},
	} {
		want := append(slices.Clone(always), more...)
		slices.Sort(want)
		got := slices.Sorted(maps.Keys(objects(t, render(t, file))))
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", file, got, want)
		}
	}
}

// TestRefused: what is misspelt, and what can't work, is refused before anything is installed. The
// message names it, and says what to do where a schema could not.
func TestRefused(t *testing.T) {
	t.Parallel()
	const (
		both = "secretSettings.AUTH_TOKENS=one,secretSettings.DATABASE_URL=postgres://db/terse"
		mine = "existingSecret.name=mine,existingSecret.settings="

		several = "Several nodes need DATABASE_URL and AUTH_TOKENS, in secretSettings or " +
			"existingSecret.settings: "
		unwritable = ", where the server can't write: it has to be below /data, as " +
			"/data/backups, or below a path in volumeMounts."
		ofSQLite = "settings.BACKUP_DIR is for SQLite: leave it out, and back PostgreSQL up with " +
			"its own tools."
		noHost = ": it must be a host in lower case without scheme, port, path and wildcard, " +
			"such as go.example.com."
		noToken = "serviceMonitor needs a token for Prometheus: name a Secret with a viewer's in " +
			"serviceMonitor.tokenSecret."
	)
	for set, want := range map[string]string{
		"replica=3":                           "'replica' not allowed",
		"image.tags=1":                        "'tags' not allowed",
		"settings.BASE_ULR=https://a.example": "'BASE_ULR' not allowed",
		"secretSettings.AUTH_TOKEN=one":       "'AUTH_TOKEN' not allowed",
		"ingress.enable=true":                 "'enable' not allowed",
		"serviceMonitor.intervall=1m":         "'intervall' not allowed",
		"replicas=-1":                         "/replicas",
		"replicas=three":                      "/replicas",
		"replicas=null":                       "missing property 'replicas'",
		"secretSettings=null":                 "missing property 'secretSettings'",
		"ingress=null":                        "missing property 'ingress'",
		"service.type=Loadbalancer":           "/service/type",
		"storage.size=20":                     "/storage/size",
		"storage.size=20GB":                   "/storage/size",
		"ingress.path=go":                     "/ingress/path",
		"volumes[0].name=data":                "/volumes/0/name",
		"secretSettings.DATABASE_URL=":        "/secretSettings/DATABASE_URL",
		"settings.BASE_URL=go.example.com":    "/settings/BASE_URL",
		"settings.BACKUP_KEEP=many":           "/settings/BACKUP_KEEP",
		"settings.TRACKING=partial":           "/settings/TRACKING",
		"settings.LOG_LEVEL=verbose":          "/settings/LOG_LEVEL",
		"settings.IGNORE_CASE=off":            "/settings/IGNORE_CASE",
		"settings.OIDC_NAME=true":             "/settings/OIDC_NAME': got boolean, want string",
		"settings.OIDC_CLIENT_ID=83":          "/settings/OIDC_CLIENT_ID': got number, want string",

		// what YAML makes of off
		"settings.TRACKING=false": `settings.TRACKING is false, and YAML reads off as false: ` +
			`put it into quotation marks, as "off".`,
		"settings.CLICK_RETENTION=false": `settings.CLICK_RETENTION is false, and YAML reads off ` +
			`as false: put it into quotation marks, as "off".`,

		// what is elsewhere
		"settings.DATABASE_URL=postgres://x": "settings.DATABASE_URL is a secret: put " +
			"DATABASE_URL into secretSettings or existingSecret.",
		"settings.REDIS_URL_FILE=/redis": "settings.REDIS_URL_FILE is a secret: put REDIS_URL " +
			"into secretSettings or existingSecret.",
		"settings.AUTH_TOKEN=one": "settings.AUTH_TOKEN is a secret: put AUTH_TOKENS into " +
			"secretSettings or existingSecret.",
		"settings.SERVER_PORT=80": "settings.SERVER_PORT can't be set: the chart decides it.",
		"settings.TLS_DOMAINS=a.example": "settings.TLS_DOMAINS can't be set: HTTPS is up to the " +
			"ingress.",

		// several nodes on SQLite, or each with a token of its own
		"replicas=3": several + "DATABASE_URL is missing.",
		"replicas=2,secretSettings.AUTH_TOKENS=one":        several + "DATABASE_URL is missing.",
		"replicas=2,secretSettings.DATABASE_URL=postgres:": several + "AUTH_TOKENS is missing.",
		"replicas=2," + mine + "{AUTH_TOKENS}":             several + "DATABASE_URL is missing.",

		// which settings does it have, which Secret has them, and which of two Secrets?
		"existingSecret.name=mine": "existingSecret.settings is empty: list the settings that " +
			"the Secret has, such as [AUTH_TOKENS, DATABASE_URL].",
		"existingSecret.settings={AUTH_TOKENS}": "existingSecret.name is empty: name the Secret " +
			"that has existingSecret.settings.",
		mine + "{AUTH_TOKENS}," + both: "secretSettings and existingSecret.name are both set: " +
			"use one of them.",
		mine + "{BASE_URL}": "/existingSecret/settings/0",

		both + ",settings.BACKUP_DIR=/data/backups":               ofSQLite,
		mine + "{DATABASE_URL},settings.BACKUP_DIR=/data/backups": ofSQLite,

		"settings.BACKUP_DIR=/backups":  "settings.BACKUP_DIR is /backups" + unwritable,
		"settings.BACKUP_DIR=/database": "settings.BACKUP_DIR is /database" + unwritable,

		"ingress.enabled=true": "ingress.hosts is empty: name the host of short URLs, such as " +
			"go.example.com.",
		"ingress.hosts={https://a.example}": "ingress.hosts has https://a.example" + noHost,
		"ingress.hosts={a.example:8443}":    "ingress.hosts has a.example:8443" + noHost,
		"ingress.hosts={a.example,B.de}":    "ingress.hosts has B.de" + noHost,
		"ingress.hosts={*.example}":         "ingress.hosts has *.example" + noHost,

		"serviceMonitor.enabled=true":                       noToken,
		mine + "{DATABASE_URL},serviceMonitor.enabled=true": noToken,
		`secretSettings.AUTH_TOKENS=a\,b,serviceMonitor.enabled=true`: "Prometheus can send one " +
			"token, and secretSettings.AUTH_TOKENS has several: name a Secret with a viewer's in " +
			"serviceMonitor.tokenSecret.",

		"networkPolicy.enabled=true": "networkPolicy.from is empty: say who may reach the nodes, " +
			"such as the ingress controller's namespace.",
		"networkPolicy.from[0].namespace=a": "/networkPolicy/from/0",
	} {
		out, err := helm(t, "template", "terse", "terse", "--set", set)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v, want %q in\n%s", set, err, want, out)
		}
	}
	for _, set := range []string{
		"replicas=0",
		both + ",replicas=3",
		"replicas=3," + mine + "{AUTH_TOKENS,DATABASE_URL}",
		"secretSettings.AUTH_TOKENS=one,serviceMonitor.enabled=true",
		mine + "{AUTH_TOKENS},serviceMonitor.enabled=true",
		"serviceMonitor.tokenSecret.name=prometheus,serviceMonitor.enabled=true",
		"settings.METRICS_AUTH_ENABLED=false,serviceMonitor.enabled=true",
		"settings.BACKUP_DIR=/data/backups",
		"settings.BACKUP_DIR=/backups,volumeMounts[0].name=a,volumeMounts[0].mountPath=/backups",
		"settings.TRACKING=off,settings.CLICK_RETENTION=off",
		"settings.IGNORE_CASE=true,settings.AUDIT_RETENTION=0,settings.CACHE_SIZE=1073741824",
		"global.name=value", // what Helm hands to charts in charts
	} {
		if out, err := helm(t, "template", "terse", "terse", "--set", set); err != nil {
			t.Errorf("%s: %v\n%s", set, err, out)
		}
	}
}

// TestSettings looks at what becomes the server's environment.
func TestSettings(t *testing.T) {
	t.Parallel()
	const all = "testdata/postgresql.yaml"
	for _, test := range []struct {
		file string
		set  []string
		want map[string]string
	}{
		{"", nil, map[string]string{"METRICS_AUTH_ENABLED": "true", "START_TIMEOUT": "4m"}},
		{"", []string{"settings=null"}, map[string]string{"METRICS_AUTH_ENABLED": "true"}},
		{
			"",
			[]string{"settings.METRICS_AUTH_ENABLED=false"},
			map[string]string{"METRICS_AUTH_ENABLED": "false"},
		},
		{"testdata/sqlite.yaml", nil, map[string]string{
			"BASE_URL": "https://go.example.com", "BACKUP_KEEP": "3", "LOG_STACK_TRACES": "false",
		}},
		{
			"testdata/sqlite.yaml",
			[]string{"ingress.tlsSecret=", "ingress.path=/a/b"},
			map[string]string{"BASE_URL": "http://go.example.com/a/b"},
		},
		{
			"testdata/sqlite.yaml",
			[]string{"settings.BASE_URL=https://b.example"},
			map[string]string{"BASE_URL": "https://b.example"},
		},
		{all, nil, map[string]string{
			"BASE_URL": "https://example.com/go", "DOMAINS": "s.example.com",
			"API_RATE_LIMIT_PER_MINUTE": "1000000", "OIDC_ALLOWED_EMAILS": "@example.com",
		}},
		{all, []string{"settings.DOMAINS=t.example"}, map[string]string{"DOMAINS": "t.example"}},
	} {
		var settings struct{ Data map[string]string }
		objects(t, render(t, test.file, test.set...))["ConfigMap terse"].into(t, &settings)
		for name, want := range test.want {
			if got := settings.Data[name]; got != want {
				t.Errorf("%s %q: %s is %q, want %q", test.file, test.set, name, got, want)
			}
		}
	}
	var secret struct {
		StringData map[string]string
	}
	objects(t, render(t, all))["Secret terse"].into(t, &secret)
	if got := secret.StringData["oidc_client_secret"]; got !=
		`it's a "secret", with $signs and \backslashes` {
		t.Errorf("a secret has become %s", got)
	}
}

// TestService: a service that is open to the outside keeps clients' addresses.
func TestService(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"ClusterIP": "", "NodePort": "Local", "LoadBalancer": "Local",
	} {
		var service core.Service
		objects(t, render(t, "", "service.type="+kind))["Service terse"].into(t, &service)
		if got := string(service.Spec.ExternalTrafficPolicy); got != want {
			t.Errorf("%s has the traffic policy %q, want %q", kind, got, want)
		}
	}
}

// TestNetworkPolicy: it is about the nodes, and lets in who is named.
func TestNetworkPolicy(t *testing.T) {
	t.Parallel()
	all := objects(t, render(t, "testdata/postgresql.yaml"))
	var policy networking.NetworkPolicy
	var nodes apps.StatefulSet
	all["NetworkPolicy terse"].into(t, &policy)
	all["StatefulSet terse"].into(t, &nodes)
	pod := nodes.Spec.Template
	of := policy.Spec.PodSelector.MatchLabels
	labels := maps.Clone(pod.Labels)
	if maps.Copy(labels, of); len(of) == 0 || !maps.Equal(labels, pod.Labels) {
		t.Errorf("it is about %v, the nodes are %v", of, pod.Labels)
	}
	if len(policy.Spec.Ingress) != 1 || len(policy.Spec.Ingress[0].From) != 2 ||
		len(policy.Spec.Ingress[0].Ports) != 1 {
		t.Fatalf("it lets in %+v", policy.Spec.Ingress)
	}
	port := policy.Spec.Ingress[0].Ports[0].Port.String()
	if have := pod.Spec.Containers[0].Ports[0].Name; port != have {
		t.Errorf("it is about the port %s, the nodes' is %s", port, have)
	}
}

// TestReadmeCommands renders what the commands of the documents install.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	path, err := helmPath()
	if err != nil {
		t.Fatal(err)
	}
	chart, err := filepath.Abs("terse")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(
		`(?m)^helm (install|upgrade) terse oci://\S+/charts/terse --version (\S+) (?:.*\\\n)*.*$`)
	if !strings.Contains(read(t, "../../docs/install.md"), read(t, fromReadme(t, "ingress:"))) {
		t.Error("docs/install.md has other values than the chart's README")
	}
	installs, upgrades := 0, 0
	for _, document := range []string{"../../docs/install.md", "terse/README.md"} {
		for _, found := range commands.FindAllStringSubmatch(read(t, document), -1) {
			command, version := found[0], found[2]
			if found[1] == "install" {
				installs++
				if !strings.Contains(read(t, "terse/Chart.yaml"), "\nversion: "+version+"\n") {
					t.Errorf("%s installs version %s", document, version)
				}
			} else {
				upgrades++
			}
			script := regexp.MustCompile(`^helm \S+ terse \S+ --version \S+`).
				ReplaceAllString(command, path+" template terse "+chart)
			script = strings.ReplaceAll(script, "--create-namespace", "")
			for _, values := range []string{
				fromReadme(t, "ingress:"), fromReadme(t, "ingress:", "replicas:"),
			} {
				run := exec.CommandContext(t.Context(), "sh", "-c", script)
				run.Dir = filepath.Dir(values)
				out, err := run.CombinedOutput()
				if err != nil {
					t.Errorf("%s: %v\n%s\n%s", document, err, command, out)
					continue
				}
				all := objects(t, string(out))
				if all["Ingress terse"] == nil || all["StatefulSet terse"] == nil ||
					all["NetworkPolicy terse"] == nil {
					t.Errorf("%s: this installs %v\n%s", document, slices.Sorted(maps.Keys(all)),
						command)
				}
			}
		}
	}
	if installs != 3 || upgrades != 2 {
		t.Errorf("the documents have %d commands to install, %d to upgrade", installs, upgrades)
	}
}

// TestRestarts: a change of settings or secrets restarts the pods, and nothing else does.
func TestRestarts(t *testing.T) {
	t.Parallel()
	pod := func(set ...string) any {
		var statefulSet struct {
			Spec struct{ Template any }
		}
		objects(t, render(t, "testdata/postgresql.yaml", set...))["StatefulSet terse"].
			into(t, &statefulSet)
		return statefulSet.Spec.Template
	}
	before := pod()
	for set, restarts := range map[string]bool{
		"settings.ROBOTS=noindex":          true,
		"ingress.hosts={other.example}":    true, // which is BASE_URL
		"secretSettings.AUTH_TOKENS=other": true,
		"replicas=5":                       false,
		"service.type=ClusterIP":           false,
		"dashboard.enabled=false":          false,
	} {
		if restarted := !cmp.Equal(before, pod(set)); restarted != restarts {
			t.Errorf("%s restarts the pods: %v", set, restarted)
		}
	}
}

// TestNames: two releases in a namespace have nothing in common.
func TestNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	long := strings.Repeat("long-", 10) + "end" // no release may have a longer name
	for _, release := range []string{"terse", "links", "terse-2", long} {
		out, err := helm(t, "template", release, "terse", "--values", "testdata/postgresql.yaml")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for name := range objects(t, out) {
			if seen[name] {
				t.Errorf("%s is twice", name)
			}
			seen[name] = true
			// A label of the pods has the stateful set's name and a hash. It has 63 characters at
			// most, as a service's name has.
			kind, short, _ := strings.Cut(name, " ")
			if kind == "StatefulSet" && len(short) > 63-len("-0123456789") || len(short) > 63 {
				t.Errorf("%s is too long", name)
			}
		}
	}
}

// TestNotes: what Helm says after an installation.
func TestNotes(t *testing.T) {
	t.Parallel()
	const (
		own    = "kubectl exec -n links terse-0 -- /terse token\n"
		secret = "kubectl get secret -n links terse -o jsonpath='{.data.auth_tokens}' |\n" +
			"    base64 -d"
		mine = "kubectl get secret -n links mine -o jsonpath='{.data.auth_tokens}'"

		forward  = "kubectl port-forward -n links service/terse 8080:80\n"
		service  = "kubectl get service -n links terse\n"
		address  = "Set settings.BASE_URL to the public address"
		noHTTPS  = "Short URLs begin with http://."
		proxies  = "settings.TRUSTED_PROXIES is empty"
		allData  = "They hold\nall data."
		someData = "They hold\nclicks that may not be counted yet."
	)
	all := []string{
		own, secret, mine, forward, service, address, noHTTPS, proxies, allData, someData,
	}
	for _, test := range []struct {
		file, set string
		want      []string
	}{
		{"", "", []string{own, forward, address, allData}},
		{"", "service.type=NodePort", []string{own, service, address, allData}},
		{"", "settings.BASE_URL=https://a.example", []string{own, forward, allData}},
		{
			"testdata/sqlite.yaml", "",
			[]string{"Sign in at https://go.example.com/\n", own, allData},
		},
		{
			"testdata/sqlite.yaml", "ingress.tlsSecret=,settings.TRUSTED_PROXIES=",
			[]string{"Sign in at http://go.example.com/\n", own, noHTTPS, proxies, allData},
		},
		{
			"testdata/sqlite.yaml", "ingress.tlsSecret=,settings.BASE_URL=https://a.example",
			[]string{"Sign in at https://a.example/\n", own, allData},
		},
		{
			"testdata/postgresql.yaml", "",
			[]string{"Sign in at https://example.com/go/\n", secret, someData},
		},
		{
			"", "existingSecret.name=mine,existingSecret.settings={AUTH_TOKENS}",
			[]string{mine, forward, address, allData},
		},
	} {
		args := []string{
			"install", "terse", "terse", "--namespace", "links", "--dry-run=client", "--set",
			test.set,
		}
		if test.file != "" {
			args = append(args, "--values", test.file)
		}
		out, err := helm(t, args...)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, notes, _ := strings.Cut(out, "NOTES:")
		for _, text := range append(slices.Clone(test.want), all...) {
			if want := slices.Contains(test.want, text); strings.Contains(notes, text) != want {
				t.Errorf("%q %q: the notes have %q: %v\n%s", test.file, test.set, text, !want,
					notes)
			}
		}
		if !strings.Contains(notes, "\nterse is starting.") {
			t.Errorf("%q %q: the notes say\n%s", test.file, test.set, notes)
		}
	}
}

// TestSameAsManifests: the manifests for kustomize and the chart are the same, but for labels and
// what Helm's values need.
func TestSameAsManifests(t *testing.T) {
	t.Parallel()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).
		Run(filesys.MakeFsOnDisk(), "../kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	text, err := made.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	want := objects(t, string(text))
	delete(want, "Namespace terse") // helm install --create-namespace
	got := objects(t, render(t, write(t, "values.yaml", `
replicas: 3
existingSecret:
  name: terse
  settings: [AUTH_TOKENS, DATABASE_URL, REDIS_URL]
ingress:
  enabled: true
  className: nginx
  hosts: [go.example.com]
  tlsSecret: terse-tls
`)))
	theirs, ours := map[string]any{}, map[string]any{}
	for name, o := range want {
		// kustomize puts the hash of what is in it behind its name
		if strings.HasPrefix(name, "ConfigMap terse-") {
			name = "ConfigMap terse"
		}
		theirs[name] = plain(map[string]any(o))
	}
	for name, o := range got {
		ours[name] = plain(map[string]any(o))
	}
	if diff := cmp.Diff(theirs, ours); diff != "" {
		t.Errorf("deploy/kubernetes (-) and the chart (+) differ:\n%s", diff)
	}
}

var hashed = regexp.MustCompile(`^terse-[a-z0-9]{10}$`)

// plain returns a value without what the chart and kustomize each add.
func plain(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, inner := range value {
			switch name {
			case "app.kubernetes.io/instance", "app.kubernetes.io/version", "helm.sh/chart",
				"app.kubernetes.io/managed-by", "app.kubernetes.io/part-of", "namespace",
				"checksum/settings", "checksum/secret":
				continue
			}
			inner = plain(inner)
			if m, ok := inner.(map[string]any); ok && len(m) == 0 {
				continue
			}
			kept[name] = inner
		}
		return kept
	case []any:
		for i := range value {
			value[i] = plain(value[i])
		}
		return value
	case string:
		if hashed.MatchString(value) {
			return "terse"
		}
	}
	return value
}
