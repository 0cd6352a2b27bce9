package main

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terse/internal/tests/acmetest"
	"terse/internal/tests/certtest"
	"terse/internal/tests/pgtest"
)

// ownName returns a name that leads to this machine's loopback, and nowhere else.
func ownName(t *testing.T) string {
	t.Helper()
	host, _ := os.Hostname()
	for _, name := range []string{"localhost", strings.ToLower(host)} {
		addrs, err := net.DefaultResolver.LookupHost(t.Context(), name)
		if err == nil && len(addrs) == 1 && addrs[0] == "127.0.0.1" {
			return name
		}
	}
	t.Skip("NAMES ARE NOT TESTED: neither localhost nor " + host + " leads to 127.0.0.1 alone")
	return ""
}

// TestDoctorCertificates goes from a server that does not run to one with a certificate, on both
// databases.
func TestDoctorCertificates(t *testing.T) {
	t.Parallel()
	for _, database := range []string{"SQLite", "PostgreSQL"} {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			name, at := ownName(t), newACMEPorts(t)
			const blocked = "blocked." + acmetest.Domain
			ca := acmetest.Start(t, acmetest.Options{
				HTTPPort: at.plain, TLSPort: at.tls, Blocked: []string{blocked},
			})
			s := newSetUp(t, at.env(ca, name)...)
			if database == "PostgreSQL" {
				s.env = append(s.env, "DATABASE_URL="+pgtest.URL(t))
			}
			said := s.diagnose(t)
			want(t, said, "authority", "ok: 127.0.0.1")
			want(t, said, "clock", "ok: it agrees with ", "that of the authority at 127.0.0.1")
			want(t, said, "ports", "ok: the server can listen on both")
			want(t, said, "names", "ok: 1 name leads somewhere")
			if database == "SQLite" { // PostgreSQL has no table yet
				want(t, said, "tls", "warn: there is none for "+name+" yet",
					"Start the server")
			}

			i := s.start(t, "TLS_DOMAINS="+name+","+blocked)
			at.awaitLeaf(t, name, ca, nil)
			i.logLines(t, "rejectedIdentifier")
			said = s.diagnose(t, "TLS_DOMAINS="+name+","+blocked)
			want(t, said, "server", "warn: the server at http://127.0.0.1:"+at.plain+
				", https on 127.0.0.1:"+at.tls, "there is no certificate for "+blocked)
			want(t, said, "tls", "fail: there is none for "+blocked,
				"rejectedIdentifier: Order", "does not issue for such a name",
				"It is tried again at ", "ok: 1 of 2 are there")

			said = s.diagnose(t, "BASE_URL=https://"+name+":"+at.tls)
			want(t, said, "certificate", "fail: the certificate for "+name,
				"Have the server serve a certificate for "+name)

			// Whoever trusts the authority finds nothing wrong at BASE_URL, and no proxy.
			said = s.diagnose(t, "BASE_URL=https://"+name+":"+at.tls,
				"SSL_CERT_FILE="+ca.RootsFile(t))
			want(t, said, "certificate", "ok: the certificate for "+name)
			want(t, said, "address", "ok: ", "leads to the server")
			want(t, said, "proxy", "ok: there is none")

			// The authority's port is 80 for others.
			d := &doctor{running: true, httpPort: at.plain}
			if wrong := d.checkName(t.Context(), name); wrong != "" {
				t.Error(wrong)
			}
			if got := d.checkName(t.Context(), "nowhere.invalid"); !strings.Contains(got,
				"leads nowhere") {
				t.Errorf("no name: %q", got)
			}
			d.httpPort = acmetest.Port(freeAddress(t))
			if got := d.checkName(t.Context(), name); !strings.Contains(got, "leads to 127.0.0.1, "+
				"an address of this machine, where no terse server answers") {
				t.Errorf("a wrong port: %q", got)
			}
			i.stop(t)
			ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:"+at.tls)
			if err != nil {
				t.Fatal(err)
			}
			defer ln.Close()
			want(t, s.diagnose(t), "ports", "fail: another program listens on port "+at.tls,
				"ss -ltnp")
		})
	}
}

// TestDoctorWithoutACertificate: a server that encrypts nothing yet is told from another program.
func TestDoctorWithoutACertificate(t *testing.T) {
	t.Parallel()
	at, blocked := newACMEPorts(t), ownName(t)
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: at.tls, Blocked: []string{blocked},
	})
	s := newSetUp(t, at.env(ca, blocked)...)
	s.start(t).logLines(t, "rejectedIdentifier")
	said := s.diagnose(t)
	want(t, said, "server", "warn: ", "it has no certificate yet", "See the check of tls")
	want(t, said, "tls", "fail: there is none for "+blocked, "rejectedIdentifier")
	want(t, said, "names", "fail: "+blocked+" leads to 127.0.0.1", "A and AAAA")
}

// TestDoctorAuthority: what is wrong with an authority, or its settings, has a name.
func TestDoctorAuthority(t *testing.T) {
	t.Parallel()
	at := newACMEPorts(t)
	ca := acmetest.Start(t, acmetest.Options{
		HTTPPort: at.plain, TLSPort: at.tls, EABKeys: map[string]string{},
		Profiles: map[string]int{"short": 86_400, "usual": 7_776_000},
	})
	s := newSetUp(t, at.env(ca, ownName(t))...)
	own := certtest.New(t, time.Hour, "localhost")
	over := certtest.New(t, -time.Hour, "localhost")
	dir := t.TempDir()
	roots := filepath.Join(dir, "roots.pem")
	if err := os.WriteFile(roots, append(own.Cert, over.Cert...), 0o600); err != nil {
		t.Fatal(err)
	}
	another := func(pair certtest.Pair, ahead time.Duration, body string) string {
		server := httptest.NewUnstartedServer(http.HandlerFunc(
			func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", time.Now().Add(ahead).UTC().Format(http.TimeFormat))
				_, _ = w.Write([]byte(body))
			}))
		cert, err := tls.X509KeyPair(pair.Cert, pair.Key)
		if err != nil {
			t.Fatal(err)
		}
		server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
		server.StartTLS()
		t.Cleanup(server.Close)
		return "ACME_DIRECTORY=https://localhost:" +
			acmetest.Port(server.Listener.Addr().String()) + "/dir"
	}
	const good = `{"newOrder": "https://ca.example/order"}`
	closed := "ACME_DIRECTORY=https://" + freeAddress(t) + "/dir"
	for _, test := range []struct {
		name  string
		env   []string
		check string
		texts []string
	}{
		{"no customer", nil, "authority", []string{"fail: 127.0.0.1", "know its customers"}},
		{
			"no such profile",
			[]string{"ACME_EAB_KEY_ID=a", "ACME_EAB_HMAC_KEY=YQ", "ACME_PROFILE=long"},
			"authority",
			[]string{"fail: 127.0.0.1", "has no profile long; it has: short, usual"},
		},
		{"away", []string{closed}, "authority", []string{"fail: ", "refused", "ACME_DIRECTORY"}},
		{
			"unknown",
			[]string{"ACME_CA_FILE="},
			"authority",
			[]string{"fail: ", "unknown authority", "Set ACME_CA_FILE"},
		},
		{
			"no directory",
			[]string{another(own, 0, "{}"), "ACME_CA_FILE=" + roots},
			"authority",
			[]string{"fail: ", "is no directory of ACME"},
		},
		{
			"another time",
			[]string{another(own, time.Hour, good), "ACME_CA_FILE=" + roots},
			"clock",
			[]string{"fail: it is 1h0m0s behind that of the authority", "NTP"},
		},
		{
			"a time in which its certificate is over",
			[]string{another(over, -48*time.Hour, good), "ACME_CA_FILE=" + roots},
			"clock",
			[]string{"fail: it is 48h0m0s ahead of that of the authority", "NTP"},
		},
	} {
		want(t, s.diagnose(t, test.env...), test.check, test.texts...)
		if t.Failed() {
			t.Fatal(test.name)
		}
	}
}
