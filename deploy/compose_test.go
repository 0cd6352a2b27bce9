package deploy

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// The file that people copy starts the server as it is, and with what it says that one can set.
func TestCompose(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]map[string]string{
		"as it is": {},
		"with all that can be set": {
			"BASE_URL": "https://go.example.com", "AUTH_TOKEN": "a-token-of-one's-own",
			"NETWORK": "172.31.8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			optional := []string{"BASE_URL", "AUTH_TOKEN", "BACKUP_DIR", "NETWORK"}
			project := load(t, set, optional, file("compose.yaml"))
			if len(project.Services)+len(project.Secrets)+len(project.Configs) != 1 {
				t.Errorf("it is not one service without files: %v", project.ServiceNames())
			}
			if volume := project.Services["terse"].Volumes[0]; volume.Type != "volume" {
				t.Errorf("the data is in a %s", volume.Type)
			}
			service(t, project, "terse").works(t, image(t))
		})
	}
}

// The file for three nodes needs no other file. Its servers are tried in cmd/terse, as far as that
// goes without its database.
func TestComposeScaleOut(t *testing.T) {
	t.Parallel()
	set := map[string]string{"AUTH_TOKENS": secret, "PASSWORD": "a-password"}
	optional := []string{"SITE_ADDRESS", "NETWORK"}
	project := load(t, set, optional, file("compose.scale-out.yaml"))
	for _, name := range []string{"terse-1", "terse-2", "terse-3"} {
		node := service(t, project, name)
		if node.image != image(t) || node.environ["AUTH_TOKENS"] != secret ||
			!strings.Contains(node.environ["DATABASE_URL"], ":a-password@postgres:") {
			t.Errorf("%s: %+v", name, node)
		}
	}
	for name, s := range project.Services {
		if s.Build != nil || len(s.EnvFiles)+len(s.Secrets) > 0 {
			t.Errorf("%s needs a file", name)
		}
		for _, volume := range s.Volumes {
			if volume.Type != "volume" {
				t.Errorf("%s needs %s", name, volume.Source)
			}
		}
	}
	sameCaddyfile(t, project)
}

// The file with https needs no other file either. Its server and its Caddyfile do what a visitor's
// browser needs, with a certificate that Caddy signs itself.
func TestComposeHTTPS(t *testing.T) {
	t.Parallel()
	optional := []string{"SITE_ADDRESS", "AUTH_TOKEN", "BACKUP_DIR", "NETWORK"}
	for name, set := range map[string]map[string]string{
		"as it is": {},
		"with all that can be set": {
			"SITE_ADDRESS": "go.example.com", "AUTH_TOKEN": "a-token-of-one's-own",
			"BACKUP_DIR": t.TempDir(), "NETWORK": "172.31.8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			project := load(t, set, optional, file("compose.https.yaml"))
			if len(project.Services) != 2 || len(project.Secrets) > 0 {
				t.Errorf("it is not two services without files: %v", project.ServiceNames())
			}
			sameCaddyfile(t, project)
			caddy := project.Services["caddy"]
			proxied := service(t, project, "terse")
			at := caddy.Networks["front"].Ipv4Address
			if proxies := proxied.environ["TRUSTED_PROXIES"]; proxies == "" || proxies != at {
				t.Errorf("TRUSTED_PROXIES is %q, and Caddy is at %q", proxies, at)
			}
			if upstream := caddy.Environment["UPSTREAMS"]; *upstream != "terse:8080" {
				t.Errorf("Caddy asks %q", *upstream)
			}
			site := *caddy.Environment["SITE_ADDRESS"]
			if base := proxied.environ["BASE_URL"]; base != "https://"+site {
				t.Errorf("BASE_URL is %q, and Caddy serves %q", base, site)
			}
			proxied.works(t, image(t))
			// Caddy is elsewhere here, and the server above still has its folder for backups.
			proxied.environ["TRUSTED_PROXIES"] = "127.0.0.1"
			delete(proxied.environ, "BACKUP_DIR")
			startCaddy(t, project.Configs["caddyfile"].Content, site,
				start(t, proxied.environ)).serves(t)
		})
	}
}

// sameCaddyfile fails unless a file has deploy's Caddyfile in it, without its comments.
func sameCaddyfile(t *testing.T, project *types.Project) {
	t.Helper()
	comment := regexp.MustCompile(`(?m)(?:^|\s)#.*$|^\n`)
	want := strings.ReplaceAll(string(read(t, "caddy/Caddyfile")), "\t", "  ")
	for _, expression := range []*regexp.Regexp{comment, regexp.MustCompile(`(?m)\s+$|^\n`)} {
		want = expression.ReplaceAllString(want, "")
	}
	if got := project.Configs["caddyfile"].Content; strings.TrimSpace(got) != want {
		t.Errorf("the file's Caddyfile is\n%s, want\n%s", got, want)
	}
}

// image is the image that all files name.
func image(t *testing.T) string {
	t.Helper()
	return load(t, nil, []string{"BASE_URL", "AUTH_TOKEN", "BACKUP_DIR", "NETWORK"},
		file("compose.yaml")).Services["terse"].Image
}

func file(name string) types.ConfigFile { return types.ConfigFile{Filename: name} }

// load reads files as Compose does, with variables. It fails for a variable that is neither set nor
// optional.
func load(t *testing.T, variables map[string]string, optional []string,
	files ...types.ConfigFile,
) *types.Project {
	t.Helper()
	details := types.ConfigDetails{
		WorkingDir: t.TempDir(), ConfigFiles: files, Environment: variables,
	}
	for i, f := range files {
		if f.Content == nil {
			details.ConfigFiles[i].Content = read(t, f.Filename)
		}
	}
	project, err := loader.LoadWithContext(t.Context(), details, func(o *loader.Options) {
		o.SetProjectName("project", false)
		o.Interpolate.LookupValue = func(name string) (string, bool) {
			value, ok := variables[name]
			if !ok && !slices.Contains(optional, name) {
				t.Errorf("%s: %s is not set", files[0].Filename, name)
			}
			return value, ok
		}
	})
	if err != nil {
		t.Fatalf("%s: %v", files[0].Filename, err)
	}
	return project
}

// service returns what a service starts, and fails unless it is confined.
func service(t *testing.T, project *types.Project, name string) app {
	t.Helper()
	s, ok := project.Services[name]
	if !ok || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) ||
		!slices.Equal(s.SecurityOpt, []string{"no-new-privileges:true"}) {
		t.Errorf("the service %s (there: %v) is not confined", name, ok)
	}
	// More than SHUTDOWN_TIMEOUT, in which clicks are counted.
	if s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) < 15*time.Second {
		t.Errorf("it is killed after %s", s.StopGracePeriod)
	}
	a := app{image: s.Image, environ: map[string]string{}, port: 8080}
	for name, value := range s.Environment {
		if value != nil {
			a.environ[name] = *value
		}
	}
	if len(s.Volumes) != 1 {
		t.Fatalf("it has the volumes %v", s.Volumes)
	}
	a.data = s.Volumes[0].Target
	if len(s.Ports) > 0 {
		a.port = int(s.Ports[0].Target)
	}
	if s.HealthCheck != nil {
		a.health = s.HealthCheck.Test
	}
	return a
}
