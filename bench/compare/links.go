package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"terse/api"
)

const (
	alphabet   = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	codeLength = 7
	codeValues = 62 * 62 * 62 * 62 * 62 * 62 * 62

	// multiplier spreads the codes over all values. It is coprime to their number, so that no code
	// repeats. Its product with maxLinks is below 2^53, up to which numbers in Lua are exact.
	multiplier = 800_000_011
	maxLinks   = 10_000_000
)

// codeOf returns the code of the i-th link, from 1 to maxLinks: 7 characters that look random. They
// are computed from i, so that the load generator can request any of 10,000,000 links without a
// table.
func codeOf(i int) string {
	var code [codeLength]byte
	v := int64(i) * multiplier % codeValues
	for at := codeLength - 1; at >= 0; at-- {
		code[at] = alphabet[v%62]
		v /= 62
	}
	return string(code[:])
}

// urlOf returns the URL of the i-th link, of about 60 bytes.
func urlOf(i int) string {
	return fmt.Sprintf("https://example.com/some/longer/path/of/a/page?article=%d", i)
}

// mapFile returns the links as lines of nginx's map.
func mapFile(n int) []byte {
	var lines bytes.Buffer
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&lines, "/%s %s;\n", codeOf(i), urlOf(i))
	}
	return lines.Bytes()
}

// optionsOf returns the options of the i-th link. A nil optionsOf means none.
type optionsOf func(i int) api.LinkOptions

// data is a server's data, and what the server must have counted.
type data struct {
	of     *program
	dir    string
	env    []string // names the database, unless it is SQLite's in dir, and domains
	domain string   // of the links, "" for the default
	url    string   // of the database, "" for SQLite's
	ids    []int64  // of the links, as used in journals
	clicks int64
}

// newData makes a data folder for a program, and a database with n links. The program creates the
// links itself, through its API, so that it may have any schema.
func (b *bench) newData(ctx context.Context, of *program, kind store, n int, options optionsOf,
) (d *data, err error) {
	d = &data{of: of}
	if d.dir, err = b.workFolder(); err != nil {
		return nil, err
	}
	if kind == sqlite {
		from, err := b.seeded(ctx, of, n, options)
		if err != nil {
			return nil, err
		}
		d.ids = from.ids
		return d, os.CopyFS(d.dir, os.DirFS(from.dir))
	}
	if d.url, err = b.newDatabase(ctx, kind); err != nil {
		return nil, err
	}
	d.env = []string{"DATABASE_URL=" + d.url}
	return d, b.fill(ctx, d, n, options)
}

// newDomain is newData for a domain beside the default one, which env has the server serve.
func (b *bench) newDomain(ctx context.Context, of *program, n int, domain string, env []string,
) (d *data, err error) {
	d = &data{of: of, env: env, domain: domain}
	if d.dir, err = b.workFolder(); err != nil {
		return nil, err
	}
	return d, b.fill(ctx, d, n, nil)
}

// seeded returns a folder with an SQLite database of n links, which a run makes only once.
func (b *bench) seeded(ctx context.Context, of *program, n int, options optionsOf,
) (*data, error) {
	name := fmt.Sprintf("%s-%d-%t", of.name, n, options != nil)
	if d := b.seeds[name]; d != nil {
		return d, nil
	}
	d := &data{of: of, dir: filepath.Join(b.dir, name)}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		return nil, err
	}
	err := b.fill(ctx, d, n, options)
	if err == nil {
		b.seeds[name] = d
	}
	return d, err
}

// fill creates n links in an empty database. Transactions with many links save most of the time,
// but with too many links they exceed DB_TIMEOUT on a busy machine.
func (b *bench) fill(ctx context.Context, d *data, n int, options optionsOf) error {
	say("making %d links", n)
	s, err := b.start(ctx, d)
	if err != nil {
		return err
	}
	const most = 200 // of a bulk request
	for len(d.ids) < n {
		var operations []api.Operation
		for i := len(d.ids) + 1; i <= n && len(operations) < most; i++ {
			code := codeOf(i)
			link := api.CreateRequest{OriginalURL: urlOf(i), ShortCode: &code, Domain: d.domain}
			if options != nil {
				link.LinkOptions = options(i)
			}
			operations = append(operations, api.Operation{Op: "create", Link: link})
		}
		results, err := s.client().Bulk(ctx, api.Bulk{Operations: operations, Atomic: true})
		if err != nil {
			return err
		}
		for _, r := range results {
			if r.Link == nil {
				return fmt.Errorf("link %d was not made: %+v", len(d.ids)+1, r)
			}
			d.ids = append(d.ids, r.Link.ID)
		}
	}
	return b.stop(ctx, s)
}
