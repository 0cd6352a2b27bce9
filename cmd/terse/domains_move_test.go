package main

import (
	"strings"
	"testing"
	"time"

	"terse/internal/database/postgres"
	"terse/internal/tests/foreign"
	"terse/internal/tests/pgtest"
)

// The links of one host come out of the data of a server that is stopped.
func TestExportOfADomainWithoutAServer(t *testing.T) {
	t.Parallel()
	foreign.Skip(t, "it exports the whole database")
	url := pgtest.URL(t)
	store, err := postgres.Open(t.Context(), postgres.Options{URL: url, Timeout: time.Minute})
	must(t, err)
	fillDomains(t, store)
	must(t, store.Close())
	for flag, data := range map[string]string{"--data-dir": domainsDir(t), "--database-url": url} {
		for host, want := range map[string]string{
			"Go.Example.": `"short_code":"launch","domain":"go.example","original_url":` +
				`"https://example.com/1"`,
			"s.example": `"short_code":"launch","original_url":"https://example.com/0"`,
		} {
			env := []string{"BASE_URL=https://s.example"}
			r := command(t, env, "", "export", "-", flag, data, "--domain", host)
			if r.code != 0 || !strings.Contains(r.out, want) ||
				strings.Count(r.out, `"type":"link"`) != 1 {
				t.Errorf("%s, %s: %+v", flag, host, r)
			}
		}
		r := command(t, nil, "", "export", "-", flag, data, "--domain", "x.example")
		if r.code != 1 || r.err != "terse: unknown domain: x.example\n" {
			t.Errorf("%s, an unknown host: %+v", flag, r)
		}
	}
}
