package accept

import (
	"net/http"
	"testing"
)

func TestGzip(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]bool{
		"gzip": true, "x-gzip": true, "br, GZIP;q=0.5": true, "gzip, deflate, br, zstd": true,
		"gzip ; Q=0.001": true, "*": true,
		"identity;q=0, gzip": true, "identity;q=0.5, gzip;q=0.5": true, "identity;q=0, *": true,
		"gzip;q=1.000": true,
		"":             false, ",": false, "deflate": false, "br": false, "identity": false,
		"identity;q=0": false,
		"gzip;q=0":     false, "gzip;q=0.000": false, "gzip;q=0, *": false, "*, gzip;q=0": false,
		"*;q=0":                false,
		"gzip;q=0.5, identity": false, "*;q=0.1, identity;q=0.2": false,
		"gzip;q=x": false, "gzip;q=": false, "gzip;q=2": false, "gzip;q=-1": false,
		"gzip;q=NaN": false, "gzip;level=1": false,
		"gzipped": false, "not gzip": false,
	} {
		if got := Gzip(http.Header{"Accept-Encoding": {accepted}}); got != want {
			t.Errorf("%q: %v, want %v", accepted, got, want)
		}
	}
	for _, c := range []struct {
		lines []string
		want  bool
	}{{nil, false}, {[]string{"br", "gzip"}, true}, {[]string{"*", "gzip;q=0"}, false}} {
		if got := Gzip(http.Header{"Accept-Encoding": c.lines}); got != c.want {
			t.Errorf("%q: %v, want %v", c.lines, got, c.want)
		}
	}
}
