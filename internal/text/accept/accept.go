// Package accept parses what a client accepts (RFC 9110, 12.5) and prefers (RFC 7240).
package accept

import (
	"net/http"
	"strconv"
	"strings"
)

// Gzip reports whether a request's header allows gzip in the answer and does not prefer an
// uncompressed one.
func Gzip(header http.Header) bool { return Coding(header, "gzip") != "" }

// Coding returns which of the content codings, the best first, a request's header allows and
// prefers. It returns "" if an uncompressed answer is preferred.
func Coding(header http.Header, codings ...string) (best string) {
	named, others, most := map[string]float64{}, 0.0, 0.0
	for part := range strings.SplitSeq(strings.Join(header["Accept-Encoding"], ","), ",") {
		name, parameter, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		name = strings.TrimPrefix(name, "x-") // as of x-gzip, see RFC 9110, 8.4.1.3
		if q := weight(parameter); name == "*" {
			others = q
		} else {
			named[name] = max(named[name], q)
		}
	}
	for _, coding := range codings {
		q, ok := named[coding]
		if !ok {
			q = others
		}
		if q > most && q >= named["identity"] {
			best, most = coding, q
		}
	}
	return best
}

// weight parses a weight. It returns 1 for an empty parameter and 0 for one that is not a weight.
func weight(parameter string) float64 {
	parameter = strings.ToLower(strings.TrimSpace(parameter))
	if parameter == "" {
		return 1
	}
	value, isWeight := strings.CutPrefix(parameter, "q=")
	q, err := strconv.ParseFloat(value, 64)
	if !isWeight || err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}
