package importer

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"terse/internal/link/hosts"
	"terse/internal/link/manage"
)

// endsAfter is a context that ends after so many looks at it.
type endsAfter struct {
	context.Context //nolint:containedctx // it is one
	looks           int
}

func (c *endsAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// An import of a body without lines ends with its context, however few bytes that is.
func TestStopsWithoutLines(t *testing.T) {
	t.Parallel()
	i := &Importer{Options: Options{
		Dir: t.TempDir(),
		Manager: manage.New(manage.Options{
			Hosts: hosts.New(hosts.Options{BaseURL: "https://sho.rt"}),
		}),
	}}
	blank := bytes.Repeat([]byte{'\n'}, 16<<20)
	var gz, zst, empty bytes.Buffer
	for range 10_000 {
		if err := gzip.NewWriter(&empty).Close(); err != nil {
			t.Fatal(err)
		}
	}
	z := gzip.NewWriter(&gz)
	_, err := z.Write(blank)
	err = errors.Join(err, z.Close())
	packer, err2 := zstd.NewWriter(&zst)
	if err = errors.Join(err, err2); err == nil {
		_, err = packer.Write(blank)
		err = errors.Join(err, packer.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, encoding, text string }{
		{"plain", "", string(blank)},
		{"gzip", "gzip", gz.String()},
		{"zstd", "zstd", zst.String()},
		{"empty members", "gzip", empty.String()},
		{"table", "", "short_code,original_url\n" + strings.Repeat("\n", 1<<20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, err := i.Receive(t.Context(), strings.NewReader(tt.text), tt.encoding)
			if err != nil {
				t.Fatal(err)
			}
			defer body.Close()
			ctx := &endsAfter{t.Context(), 3}
			if err := i.Check(ctx, body, Request{Format: Auto}); !errors.Is(err, errStopped) {
				t.Errorf("error %v", err)
			}
			if ctx.looks < -20 {
				t.Errorf("it was looked at %d times after its end", -ctx.looks)
			}
		})
	}
}
