package deploy

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/nikolalohinski/gonja/v2"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v4"
)

// secret is what a store makes where it makes a secret.
const secret = "0123456789abcdef0123456789abcdef"

// What each store's files start works, with what the store adds to them.
func TestStores(t *testing.T) {
	t.Parallel()
	stores := map[string]func(*testing.T) app{
		"umbrel": umbrel, "casaos": casaOS, "truenas": trueNAS, "unraid": unraid,
		"coolify": coolify, "dokploy": dokploy, "runtipi": runtipi, "proxmox": proxmox,
	}
	entries, err := os.ReadDir("stores")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() && stores[entry.Name()] == nil {
			t.Errorf("nobody tests %s", entry.Name())
		}
	}
	for name, read := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := read(t)
			a.public = true
			a.works(t, image(t))
		})
	}
}

func umbrel(t *testing.T) app {
	var manifest struct {
		ManifestVersion       int `yaml:"manifestVersion"`
		ID, Name, Tagline     string
		Category, Version     string
		Port                  int
		Path, Description     string
		Developer, Website    string
		Repo, Support         string
		Dependencies, Gallery []string
		DefaultUsername       string `yaml:"defaultUsername"`
		DeterministicPassword bool   `yaml:"deterministicPassword"`
		ReleaseNotes          string `yaml:"releaseNotes"`
		Submitter, Submission string
	}
	decode(t, "stores/umbrel/terse/umbrel-app.yml", &manifest, strictYAML)
	// Its own file: the proxy is no service of the app's.
	own := types.ConfigFile{
		Filename: "own.yml", Content: []byte("services: {app_proxy: {image: proxy}}"),
	}
	project := load(t, map[string]string{"APP_DATA_DIR": "/app-data", "APP_PASSWORD": secret}, nil,
		file("stores/umbrel/terse/docker-compose.yml"), own)
	proxy := project.Services["app_proxy"].Environment
	// <id>_<service>_1 is the container.
	if *proxy["APP_HOST"] != manifest.ID+"_server_1" || *proxy["PROXY_AUTH_ADD"] != "false" {
		t.Errorf("the proxy has %v", proxy)
	}
	if !manifest.DeterministicPassword || manifest.ManifestVersion != 1 ||
		len(manifest.Tagline) > 50 {
		t.Errorf("the manifest is %+v", manifest)
	}
	a := service(t, project, "server")
	a.version, a.page = manifest.Version, manifest.Path
	var err error
	if a.port, err = strconv.Atoi(*proxy["APP_PORT"]); err != nil {
		t.Error(err)
	}
	if source := project.Services["server"].Volumes[0].Source; source != "/app-data/data" {
		t.Errorf("the data is in %s", source)
	}
	read(t, "stores/umbrel/terse/data/.gitkeep") // or the folder would be root's
	if a.environ["AUTH_TOKEN"] != secret {
		t.Error("the token is not the password that the store shows")
	}
	return a
}

func casaOS(t *testing.T) app {
	project := load(t, map[string]string{"AppID": "terse"}, nil,
		file("stores/casaos/Apps/Terse/docker-compose.yml"))
	text, err := yaml.Marshal(project.Extensions["x-casaos"])
	if err != nil {
		t.Fatal(err)
	}
	type localized struct {
		English string `yaml:"en_US"`
	}
	var store struct {
		ID, Main, Index      string
		PortMap              string `yaml:"port_map"`
		Scheme               string
		Title                localized
		Icon                 string
		Tagline, Description localized
		Tips                 map[string]localized
		Author, Developer    string
		Category             string
		Architectures        []string
		Version              string
		ReleaseNotes         localized `yaml:"release_notes"`
		Website, Repo        string
		Support, Docs        string
	}
	if err := strictYAML(text, &store); err != nil {
		t.Fatal(err)
	}
	if project.Name != "terse" || store.ID == "" || store.Scheme != "http" ||
		!slices.Contains([]string{"Productivity", "Networking"}, store.Category) ||
		store.Title.English == "" ||
		!slices.Equal(store.Architectures, []string{"amd64", "arm64"}) {
		t.Errorf("the store's part is %+v", store)
	}
	if port := project.Services[store.Main].Ports[0]; port.Published != store.PortMap {
		t.Errorf("the port is %s, the store opens %s", port.Published, store.PortMap)
	}
	a := service(t, project, store.Main)
	a.version, a.page = store.Version, store.Index
	return a
}

// trueNAS renders the template, with an object in place of the catalog's library that notes what is
// asked of it.
func trueNAS(t *testing.T) app {
	const folder = "stores/truenas/terse/"
	var about struct {
		AppVersion string `yaml:"app_version"`
		Name       string
		Train      string
		Version    string
	}
	decode(t, folder+"app.yaml", &about, yaml.Unmarshal)
	semantic := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	if about.Name != "terse" || about.Train != "community" || !semantic.MatchString(about.Version) {
		t.Errorf("app.yaml: %+v", about)
	}
	var own struct {
		Images map[string]struct{ Repository, Tag string }
		Consts map[string]any
	}
	decode(t, folder+"ix_values.yaml", &own, strictYAML)
	values := map[string]any{}
	decode(t, folder+"templates/test_values/basic-values.yaml", &values, yaml.Unmarshal)
	values["consts"] = own.Consts
	answersQuestions(t, folder+"questions.yaml", values)

	a := app{version: about.AppVersion, environ: map[string]string{}}
	str := func(v *exec.Value) string { return v.String() }
	nothing := func(...*exec.Value) string { return "" }
	dependencies := 0
	container := map[string]any{
		"set_user": nothing,
		"healthcheck": map[string]any{"set_custom_test": func(test *exec.Value) string {
			test.Iterate(func(_, _ int, word, _ *exec.Value) bool {
				a.health = append(a.health, str(word))
				return true
			}, func() {})
			return ""
		}},
		"environment": map[string]any{
			"add_env": func(name, value *exec.Value) string {
				a.environ[str(name)] = str(value)
				return ""
			},
			"add_user_envs": func(list *exec.Value) string {
				for _, entry := range list.Interface().([]any) {
					pair := entry.(map[string]any)
					a.environ[pair["name"].(string)] = pair["value"].(string)
				}
				return ""
			},
		},
		"depends": map[string]any{"add_dependency": func(_, _ *exec.Value) string {
			dependencies++
			return ""
		}},
		"add_storage": func(target, _ *exec.Value) string {
			a.data = str(target)
			return ""
		},
		"add_port": func(_, options *exec.Value) string {
			port, _ := options.GetItem("container_port")
			a.port = port.Integer()
			return ""
		},
	}
	template := map[string]any{
		"add_container": func(_, name *exec.Value) any {
			a.image = own.Images[str(name)].Repository + ":" + own.Images[str(name)].Tag
			return container
		},
		"deps": map[string]any{"perms": func(*exec.Value) any {
			return map[string]any{
				"add_or_skip_action": nothing, "activate": nothing,
				"has_actions": func() bool { return true },
			}
		}},
		"portals": map[string]any{"add": func(_, options *exec.Value) string {
			path, _ := options.GetItem("path")
			a.page = str(path)
			return ""
		}},
		"render": func() any { return map[string]any{"services": "rendered"} },
	}
	// A statement of an extension that the catalog has switched on.
	source := bytes.ReplaceAll(read(t, folder+"templates/docker-compose.yaml"),
		[]byte("{% do "), []byte("{% set _ = "))
	parsed, err := gonja.FromBytes(source)
	if err != nil {
		t.Fatal(err)
	}
	rendered, err := parsed.ExecuteToString(exec.NewContext(map[string]any{
		"values": values,
		"ix_lib": map[string]any{"base": map[string]any{"render": map[string]any{
			"Render": func(*exec.Value) any { return template },
		}}},
	}))
	if err != nil || !json.Valid([]byte(rendered)) || dependencies != 1 {
		t.Fatalf("rendered %q, %d dependencies, %v", rendered, dependencies, err)
	}
	return a
}

// answersQuestions fails unless the values have an answer to each question about the server, and
// the answers for the token are at least as long as they should be.
func answersQuestions(t *testing.T, name string, values map[string]any) {
	t.Helper()
	type question struct {
		Variable string
		Schema   struct {
			Attrs     []question
			Private   bool
			Required  bool
			MinLength int `yaml:"min_length"`
		}
	}
	var form struct {
		Groups    []struct{ Name string }
		Questions []question
	}
	decode(t, name, &form, yaml.Unmarshal)
	asked := 0
	for _, group := range form.Questions {
		if group.Variable != "terse" {
			continue
		}
		answers := values["terse"].(map[string]any)
		for _, q := range group.Schema.Attrs {
			if asked++; answers[q.Variable] == nil {
				t.Errorf("%s has no answer", q.Variable)
			}
			if q.Variable == "auth_token" &&
				(!q.Schema.Private || !q.Schema.Required || q.Schema.MinLength < 16) {
				t.Errorf("the token's question is %+v", q)
			}
		}
		if asked != len(answers) {
			t.Errorf("%d questions, %d answers", asked, len(answers))
		}
	}
	if asked == 0 || len(form.Groups) < 4 {
		t.Error("no questions")
	}
}

func unraid(t *testing.T) app {
	var container struct {
		XMLName     xml.Name `xml:"Container"`
		Version     int      `xml:"version,attr"`
		Name        string
		Repository  string
		Project     string
		Support     string
		Overview    string
		Category    string
		WebUI       string
		TemplateURL string
		Icon        string
		ExtraParams string
		Config      []struct {
			Name    string `xml:",attr"`
			Target  string `xml:",attr"`
			Default string `xml:",attr"`
			Mode    string `xml:",attr"`
			Type    string `xml:",attr"`
			Mask    bool   `xml:",attr"`
			Value   string `xml:",chardata"`
		}
	}
	decode(t, "stores/unraid/terse.xml", &container, xml.Unmarshal)
	a := app{image: container.Repository, environ: map[string]string{}}
	for _, c := range container.Config {
		if c.Value != c.Default {
			t.Errorf("%s is %q, its default %q", c.Name, c.Value, c.Default)
		}
		switch c.Type {
		case "Port":
			a.port, _ = strconv.Atoi(c.Target)
		case "Path":
			a.data = c.Target
		case "Variable":
			a.environ[c.Target] = c.Value
			if c.Mask != (c.Target == "AUTH_TOKEN") {
				t.Errorf("%s: masked %v", c.Target, c.Mask)
			}
		default:
			t.Errorf("%s is a %s", c.Name, c.Type)
		}
	}
	port, page, ok := strings.Cut(strings.TrimPrefix(container.WebUI, "http://[IP]:[PORT:"), "]")
	if !ok || port != strconv.Itoa(a.port) {
		t.Errorf("it opens %s", container.WebUI)
	}
	a.page = page
	for _, field := range []string{
		container.Name, container.Project, container.Support, container.Overview,
		container.Category, container.TemplateURL, container.Icon,
	} {
		if strings.TrimSpace(field) == "" {
			t.Errorf("a field is missing: %+v", container)
		}
	}
	for _, param := range []string{
		"--user 99:100", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges",
	} {
		if !strings.Contains(container.ExtraParams, param) {
			t.Errorf("it runs without %s", param)
		}
	}
	return a
}

func coolify(t *testing.T) app {
	const name = "stores/coolify/terse.yaml"
	project := load(t, map[string]string{
		"SERVICE_URL_TERSE":         "https://terse.203.0.113.7.sslip.io",
		"SERVICE_PASSWORD_64_TERSE": secret + secret,
	}, []string{"TRUSTED_PROXIES", "SERVICE_URL_TERSE_8080"}, file(name))
	header := map[string]string{}
	for line := range strings.Lines(string(read(t, name))) {
		if key, value, ok := strings.Cut(strings.TrimPrefix(line, "# "), ": "); ok {
			if line == strings.TrimPrefix(line, "# ") {
				break
			}
			header[key] = strings.TrimSpace(value)
		}
	}
	for _, key := range []string{"documentation", "slogan", "category", "tags", "logo", "port"} {
		if header[key] == "" {
			t.Errorf("no comment with the %s", key)
		}
	}
	environ := project.Services["terse"].Environment
	if _, asked := environ["SERVICE_URL_TERSE_"+header["port"]]; !asked {
		t.Error("it asks for no address")
	}
	a := service(t, project, "terse")
	a.port, _ = strconv.Atoi(header["port"])
	return a
}

func dokploy(t *testing.T) app {
	const folder = "stores/dokploy/terse/"
	var template struct {
		Variables map[string]string
		Config    struct {
			Domains []struct {
				ServiceName string `toml:"serviceName"`
				Port        int
				Host        string
			}
			Env map[string]string
		}
	}
	decode(t, folder+"template.toml", &template, strictTOML)
	var meta struct {
		ID, Name, Version, Description, Logo string
		Links                                map[string]string
		Tags                                 []string
	}
	decode(t, folder+"meta.json", &meta, strictJSON)
	// What the store makes, and then the template's own variables.
	made := strings.NewReplacer("${domain}", "terse-1a2b3c.traefik.me", "${password:32}", secret)
	var pairs []string
	for name, value := range template.Variables {
		pairs = append(pairs, "${"+name+"}", made.Replace(value))
	}
	variables := strings.NewReplacer(pairs...)
	environ := map[string]string{}
	for name, value := range template.Config.Env {
		environ[name] = variables.Replace(value)
	}
	project := load(t, environ, nil, file(folder+"docker-compose.yml"))
	if domains := template.Config.Domains; len(domains) != 1 ||
		"http://"+variables.Replace(domains[0].Host) != environ["BASE_URL"] {
		t.Fatalf("the domains are %v", domains)
	}
	domain := template.Config.Domains[0]
	if len(project.Services[domain.ServiceName].Ports) > 0 {
		t.Error("a port is open beside the store's proxy")
	}
	a := service(t, project, domain.ServiceName)
	a.port, a.version = domain.Port, meta.Version
	return a
}

func runtipi(t *testing.T) app {
	const folder = "stores/runtipi/apps/terse/"
	var config struct {
		Schema    string `json:"$schema"`
		ID, Name  string
		Available bool
		Exposable bool
		Dynamic   bool `json:"dynamic_config"`
		Port      int
		Page      string `json:"url_suffix"`
		Revision  int    `json:"tipi_version"`
		Version   string

		Categories          []string
		ShortDesc           string `json:"short_desc"`
		Description, Author string
		Source, Website     string
		UID, GID            int
		Fields              []struct {
			Type, Label string
			Min         int
			Variable    string `json:"env_variable"`
		} `json:"form_fields"`
		Architectures []string `json:"supported_architectures"`
		Created       int64    `json:"created_at"`
		Updated       int64    `json:"updated_at"`
	}
	decode(t, folder+"config.json", &config, strictJSON)
	var compose struct {
		Schema        string `json:"$schema"`
		SchemaVersion int    `json:"schemaVersion"`
		Services      []struct {
			Name, Image string
			Main        bool `json:"isMain"`
			Port        int  `json:"internalPort"`
			User        string
			ReadOnly    bool     `json:"readOnly"`
			CapDrop     []string `json:"capDrop"`
			SecurityOpt []string `json:"securityOpt"`
			StopGrace   string   `json:"stopGracePeriod"`
			Environment []struct{ Key, Value string }
			Volumes     []struct {
				Host      string `json:"hostPath"`
				Container string `json:"containerPath"`
			}
		}
	}
	decode(t, folder+"docker-compose.json", &compose, strictJSON)
	if config.ID != "terse" || !config.Available || !config.Dynamic || compose.SchemaVersion != 2 ||
		len(compose.Services) != 1 ||
		!slices.Equal(config.Architectures, []string{"arm64", "amd64"}) {
		t.Fatalf("%+v %+v", config, compose)
	}
	variables := []string{
		"${APP_PROTOCOL}", "https", "${APP_DOMAIN}", "go.example.com", "${APP_DATA_DIR}", "/app",
	}
	for _, field := range config.Fields {
		if field.Type != "random" || field.Min < 16 {
			t.Errorf("the field %+v", field)
		}
		variables = append(variables, "${"+field.Variable+"}", secret[:field.Min])
	}
	s := compose.Services[0]
	if want := strconv.Itoa(config.UID) + ":" + strconv.Itoa(config.GID); s.User != want {
		t.Errorf("it runs as %s, its folder is of %s", s.User, want)
	}
	if !s.Main || !s.ReadOnly || s.StopGrace != "20s" ||
		!slices.Equal(s.CapDrop, []string{"ALL"}) ||
		!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
		t.Errorf("the service is not confined: %+v", s)
	}
	a := app{
		image: s.Image, version: config.Version, environ: map[string]string{}, port: s.Port,
		data: s.Volumes[0].Container, page: config.Page,
	}
	for _, e := range s.Environment {
		a.environ[e.Key] = strings.NewReplacer(variables...).Replace(e.Value)
	}
	logo := read(t, folder+"metadata/logo.jpg")
	if _, err := jpeg.DecodeConfig(bytes.NewReader(logo)); err != nil {
		t.Error(err)
	}
	read(t, folder+"metadata/description.md")
	return a
}

// proxmox runs both scripts with functions of the store that note what they are asked, and with the
// settings of the package in place of the package.
func proxmox(t *testing.T) app {
	const folder = "stores/proxmox/"
	var site struct {
		Name, Slug    string
		Categories    []int
		DateCreated   string `json:"date_created"`
		Type          string
		Updateable    bool
		Privileged    bool
		Port          int `json:"interface_port"`
		Documentation string
		Website, Logo string
		Config        string `json:"config_path"`
		Description   string
		Methods       []struct {
			Type, Script string
			Resources    struct {
				CPU, RAM, HDD int
				OS, Version   string
			}
		} `json:"install_methods"`
		Credentials map[string]*string `json:"default_credentials"`
		Notes       []struct{ Text, Type string }
	}
	decode(t, folder+"json/terse.json", &site, strictJSON)

	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	settingsFile := write("terse.env", string(read(t, "systemd/terse.env")), 0o600)
	asked := filepath.Join(dir, "asked")
	functions := ""
	for _, name := range []string{
		"color", "verb_ip6", "catch_errors", "setting_up_container", "network_check", "update_os",
		"msg_info", "msg_ok", "motd_ssh", "customize", "cleanup_lxc", "header_info", "variables",
		"build_container", "description", "check_container_storage", "check_container_resources",
		"systemctl", "fetch_and_deploy_gh_release", "check_for_gh_release", "msg_error",
	} {
		functions += name + "() { echo " + name + ` "$@" >>"` + asked + "\"; }\n"
	}
	functions += "terse() { echo the token of \"$@\"; }\n"
	functions += "start() { update_script; }\n" // which is a subshell of its own with exit
	functionsFile := write("functions", functions, 0o600)
	write("curl", "#!/bin/sh\ncat '"+functionsFile+"'\n", 0o700)

	run := func(script string) string {
		text := string(read(t, folder+script))
		text = strings.ReplaceAll(text, "/etc/terse/terse.env", settingsFile)
		_ = os.Remove(asked)
		bash := osexec.CommandContext(t.Context(), "bash", "-eu", write("script.sh", text, 0o600))
		bash.Env = []string{
			"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir,
			"FUNCTIONS_FILE_PATH=" + functions,
			"CREATING=", "GN=", "CL=", "INFO=", "YW=", "TAB=", "GATEWAY=", "BGN=", "IP=192.0.2.1",
		}
		if out, err := bash.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		calls, err := os.ReadFile(asked)
		if err != nil {
			t.Fatal(err)
		}
		return string(calls)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(image(t), "ghcr.io/"), ":")
	const deployed = "fetch_and_deploy_gh_release terse "
	installed, updated := run("install/terse-install.sh"), run(site.Methods[0].Script)
	for script, calls := range map[string]string{"install": installed, "update": updated} {
		if !strings.Contains(calls, deployed+name+" binary\n") {
			t.Errorf("%s did %s", script, calls)
		}
	}
	if !strings.Contains(installed, "systemctl restart terse\n") {
		t.Errorf("install did %s", installed)
	}
	a := app{image: image(t), environ: map[string]string{}, port: site.Port, data: "/data"}
	for line := range strings.Lines(string(read(t, settingsFile))) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if _, again := a.environ[name]; again {
			t.Errorf("%s is set twice", name)
		}
		if ok && name[0] != '#' {
			a.environ[name] = value
		}
	}
	if a.environ["LISTEN_HOST"] != "0.0.0.0" {
		t.Errorf("the settings are %v", a.environ)
	}
	const told = "Access token of terse: the token of token --data-dir /var/lib/terse\n"
	if kept := read(t, filepath.Join(dir, "terse.creds")); string(kept) != told {
		t.Errorf("terse.creds has %s", kept)
	}
	return a
}

// Stores show the icon from here.
func TestIcons(t *testing.T) {
	t.Parallel()
	icon, err := png.DecodeConfig(bytes.NewReader(read(t, "stores/icon.png")))
	if err != nil || icon.Width != 256 || icon.Height != 256 {
		t.Errorf("icon.png: %+v %v", icon, err)
	}
	if !bytes.Equal(read(t, "stores/icon.svg"), read(t, "../internal/web/src/icon.svg")) {
		t.Error("icon.svg is not the dashboard's icon")
	}
}

// All files name one image, one repository and one version, and files that are there.
func TestAddresses(t *testing.T) {
	t.Parallel()
	name, version, _ := strings.Cut(strings.TrimPrefix(image(t), "ghcr.io/"), ":")
	images := regexp.MustCompile(`ghcr\.io/([\w/.-]+?)(?::([\w.-]+))?[\s"'<]`)
	pages := regexp.MustCompile(`github(?:usercontent)?\.com/([\w.-]+/[\w.-]+?)` +
		`(?:/(?:blob/)?main/([\w./-]+))?[\s"'<)/]`)
	owner, project, _ := strings.Cut(name, "/")
	chart := owner + "/charts/" + project
	versions := regexp.MustCompile(`/v(\d[\w.-]*)/|terse_(\d+\.\d+\.\d+)_|--version (\d\S*)`)
	found := 0
	look := func(path string) {
		text := string(read(t, path))
		for _, m := range versions.FindAllStringSubmatch(text, -1) {
			if found++; m[1]+m[2]+m[3] != version {
				t.Errorf("%s names %s, want %s", path, m[0], version)
			}
		}
		for _, m := range images.FindAllStringSubmatch(text, -1) {
			if found++; m[1] != name && m[1] != chart || m[2] != "" && m[2] != version {
				t.Errorf("%s names the image %s, want %s:%s", path, m[0], name, version)
			}
		}
		for _, m := range pages.FindAllStringSubmatch(text, -1) {
			if m[1] == "community-scripts/ProxmoxVE" {
				continue
			}
			if found++; m[1] != name {
				t.Errorf("%s leads to %s, want %s", path, m[0], name)
			}
			if m[2] != "" {
				read(t, filepath.Join("..", m[2]))
			}
		}
	}
	look("../README.md")
	look("../docs/install.md")
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasSuffix(path, ".go") &&
			!strings.HasPrefix(entry.Name(), "go.") {
			look(path)
		}
		return err
	})
	if err != nil || found < 20 {
		t.Errorf("found %d, %v", found, err)
	}
}

func strictYAML(b []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	return d.Decode(into)
}

func strictTOML(b []byte, into any) error {
	return toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(into)
}
