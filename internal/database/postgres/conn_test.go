package postgres

import (
	"runtime"
	"testing"
	"time"
)

// Only the parameters of the URL say how many connections there are and how long making one may
// take, not a password that happens to read like them.
func TestConfigOfAURL(t *testing.T) {
	t.Parallel()
	usual := int32(min(4*runtime.GOMAXPROCS(0), maxConns))
	for url, want := range map[string]struct {
		conns   int32
		timeout time.Duration
	}{
		"postgres://db/terse":                                        {usual, connectTimeout},
		"postgres://terse:pool_max_conns@db/terse":                   {usual, connectTimeout},
		"postgres://terse:connect_timeout@db/terse":                  {usual, connectTimeout},
		"postgres://db/terse?pool_max_conns=25&connect_timeout=7":    {25, 7 * time.Second},
		"postgres://terse:connect_timeout@db/terse?pool_max_conns=3": {3, connectTimeout},
	} {
		c, err := new(Store).config(url)
		if err != nil {
			t.Fatal(err)
		}
		if c.MaxConns != want.conns || c.ConnConfig.ConnectTimeout != want.timeout {
			t.Errorf("%s: %d connections, %v, want %v", url, c.MaxConns,
				c.ConnConfig.ConnectTimeout, want)
		}
	}
}
