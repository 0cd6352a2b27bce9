package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"terse"
)

// BenchmarkDomains asks a store with links of one owner, every second one on domain 1, what depends
// on the domains. URL is that of many links on many domains.
func BenchmarkDomains(b *testing.B, s Store, url terse.URL) {
	for on := range terse.Domain(2) {
		some := terse.SomeLinks{Domain: &on}
		bench := func(name string, f func() error) {
			b.Run(fmt.Sprintf("%s/domain=%d", name, on), func(b *testing.B) {
				for b.Loop() {
					must(b, f())
				}
			})
		}
		bench("series", func() error {
			_, err := s.Series(b.Context(), terse.AllLinks, terse.SeriesQuery{
				Range: terse.AllTime, Owner: terse.Identity, Some: some, Top: 10,
			})
			return err
		})
		bench("events", func() error {
			_, err := s.Events(b.Context(), terse.AllLinks, terse.EventQuery{
				Range: terse.AllTime, Owner: terse.Identity, Some: some, Limit: 100,
			})
			return err
		})
		bench("links", func() error {
			_, err := s.Links(b.Context(), terse.LinkQuery{
				Owner: terse.Identity, Limit: 100, Filter: terse.LinkFilter{Domain: &on},
			})
			return err
		})
		bench("newest", func() error {
			return s.Transact(b.Context(), func(tx terse.Tx) error {
				_, err := tx.NewestTo(b.Context(), terse.Identity, on, url, time.Now())
				if errors.Is(err, terse.ErrNotFound) {
					return nil
				}
				return err
			})
		})
	}
	b.Run("domains", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Domains(b.Context())
			must(b, err)
		}
	})
}
