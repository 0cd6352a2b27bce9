package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// allowOrigin tells browsers that pages of an allowed origin may read an answer. Credentials
// (cookies) are never allowed, because pages send tokens themselves.
func (s *service) allowOrigin(w http.ResponseWriter, r *http.Request) {
	if len(s.AllowedOrigins) == 0 || !strings.HasPrefix(r.URL.Path, apiPrefix) {
		return
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(s.AllowedOrigins, origin) &&
		!slices.Contains(s.AllowedOrigins, "*") {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", strings.Join(answerHeaders, ", "))
}

// preflight answers OPTIONS, which browsers send without a token.
func (s *service) preflight(w http.ResponseWriter, _ *http.Request, allow []string) {
	h := w.Header()
	h.Set("Allow", strings.Join(allow, ", "))
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Allow-Methods", strings.Join(allow, ", "))
		h.Set("Access-Control-Allow-Headers", strings.Join(requestHeaders, ", "))
		h.Set("Access-Control-Max-Age", "600") // seconds; no browser caps it lower
	}
	w.WriteHeader(http.StatusNoContent)
}
