// Package accept parses what a client accepts (RFC 9110, 12.5) and prefers (RFC 7240).
package accept

import (
	"net/http"
	"strconv"
	"strings"
)

// Gzip reports whether a request's header allows gzip in the answer and does not prefer an
// uncompressed one.
func Gzip(header http.Header) bool {
	gzip, others, plain := -1.0, 0.0, 0.0 // gzip is negative until it is named
	for part := range strings.SplitSeq(strings.Join(header["Accept-Encoding"], ","), ",") {
		coding, parameter, _ := strings.Cut(part, ";")
		switch q := weight(parameter); strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip", "x-gzip":
			gzip = max(gzip, q)
		case "*":
			others = q
		case "identity":
			plain = q
		}
	}
	if gzip < 0 {
		gzip = others
	}
	return gzip > 0 && gzip >= plain
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
