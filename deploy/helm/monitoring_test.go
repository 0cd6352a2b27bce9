package helm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	query "github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"sigs.k8s.io/yaml"

	"terse/api"
	"terse/internal/tests/certtest"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/redistest"
)

const alertsFile = "terse/files/alerts.yaml"

// rule is one of the alerts.
type rule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func rules(t *testing.T) (all []rule) {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []rule }
	}
	must(t, yaml.Unmarshal([]byte(read(t, alertsFile)), &file))
	for _, group := range file.Groups {
		all = append(all, group.Rules...)
	}
	return all
}

// queries returns what the dashboard asks for, by the titles of its panels.
func queries(t *testing.T) map[string][]string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title, Type string
			Targets     []struct{ Expr string }
		}
	}
	must(t, json.Unmarshal([]byte(read(t, "terse/files/dashboard.json")), &dashboard))
	found := map[string][]string{}
	for _, panel := range dashboard.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("%s asks for nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			found[panel.Title] = append(found[panel.Title], target.Expr)
		}
	}
	return found
}

func TestAlertsHaveWords(t *testing.T) {
	t.Parallel()
	for _, rule := range rules(t) {
		severity := rule.Labels["severity"]
		if severity != "critical" && severity != "warning" || rule.Annotations["summary"] == "" ||
			rule.Annotations["description"] == "" {
			t.Errorf("%s: %+v", rule.Alert, rule)
		}
	}
}

// TestDashboard: Grafana knows each field of the dashboard, of its panels and of its queries.
func TestDashboard(t *testing.T) {
	t.Parallel()
	runtime := cog.NewRuntime()
	runtime.RegisterPanelcfgVariant(timeseries.VariantConfig())
	runtime.RegisterPanelcfgVariant(stat.VariantConfig())
	runtime.RegisterDataqueryVariant(query.VariantConfig())
	text := []byte(read(t, "terse/files/dashboard.json"))
	// Where there is no error it returns an empty list of them, and no dashboard.
	//nolint:staticcheck // Grafana 11 does not know the newer schema
	err := new(dashboard.Dashboard).UnmarshalJSONStrict(text)
	if wrong, ok := errors.AsType[cog.BuildErrors](err); !ok || len(wrong) > 0 {
		t.Fatal(err)
	}
	var board dashboard.Dashboard //nolint:staticcheck // as above
	must(t, json.Unmarshal(text, &board), board.Validate())
	ids, rows := map[uint32]bool{}, 0
	for _, panel := range board.Panels {
		if panel.RowPanel != nil {
			rows++
			ids[panel.RowPanel.Id] = true
			continue
		}
		ids[*panel.Panel.Id] = true
		place := panel.Panel.GridPos
		if place == nil || place.X+place.W > 24 {
			t.Errorf("%s is at %+v", *panel.Panel.Title, place)
		}
	}
	if rows == 0 || len(ids) != len(board.Panels) {
		t.Errorf("%d panels have %d IDs; %d are rows", len(board.Panels), len(ids), rows)
	}
}

// alertTests are figures with which each alert fires, and such with which it does not, in the way
// that Prometheus writes series for its tests: a value for each minute.
var alertTests = []struct {
	alert, metrics string // the metrics of a series stand before its figures
	fires          []string
	fine           []string
	after          string            // until when it has not fired yet; "" if it fires at once
	at             string            // when it has fired
	value          string            // as its words have it
	labels         map[string]string // beside that of the node
}{
	{
		"TerseDown", `up{job="terse"}`, []string{"0x9"}, []string{"1x9"}, "0m", "1m", "", job,
	},
	{"TerseNotReady", "terse_ready", []string{"0x9"}, []string{"1x9"}, "0m", "1m", "", nil},
	{
		"TerseClicksNotCounted", "terse_ingest_failing",
		[]string{"1x9"},
		[]string{"0 1 0 1 0"},
		"0m", "1m", "", nil,
	},
	{
		"TerseClicksCountedLate", "terse_ingest_lag_seconds terse_journal_backlog_bytes",
		[]string{"90x9", "4096x9"},
		[]string{"90x9", "0x9"},
		"0m", "1m", "1m 30s", nil,
	},
	{
		"TerseClicksLost", "terse_clicks_lost_total",
		[]string{"0 0 3x9"},
		[]string{"3x9"},
		"1m",
		"3m", "", nil,
	},
	{
		"TerseJournalSyncFails", "terse_journal_sync_errors_total",
		[]string{"0 0 1x9"},
		[]string{"1x9"},
		"1m", "3m", "", nil,
	},
	{
		"TerseBackupMissing",
		"terse_backup_last_success_timestamp_seconds terse_backup_interval_seconds",
		[]string{"-7201x30", "3600x30"},
		[]string{"-3600x30", "3600x30"},
		"14m", "15m", "", nil,
	},
	{ // of 90 days 10 are left, or 30
		"TerseCertificateNotRenewed",
		"terse_tls_not_before_timestamp_seconds terse_tls_not_after_timestamp_seconds",
		[]string{"-6912000x30", "864000x30"},
		[]string{"-5184000x30", "2592000x30"},
		"9m", "10m",
		"9d 23h 50m 0s",
		map[string]string{"domain": "s.example"},
	},
	{
		"TerseWebhookWaits", "terse_webhook_oldest_seconds",
		[]string{"4000x9"},
		[]string{"3600x9"},
		"4m", "5m", "1h 6m 40s", nil,
	},
	{
		"TerseRateLimitsApart", "terse_ratelimit_shared",
		[]string{"0x9"},
		[]string{"1x9"},
		"0m",
		"1m", "", nil,
	},
}

var job = map[string]string{"job": "terse"}

// TestAlerts has promtool check the rules, and whether each fires when it should.
func TestAlerts(t *testing.T) {
	t.Parallel()
	promtool := program(t, "promtool")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput(); err !=
			nil {
			t.Errorf("promtool %q: %v\n%s", args, err, out)
		}
	}
	run("check", "rules", "--lint-fatal", alertsFile)
	byName := map[string]rule{}
	for _, rule := range rules(t) {
		byName[rule.Alert] = rule
	}
	alerts, err := filepath.Abs(alertsFile)
	must(t, err)
	file := map[string]any{"rule_files": []string{alerts}, "evaluation_interval": "1m"}
	var cases []any
	add := func(alert, metrics string, figures []string, labels map[string]string,
		want map[string][]any,
	) {
		var series, checks []map[string]any
		for i, metric := range strings.Fields(metrics) {
			name, _, _ := strings.Cut(metric, "{")
			all := maps.Clone(labels)
			delete(all, "severity")
			var pairs []string
			for label, value := range all {
				pairs = append(pairs, fmt.Sprintf("%s=%q", label, value))
			}
			series = append(series, map[string]any{
				"series": name + "{" + strings.Join(pairs, ",") + "}", "values": figures[i],
			})
		}
		for at, alerts := range want {
			checks = append(checks, map[string]any{
				"eval_time": at, "alertname": alert, "exp_alerts": alerts,
			})
		}
		cases = append(cases, map[string]any{
			"interval": "1m", "input_series": series, "alert_rule_test": checks,
		})
	}
	for _, test := range alertTests {
		rule, ok := byName[test.alert]
		delete(byName, test.alert)
		if !ok {
			t.Errorf("there is no alert %s", test.alert)
			continue
		}
		labels := map[string]string{"instance": "a:8080", "severity": rule.Labels["severity"]}
		maps.Copy(labels, test.labels)
		words := map[string]string{}
		for name, text := range rule.Annotations {
			words[name] = strings.NewReplacer("{{ $labels.instance }}", "a:8080",
				"{{ $labels.domain }}", "s.example", "{{ $value | humanizeDuration }}",
				test.value).Replace(text)
		}
		want := map[string][]any{
			test.at: {map[string]any{"exp_labels": labels, "exp_annotations": words}},
		}
		if test.after != "" {
			want[test.after] = nil
		}
		add(test.alert, test.metrics, test.fires, labels, want)
		add(test.alert, test.metrics, test.fine, labels, map[string][]any{
			test.at: nil, "9m": nil, "25m": nil,
		})
	}
	for alert := range byName {
		t.Errorf("it is not tested when %s fires", alert)
	}
	file["tests"] = cases
	text, err := yaml.Marshal(file)
	must(t, err)
	run("test", "rules", write(t, "alerts_test.yaml", string(text)))
}

// prometheus is a running server of Prometheus.
type prometheus struct{ url string }

// startPrometheus scrapes servers each second, those behind the first without a token. The rules
// fire without a wait.
func startPrometheus(t *testing.T, servers ...*process) prometheus {
	t.Helper()
	path := program(t, "prometheus")
	dir := t.TempDir()
	hasty := regexp.MustCompile(`(?m)^        for: .*$`).ReplaceAllString(read(t, alertsFile),
		"        for: 1s")
	var scraped []any
	for i, server := range servers {
		config := map[string]any{
			"job_name": server.address,
			"static_configs": []any{map[string]any{
				"targets": []string{server.address}, "labels": job,
			}},
		}
		if i == 0 {
			config["authorization"] = map[string]any{"credentials": token}
		}
		scraped = append(scraped, config)
	}
	config, err := yaml.Marshal(map[string]any{
		"global": map[string]any{
			"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s",
		},
		"rule_files": []string{"alerts.yaml"}, "scrape_configs": scraped,
	})
	must(t, err, os.WriteFile(filepath.Join(dir, "alerts.yaml"), []byte(hasty), 0o600),
		os.WriteFile(filepath.Join(dir, "prometheus.yml"), config, 0o600))
	p := prometheus{"http://" + freeAddress(t)}
	told := startBeside(t, path, "--config.file="+filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+strings.TrimPrefix(p.url, "http://"))
	await(t, "Prometheus to be ready", func() bool {
		status, _, err := get(t, http.DefaultClient, p.url+"/-/ready", "")
		if strings.Contains(told.String(), "level=error") {
			t.Fatal(told)
		}
		return err == nil && status == http.StatusOK
	})
	return p
}

// ask returns what Prometheus answers to a request for its API.
func (p prometheus) ask(t *testing.T, path string, values url.Values, into any) {
	t.Helper()
	_, body, err := get(t, http.DefaultClient, p.url+"/api/v1/"+path+"?"+values.Encode(), "")
	must(t, err)
	answer := struct {
		Status, Error string
		Data          any
	}{Data: into}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Status != "success" {
		t.Fatalf("%s %v: %s (%v)", path, values, body, err)
	}
}

// series returns how many series a query has as its answer, with numbers in them.
func (p prometheus) series(t *testing.T, query string) (numbers int) {
	t.Helper()
	var answer struct {
		Result []struct{ Value [2]any }
	}
	p.ask(t, "query", url.Values{"query": {query}}, &answer)
	for _, series := range answer.Result {
		if series.Value[1] != "NaN" {
			numbers++
		}
	}
	return numbers
}

// firing returns the alerts that fire, each as its name and the address.
func (p prometheus) firing(t *testing.T) (firing []string) {
	t.Helper()
	var answer struct {
		Alerts []struct {
			State  string
			Labels map[string]string
		}
	}
	p.ask(t, "alerts", nil, &answer)
	for _, alert := range answer.Alerts {
		if alert.State == "firing" {
			firing = append(firing, alert.Labels["alertname"]+" "+alert.Labels["instance"])
		}
	}
	slices.Sort(firing)
	return firing
}

// fires waits until exactly these alerts fire.
func (p prometheus) fires(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	var firing []string
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("firing: %q, want %q", firing, want)
		}
	})
	await(t, fmt.Sprintf("the alerts %q, and no others", want), func() bool {
		firing = p.firing(t)
		return slices.Equal(firing, want)
	})
	t.Logf("firing: %q", firing)
}

// TestMonitoring has Prometheus scrape servers that have every metric. Each that the alerts and the
// dashboard name is there, and each of the dashboard's queries has an answer. Then parts fail, and
// the alerts fire.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	program(t, "prometheus") // before anything starts
	database, redis := pgtest.Start(t), redistest.Start(t)
	dir := t.TempDir()
	pair := certtest.New(t, 60*24*time.Hour, "s.example")
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	must(t, os.WriteFile(cert, pair.Cert, 0o600), os.WriteFile(key, pair.Key, 0o600))
	tlsAddress, orderAddress := freeAddress(t), freeAddress(t)
	_, tlsPort, _ := net.SplitHostPort(tlsAddress)
	_, orderPort, _ := net.SplitHostPort(orderAddress)
	secure := start(t, []string{"serve"}, map[string]string{
		"AUTH_TOKENS": token, "DATA_DIR": filepath.Join(dir, "secure"), "TLS_PORT": tlsPort,
		"BASE_URL": "https://s.example", "TLS_CERT_FILE": cert, "TLS_KEY_FILE": key,
		"BACKUP_DIR": filepath.Join(dir, "backups"),
	})
	// There is no authority, so that its orders fail.
	ordering := start(t, []string{"serve"}, map[string]string{
		"AUTH_TOKENS": token, "DATA_DIR": filepath.Join(dir, "ordering"), "TLS_PORT": orderPort,
		"TLS_DOMAINS": "o.example", "ACME_DIRECTORY": "https://" + freeAddress(t) + "/directory",
	})
	node := start(t, []string{"serve"}, map[string]string{
		"AUTH_TOKENS": token, "DATA_DIR": filepath.Join(dir, "node"),
		"DATABASE_URL": database.URL("postgres"), "REDIS_URL": redis.URL(),
		"METRICS_AUTH_ENABLED": "true", "REDIRECT_RATE_LIMIT_PER_MINUTE": "1000000",
		"API_RATE_LIMIT_PER_MINUTE": "1000000",
	})
	servers := []*process{node, secure, ordering}
	for _, server := range servers {
		server.ready(t)
	}
	stop := load(t, node)
	defer stop()
	conn, err := net.Dial("tcp", tlsAddress)
	must(t, err)
	_, err = conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")) // a handshake that fails
	must(t, err, conn.Close())

	p := startPrometheus(t, servers...)
	wantMetrics(t, servers)
	p.answersDashboard(t, len(servers))

	p.fires(t)
	redis.Kill()
	p.fires(t, "TerseRateLimitsApart "+node.address)
	redis.Start()
	p.fires(t)
	must(t, database.Stop())
	p.fires(t, "TerseNotReady "+node.address, "TerseClicksNotCounted "+node.address)
	must(t, database.Start())
	p.fires(t)
	late := certtest.New(t, 10*24*time.Hour, "s.example")
	must(t, os.WriteFile(cert, late.Cert, 0o600), os.WriteFile(key, late.Key, 0o600))
	p.fires(t, "TerseCertificateNotRenewed "+secure.address)
	ordering.kill()
	p.fires(t, "TerseCertificateNotRenewed "+secure.address, "TerseDown "+ordering.address)
}

// wantMetrics fails for a metric that alerts or dashboard name, and that no server has. The first
// server wants a token.
func wantMetrics(t *testing.T, servers []*process) {
	t.Helper()
	exposed := map[string]bool{}
	for i, server := range servers {
		status, body, err := get(t, http.DefaultClient, "http://"+server.address+"/metrics",
			[]string{token, "", ""}[i])
		if must(t, err); status != http.StatusOK {
			t.Fatalf("/metrics: %d %s", status, body)
		}
		for _, sample := range regexp.MustCompile(`(?m)^[a-z_]+`).FindAllString(body, -1) {
			exposed[sample] = true
		}
	}
	all := queries(t)
	for _, rule := range rules(t) {
		all[rule.Alert] = []string{rule.Expr}
	}
	n := 0
	for where, queries := range all {
		for _, query := range queries {
			for _, name := range regexp.MustCompile(`\b(?:terse|process|go)_[a-z_]+\b`).
				FindAllString(query, -1) {
				if n++; !exposed[name] {
					t.Errorf("%s: the servers have no %s", where, name)
				}
			}
		}
	}
	t.Logf("%d places name a metric", n)
}

// answersDashboard waits until each query of the dashboard has a series. Its variable has all nodes
// of the servers.
func (p prometheus) answersDashboard(t *testing.T, nodes int) {
	t.Helper()
	n := 0
	for title, queries := range queries(t) {
		for _, query := range queries {
			query = strings.NewReplacer("$__rate_interval", "10s", "$__range", "1h", "$node", ".*",
				"$job", ".*").Replace(query)
			await(t, title+" to have a series: "+query,
				func() bool { return p.series(t, query) > 0 })
			n++
		}
	}
	t.Logf("%d queries have an answer", n)
	var known []string
	p.ask(t, "label/instance/values", url.Values{"match[]": {`terse_build_info{job=~".*"}`}},
		&known)
	if len(known) != nodes {
		t.Errorf("the dashboard has the nodes %q", known)
	}
}

// load has a server redirect, create and refuse all the time, until the returned function is
// called.
func load(t *testing.T, server *process) (stop func()) {
	t.Helper()
	base := "http://" + server.address
	client := api.New(base, token)
	link, err := client.Create(t.Context(), api.CreateRequest{OriginalURL: "https://example.com/"})
	must(t, err)
	visitor := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			for _, path := range []string{"/" + link.ShortCode, "/unknown", "/api/urls"} {
				_, _, _ = get(t, visitor, base+path, token)
			}
			_, _ = client.Create(t.Context(), api.CreateRequest{OriginalURL: "https://b.example/"})
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() { close(ended); <-done }
}
