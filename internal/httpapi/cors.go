package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// allowOrigin tells browsers that a page of an allowed origin may read an API answer.
// Tokens are sent by pages themselves, so that credentials (cookies) are never allowed.
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

// preflight answers OPTIONS. A browser that sends it carries no token.
func (s *service) preflight(w http.ResponseWriter, _ *http.Request, allow []string) {
	h := w.Header()
	h.Set("Allow", strings.Join(allow, ", "))
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Allow-Methods", strings.Join(allow, ", "))
		h.Set("Access-Control-Allow-Headers", strings.Join(requestHeaders, ", "))
		h.Set("Access-Control-Max-Age", "600") // seconds, which is what browsers keep at least
	}
	w.WriteHeader(http.StatusNoContent)
}
