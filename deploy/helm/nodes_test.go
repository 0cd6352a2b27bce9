package helm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"

	"terse/api"
	"terse/internal/tests/certtest"
	"terse/internal/tests/pgtest"
	"terse/internal/tests/tersetest"
)

// pods starts what a stateful set says, as Kubernetes does, in processes of this machine.
type pods struct {
	set       apps.StatefulSet
	container core.Container
	args      []string
	environ   map[string]string
	volumes   []string // a folder for each node, as its successors get it
	running   []*process
}

// newPods reads the objects that the chart has become.
func newPods(t *testing.T, all map[string]object) *pods {
	t.Helper()
	p := &pods{environ: map[string]string{}}
	all["StatefulSet terse"].into(t, &p.set)
	pod := p.set.Spec.Template.Spec
	if len(pod.Containers) != 1 || len(pod.InitContainers) > 0 {
		t.Fatalf("want one container, not %+v", pod)
	}
	p.container = pod.Containers[0]

	var image struct{ Env, Entrypoint, Cmd []string }
	must(t, json.Unmarshal([]byte(read(t, "../../release/image.json")), &image))
	if len(p.container.Command)+len(p.container.Args) > 0 || image.Entrypoint[0] != "/terse" {
		t.Fatalf("another program is started: %q %q", p.container.Command, image.Entrypoint)
	}
	p.args = append(image.Entrypoint[1:], image.Cmd...)
	for _, entry := range image.Env {
		name, value, _ := strings.Cut(entry, "=")
		p.environ[name] = value
	}
	for _, from := range p.container.EnvFrom {
		var settings core.ConfigMap
		all["ConfigMap "+from.ConfigMapRef.Name].into(t, &settings)
		maps.Copy(p.environ, settings.Data)
	}
	for _, e := range p.container.Env {
		p.environ[e.Name] = e.Value
	}
	for _, mount := range p.container.VolumeMounts {
		if mount.Name != "data" {
			p.mount(mount.MountPath, secretFolder(t, all, pod, mount))
		}
	}
	for range *p.set.Spec.Replicas {
		p.volumes = append(p.volumes, t.TempDir())
	}
	p.running = make([]*process, len(p.volumes))
	return p
}

// secretFolder returns a folder with the files of a Secret that is mounted.
func secretFolder(
	t *testing.T, all map[string]object, pod core.PodSpec, mount core.VolumeMount,
) string {
	t.Helper()
	for _, volume := range pod.Volumes {
		if volume.Name != mount.Name || volume.Secret == nil {
			continue
		}
		var secret core.Secret
		all["Secret "+volume.Secret.SecretName].into(t, &secret)
		folder := t.TempDir()
		for name, content := range secret.StringData {
			must(t, os.WriteFile(filepath.Join(folder, name), []byte(content),
				os.FileMode(*volume.Secret.DefaultMode)))
		}
		return folder
	}
	t.Fatalf("%s is no Secret", mount.Name)
	return ""
}

// mount has variables name a folder of this machine in place of one of the container.
func (p *pods) mount(path, folder string) { p.environ = mounted(p.environ, path, folder) }

func mounted(environ map[string]string, path, folder string) map[string]string {
	changed := map[string]string{}
	for name, value := range environ {
		if value == path || strings.HasPrefix(value, path+"/") {
			value = folder + strings.TrimPrefix(value, path)
		}
		changed[name] = value
	}
	return changed
}

// environOf returns the variables of a node.
func (p *pods) environOf(t *testing.T, node int) map[string]string {
	t.Helper()
	for _, mount := range p.container.VolumeMounts {
		if mount.Name == p.set.Spec.VolumeClaimTemplates[0].Name {
			return mounted(p.environ, mount.MountPath, p.volumes[node])
		}
	}
	t.Fatal("the data is on no volume")
	return nil
}

// start starts a node, and waits for its startup probe.
func (p *pods) start(t *testing.T, node int) {
	t.Helper()
	s := start(t, p.args, p.environOf(t, node))
	p.running[node] = s
	probe := p.container.StartupProbe
	until := time.Now().Add(time.Duration(probe.PeriodSeconds*probe.FailureThreshold) * time.Second)
	await(t, "the startup probe", func() bool {
		select {
		case <-s.done:
			t.Fatalf("the server has ended:\n%s", &s.log)
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("Kubernetes would have killed it:\n%s", &s.log)
		}
		return s.answers(t, probe)
	})
	for _, probe := range []*core.Probe{p.container.ReadinessProbe, p.container.LivenessProbe} {
		if !s.answers(t, probe) {
			t.Errorf("a node that has started does not answer %+v", probe.HTTPGet)
		}
	}
}

// answers reports whether a probe succeeds.
func (p *process) answers(t *testing.T, probe *core.Probe) bool {
	t.Helper()
	client := &http.Client{Timeout: time.Duration(probe.TimeoutSeconds) * time.Second}
	status, _, err := get(t, client, "http://"+p.address+probe.HTTPGet.Path, "")
	return err == nil && status == http.StatusOK
}

// end ends a node as Kubernetes does: it leaves the service, its hook runs, it is asked to end, and
// killed when its time is over.
func (p *pods) end(t *testing.T, node int, leave func()) {
	t.Helper()
	s, pod := p.running[node], p.set.Spec.Template.Spec
	hook := time.Duration(p.container.Lifecycle.PreStop.Sleep.Seconds) * time.Second
	left := make(chan struct{})
	go func() { leave(); close(left) }() // meanwhile
	time.Sleep(hook)
	<-left
	if !s.answers(t, p.container.LivenessProbe) {
		t.Error("a node has ended before it was asked to")
	}
	grace := time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second - hook
	if !s.terminate(grace) {
		t.Errorf("a node did not end in order within %s:\n%s", grace, &s.log)
	}
}

// ingress is nginx as the controller of an Ingress, in front of the nodes that are in its service.
type ingress struct {
	t      *testing.T
	spec   networking.Ingress
	pods   *pods
	folder string
	listen string
	pid    int
	roots  *x509.CertPool

	mu    sync.Mutex // guards what follows
	nodes map[int]bool
}

// newIngress starts nginx with all nodes.
func newIngress(t *testing.T, all map[string]object, p *pods) *ingress {
	t.Helper()
	path := program(t, "nginx", "/usr/sbin/nginx")
	i := &ingress{
		t: t, pods: p, folder: t.TempDir(), listen: freeAddress(t), roots: x509.NewCertPool(),
		nodes: map[int]bool{},
	}
	all["Ingress terse"].into(t, &i.spec)
	// It leads to the service, whose port leads to the container's.
	backend := i.spec.Spec.Rules[0].HTTP.Paths[0].Backend.Service
	var service core.Service
	all["Service "+backend.Name].into(t, &service)
	port := service.Spec.Ports[0]
	if port.Name != backend.Port.Name || port.TargetPort.String() != p.container.Ports[0].Name ||
		p.container.Ports[0].ContainerPort != 8080 {
		t.Fatalf("the ingress leads to %+v, the service to %+v", backend, port)
	}
	for label, value := range service.Spec.Selector {
		if p.set.Spec.Template.Labels[label] != value {
			t.Fatalf("the service selects by %s=%s", label, value)
		}
	}
	pair := certtest.New(t, 60*24*time.Hour, i.spec.Spec.TLS[0].Hosts...)
	i.roots.AddCert(pair.Leaf)
	must(t, os.WriteFile(filepath.Join(i.folder, "cert.pem"), pair.Cert, 0o600),
		os.WriteFile(filepath.Join(i.folder, "key.pem"), pair.Key, 0o600))
	for node := range p.running {
		i.nodes[node] = true
	}
	i.configure()
	told := startBeside(t, path, "-p", i.folder, "-c", "nginx.conf", "-e", "stderr")
	await(t, "nginx to answer", func() bool {
		if strings.Contains(told.String(), "[emerg]") {
			t.Fatal(told)
		}
		status, _, err := get(t, i.client(), i.url("/health"), "")
		return err == nil && status == http.StatusOK
	})
	pid := strings.TrimSpace(read(t, filepath.Join(i.folder, "nginx.pid")))
	_, err := fmt.Sscan(pid, &i.pid)
	must(t, err)
	return i
}

// set takes a node into the service, or out of it.
func (i *ingress) set(node int, in bool) {
	i.mu.Lock()
	i.nodes[node] = in
	i.configure()
	i.mu.Unlock()
	if err := syscall.Kill(i.pid, syscall.SIGHUP); err != nil {
		i.t.Errorf("nginx: %v", err)
	}
}

// configure writes nginx's file. What no annotation sets is as ingress-nginx sets it.
func (i *ingress) configure() {
	var servers strings.Builder
	for node, in := range i.nodes {
		if in {
			fmt.Fprintf(&servers, "\t\tserver %s;\n", i.pods.running[node].address)
		}
	}
	annotation := func(name string) string {
		value := i.spec.Annotations["nginx.ingress.kubernetes.io/"+name]
		if value == "" {
			i.t.Errorf("the ingress has no annotation %s", name)
		}
		return value
	}
	rule := i.spec.Spec.Rules[0]
	config := fmt.Sprintf(`daemon off;
worker_processes 2;
pid nginx.pid;
events {}
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	upstream terse {
%s		keepalive 320;
	}
	server {
		listen %s ssl;
		server_name %s;
		ssl_certificate cert.pem;
		ssl_certificate_key key.pem;
		location %s {
			proxy_pass http://terse;
			proxy_http_version 1.1;
			proxy_set_header Connection "";
			proxy_set_header Host $http_host;
			proxy_set_header X-Forwarded-For $remote_addr;
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_connect_timeout 5s;
			proxy_next_upstream error timeout;
			proxy_next_upstream_tries 3;
			proxy_buffers 4 %[5]s;
			proxy_buffer_size %[5]s;
			client_max_body_size %[6]s;
		}
	}
}
`, &servers, i.listen, rule.Host, rule.HTTP.Paths[0].Path, annotation("proxy-buffer-size"),
		annotation("proxy-body-size"))
	path := filepath.Join(i.folder, "nginx.conf")
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		i.t.Error(err)
	}
}

// client is a visitor, for whom the ingress' host is here.
func (i *ingress) client() *http.Client {
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: i.roots},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, i.listen)
		},
	}
	i.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

func (i *ingress) url(path string) string { return "https://" + i.spec.Spec.Rules[0].Host + path }

// visits are redirects that are asked for all the time, each with a referrer of its own.
type visits struct {
	codes []string

	mu       sync.Mutex // guards what follows
	sent     int
	answered map[string]int // the link of each referrer that was redirected
	failures []string
}

// visitors is how many ask at once.
const visitors = 4

// visit asks for links, until the returned function is called.
func visit(t *testing.T, i *ingress, codes []string) (v *visits, stop func()) {
	t.Helper()
	v = &visits{codes: codes, answered: map[string]int{}}
	ctx, cancel := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	for visitor := range visitors {
		client := i.client()
		asking.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				v.one(i, client, n%len(codes), fmt.Sprintf("https://r.example/%d/%d", visitor, n))
				time.Sleep(5 * time.Millisecond) // leaves the processor to the servers
			}
		})
	}
	return v, func() { cancel(); asking.Wait() }
}

// one is not broken off: each request that is sent gets its answer.
func (v *visits) one(i *ingress, client *http.Client, link int, referrer string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, i.url("/"+v.codes[link]),
		http.NoBody)
	failure := ""
	if err == nil {
		req.Header.Set("Referer", referrer)
		var resp *http.Response
		if resp, err = client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusFound {
				failure = resp.Status
			}
		}
	}
	if err != nil {
		failure = err.Error()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sent++
	if failure != "" {
		v.failures = append(v.failures, failure)
		return
	}
	v.answered[referrer] = link
}

func (v *visits) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.answered)
}

// more waits for so many more redirects.
func (v *visits) more(t *testing.T, n int) {
	t.Helper()
	goal := v.count() + n
	await(t, "redirects", func() bool { return v.count() >= goal })
}

// check compares what was answered with what was counted. unanswered is how many requests a node
// may have counted and not answered, so that another one counted them, too.
func (v *visits) check(t *testing.T, client *api.Client, unanswered int) {
	t.Helper()
	if len(v.failures) > 0 {
		t.Errorf("%d of %d redirects failed: %q", len(v.failures), v.sent, v.failures[0])
	}
	counted, all := map[string]int64{}, int64(0)
	await(t, "all redirects to be counted", func() bool {
		all = 0
		clear(counted)
		for _, code := range v.codes {
			stats, err := client.Stats(t.Context(), code, api.Range{})
			must(t, err)
			all += stats.TotalClicks
			for referrer, n := range stats.ByReferrer {
				counted[referrer] += n
			}
		}
		return all >= int64(len(v.answered))
	})
	again := 0
	for referrer := range v.answered {
		switch n := counted[referrer]; {
		case n == 0:
			t.Errorf("the redirect of %s was not counted", referrer)
		case n > 1:
			again++
		}
	}
	if again > unanswered || all-int64(len(v.answered)) != int64(again) {
		t.Errorf("%d redirects were answered, and %d counted, %d of them again", len(v.answered),
			all, again)
	}
	t.Logf("%d redirects answered, %d counted, %d requests failed", len(v.answered), all,
		len(v.failures))
}

// TestNodes starts two nodes on PostgreSQL as the chart says, behind nginx as the ingress says.
// While they redirect, one ends as Kubernetes ends a pod, one is killed, and each gets a successor
// with its volume. No redirect fails, and each is counted once.
func TestNodes(t *testing.T) {
	t.Parallel()
	all := objects(t, render(t, write(t, "values.yaml", `
replicas: 2
secretSettings:
  AUTH_TOKENS: `+token+`
  DATABASE_URL: `+pgtest.URL(t)+`
settings:
  TRUSTED_PROXIES: 127.0.0.1
  REDIRECT_RATE_LIMIT_PER_MINUTE: 0
  API_RATE_LIMIT_PER_MINUTE: 0
ingress:
  enabled: true
  hosts: [go.example.com]
  tlsSecret: terse-tls
`)))
	p := newPods(t, all)
	var starting sync.WaitGroup
	for node := range p.running { // podManagementPolicy: Parallel
		starting.Go(func() { p.start(t, node) })
	}
	starting.Wait()
	i := newIngress(t, all, p)
	client := api.New(i.url(""), token)
	client.HTTPClient = i.client()

	var codes []string
	for range 5 {
		link, err := client.Create(t.Context(),
			api.CreateRequest{OriginalURL: "https://example.com/"})
		must(t, err)
		if link.ShortURL != i.url("/"+link.ShortCode) {
			t.Errorf("the short URL is %s", link.ShortURL)
		}
		codes = append(codes, link.ShortCode)
	}
	i.passesLongHeaders(t, client)

	v, stop := visit(t, i, codes)
	v.more(t, 200)
	p.end(t, 0, func() { i.set(0, false) })
	v.more(t, 200)
	p.start(t, 0)
	i.set(0, true)
	v.more(t, 200)
	await(t, "the successor to get requests",
		func() bool { return p.running[0].recorded(t) > 0 })

	p.running[1].kill()
	v.more(t, 200)
	probe := p.container.ReadinessProbe
	for range probe.FailureThreshold {
		if p.running[1].answers(t, probe) {
			t.Error("a killed node answers")
		}
	}
	i.set(1, false)
	v.more(t, 200)
	p.start(t, 1)
	i.set(1, true)
	v.more(t, 200)
	await(t, "the successor to get requests",
		func() bool { return p.running[1].recorded(t) > 0 })
	stop()
	v.check(t, client, visitors)
}

// recorded returns how many clicks a node has in its journal, of those since its start.
func (p *process) recorded(t *testing.T) (clicks float64) {
	t.Helper()
	status, body, err := get(t, http.DefaultClient, "http://"+p.address+"/metrics", token)
	if must(t, err); status != http.StatusOK {
		t.Fatalf("/metrics: %d", status)
	}
	_, value, _ := strings.Cut(body, "\nterse_clicks_recorded_total ")
	_, err = fmt.Sscan(value, &clicks)
	must(t, err)
	return clicks
}

// passesLongHeaders sees that the annotations have their effect: the longest Location gets through,
// and it is the server that refuses a body that is too long.
func (i *ingress) passesLongHeaders(t *testing.T, client *api.Client) {
	t.Helper()
	const start = "https://example.com/"
	link, err := client.Create(t.Context(), api.CreateRequest{
		OriginalURL: start + strings.Repeat("\u00e9", (8192-len(start))/2),
	})
	must(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, i.url("/"+link.ShortCode),
		http.NoBody)
	must(t, err)
	resp, err := i.client().Do(req)
	must(t, err)
	_ = resp.Body.Close()
	if n := len(resp.Header.Get("Location")); resp.StatusCode != http.StatusFound || n < 20_000 {
		t.Errorf("a link with a long target: %s, with a Location of %d bytes", resp.Status, n)
	}
	_, err = client.Create(t.Context(), api.CreateRequest{
		OriginalURL: start + strings.Repeat("a", 3<<19),
	})
	if err == nil || strings.Contains(err.Error(), "nginx") {
		t.Errorf("a body of 1.5 MiB: %v", err)
	}
}

// TestOneNode starts one node on SQLite with the chart's defaults, and again with its volume.
func TestOneNode(t *testing.T) {
	t.Parallel()
	p := newPods(t, objects(t, render(t, "")))
	p.start(t, 0)
	path := tersetest.Binary(t)
	show := exec.CommandContext(t.Context(), path, "token") // as Helm's notes say
	for name, value := range p.environOf(t, 0) {
		show.Env = append(show.Env, name+"="+value)
	}
	out, err := show.Output()
	must(t, err)
	secret := strings.TrimSpace(string(out))
	client := api.New("http://"+p.running[0].address, secret)
	link, err := client.Create(t.Context(), api.CreateRequest{OriginalURL: "https://example.com/"})
	must(t, err)
	visitor := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	for n := range int64(2) {
		if n > 0 {
			p.end(t, 0, func() {})
			p.start(t, 0)
			client = api.New("http://"+p.running[0].address, secret)
		}
		status, _, err := get(t, visitor,
			"http://"+p.running[0].address+"/"+link.ShortCode, "")
		if must(t, err); status != http.StatusFound {
			t.Errorf("start %d: redirect: %d", n, status)
		}
		await(t, "the click to be counted", func() bool {
			stats, err := client.Stats(t.Context(), link.ShortCode, api.Range{})
			must(t, err)
			return stats.TotalClicks == n+1
		})
	}
}
