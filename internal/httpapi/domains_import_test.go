package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terse"
)

// A row of a table goes to the host that it names, if the server has that; rows of unknown hosts go
// to the default domain, and say so. Of one code at two hosts that become one, the second fails.
func TestTablesOnDomains(t *testing.T) {
	t.Parallel()
	const strange = " is none of this server: the link is on the default one"
	for _, c := range []struct{ name, table, want string }{
		{
			"a column of hosts", "Host,code,url\n" +
				",one,https://example.com/1\n" +
				"GO.example.,one,https://example.com/2\n" +
				"sho.rt,two,https://example.com/3\n" +
				"https://go.example/,two,https://example.com/4\n" +
				"münchen.example,one,https://example.com/5\n" +
				"x.example,three,https://example.com/6\n" +
				"y.example,three,https://example.com/6\n" +
				",three,https://example.com/7\n" +
				"go.example,three,https://example.com/8\n" +
				"old.example,four,https://example.com/9\n" +
				"no host,five,https://example.com/10\n" +
				"go.example,,https://example.com/11\n",
			`2 one created
3 go.example/one created
4 two created
5 go.example/two created
6 xn--mnchen-3ya.example/one created
7 three created [domain x.example` + strange + `]
8 three failed short_code is that of a link at x.example, too, which was read: --only-host y.` +
				`example reads it
9 three failed short_code is that of a link at x.example, too, which was read
10 go.example/three created
11 four failed unknown domain: old.example
12 five failed domain is "no host"; it must be a host, such as go.example
13 go.example/ created
`,
		},
		{
			"short URLs", "short code,url,aliases\n" +
				"https://go.example/one,https://example.com/1,\n" +
				"http://GO.EXAMPLE:8443/two,https://example.com/2,docs/x\n" +
				"https://sho.rt/one,https://example.com/3,https://go.example/other\n" +
				"https://x.example/three,https://example.com/4,https://go.example/3\n" +
				"https://x.example/four,https://example.com/5,https://y.example/4\n" +
				"plain,https://example.com/6,\n",
			`2 go.example/one created
3 go.example/two created
4 one created [aliases lacks "other", which is at go.example: the link is on the default domain]
5 go.example/three created [domain x.example is none of this server: the link is on go.example]
6 four created [domain x.example` + strange + `; domain y.example` + strange + `]
7 plain created
`,
		},
	} {
		for _, query := range []string{"&dry_run=true", "", "&conflict=overwrite"} {
			f := newDomains(t, false, nil)
			var text strings.Builder
			for _, r := range f.sendTable(t, query, c.table).results {
				code := r.ShortCode
				if r.Line == 13 {
					code = ""
				}
				if r.Domain != "" {
					code = r.Domain + "/" + code
				}
				fmt.Fprintf(&text, "%d %s %s", r.Line, code, r.Result)
				if r.Error != "" {
					text.WriteString(" " + r.Error)
				}
				if len(r.Notes) > 0 {
					text.WriteString(" [" + strings.Join(r.Notes, "; ") + "]")
				}
				text.WriteString("\n")
			}
			sorted := strings.Split(text.String(), "\n")
			if diff := cmp.Diff(strings.Split(c.want, "\n"), byLine(sorted)); diff != "" {
				t.Errorf("%s%s: %s", c.name, query, diff)
			}
		}
	}
}

// byLine sorts results, of which failed ones may come early.
func byLine(results []string) []string {
	sorted := make([]string, 0, len(results))
	for line := 1; line < 100; line++ {
		for _, r := range results {
			if strings.HasPrefix(r, fmt.Sprint(line, " ")) {
				sorted = append(sorted, r)
			}
		}
	}
	return append(sorted, "")
}

// A server with one domain does not look at the hosts of rows, but loses none of one code at two.
func TestTablesOnOneDomain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	got := f.sendTable(t, "&guess=true", "domain,code,url\n"+
		"x.example,one,https://example.com/1\ny.example,one,https://example.com/1\n"+
		",two,https://example.com/2\nx.example,two,https://example.com/3\n")
	if got.summary.Created != 2 || got.summary.LinesFailed != 2 || len(got.results) != 4 {
		t.Fatalf("%+v", got)
	}
	for _, r := range got.results {
		if len(r.Notes) > 0 || r.Domain != "" {
			t.Errorf("%+v", r)
		}
	}
}

// The server's own CSV is taken back to the domains that it names.
func TestOwnTableOnDomains(t *testing.T) {
	t.Parallel()
	f := newDomains(t, false, nil)
	for _, host := range []string{ownHost, otherHost} {
		f.createOn(t, terse.Identity, host, "launch")
	}
	table := f.do(t, request{target: "/api/export?format=csv"}).body
	table = strings.Replace(table, "https://example.com/,", "https://example.com/own,", 1)
	f.do(t, request{
		method: http.MethodDelete, target: "/api/urls/launch?domain=" + otherHost,
	})
	got := f.sendTable(t, "&conflict=overwrite", table)
	if got.summary.Updated != 1 || got.summary.Created != 1 || got.summary.Failed != 1 {
		t.Fatalf("%+v\n%s", got, table)
	}
	if own := f.read(t, "launch"); own.OriginalURL != "https://example.com/own" {
		t.Errorf("%+v", own)
	}
}
