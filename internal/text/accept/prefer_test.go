package accept_test

import (
	"net/http"
	"testing"

	"terse/internal/text/accept"
)

func TestPrefers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		lines []string
		want  bool
	}{
		{nil, false},
		{[]string{""}, false},
		{[]string{"error-field"}, true},
		{[]string{"  Error-FIELD\t"}, true},
		{[]string{"respond-async, wait=100, error-field"}, true},
		{[]string{"respond-async;foo,error-field; a=b"}, true},
		{[]string{"return=minimal", "handling=lenient, error-field"}, true},
		{[]string{",, ,error-field,"}, true},
		{[]string{`error-field=""`}, true},
		{[]string{"error-field ="}, true},
		{[]string{`note="a, b; c", error-field`}, true},
		{[]string{`note="a \\", error-field`}, true},
		{[]string{`note="a \", error-field, b"`}, false},
		{[]string{`note="a, error-field"`}, false},
		{[]string{`note="a`, "error-field"}, true}, // what is malformed spoils its own line only
		{[]string{"error-field=false"}, false},
		{[]string{"error-field=x, error-field"}, false}, // the first counts
		{[]string{"error-field", "error-field=x"}, true},
		{[]string{"error-fields"}, false},
		{[]string{"error-field x"}, false},
		{[]string{"foo;error-field"}, false}, // a parameter of another
		{[]string{"foo=error-field"}, false},
	} {
		header := http.Header{"Prefer": tt.lines}
		if got := accept.Prefers(header, "error-field"); got != tt.want {
			t.Errorf("Prefer: %q: %v", tt.lines, got)
		}
	}
}
