package httpapi

import (
	"cmp"
	"context"
	_ "embed" // for the icon
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/api"
)

// readyTimeout keeps the readiness check shorter than probes usually wait.
const readyTimeout = 2 * time.Second

// health serves GET /health.
func (s *service) health(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	return respond(w, r, http.StatusOK, api.Status{Status: "ok"})
}

// ready serves GET /ready. The reason for a failure is always logged. Since it may name files and
// hosts, it is shown only to callers with a token who ask for it by ?verbose. They also learn how
// their request arrived, which shows whether a proxy is set up well.
func (s *service) ready(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()),
		min(s.StoreTimeout, readyTimeout))
	defer cancel()
	verbose := r.URL.Query().Has("verbose") && len(r.Header["Authorization"]) > 0
	if verbose {
		_, err := s.authenticateToken(r) // of any role
		if _, over := errors.AsType[limited](err); over {
			return err
		}
		verbose = err == nil
	}
	code, body := http.StatusOK, api.Status{Status: "ready"}
	if err := s.Store.Check(ctx); err != nil {
		s.Logger.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.Any("error", err))
		code, body.Status = http.StatusServiceUnavailable, "unavailable"
		if verbose {
			body.Error = detail(err.Error())
		}
	}
	if verbose && s.Warnings != nil {
		for _, warning := range s.Warnings() {
			body.Warnings = append(body.Warnings, detail(warning))
		}
	}
	if verbose {
		if client := clientAddr(r); client.IsValid() {
			body.ClientAddress = client.String()
		}
		forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ", ")
		body.Forwarded = strings.ToValidUTF8(forwarded, "\uFFFD")
	}
	return respond(w, r, code, body)
}

// detail shortens a message for a JSON answer. 500 bytes are enough for an operator, including the
// cause at the end of an error; the log has all of it.
func detail(message string) string {
	return strings.ToValidUTF8(message[:min(len(message), 500)], "")
}

// metrics serves GET /metrics to one caller at a time: gathering takes ten times the memory of the
// answer, and doing it a thousand times in parallel is no faster.
func (s *service) metrics(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	s.gathering.Lock()
	defer s.gathering.Unlock()
	s.Metrics.ServeHTTP(w, r)
	return nil
}

// oneDay lets clients cache what hardly ever changes.
const oneDay = "public, max-age=86400"

// robots serves GET /robots.txt.
func (s *service) robots(w http.ResponseWriter, _ *http.Request, _ terse.Caller) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", oneDay)
	_, _ = io.WriteString(w, "User-agent: *\nDisallow: "+s.basePath+apiPrefix+
		"\nDisallow: "+s.basePath+dashboard+"/\n")
	return nil
}

// icon is the dashboard's icon, for browsers that request it unasked.
//
//go:embed favicon.ico
var icon string

// favicon serves GET /favicon.ico.
func (s *service) favicon(w http.ResponseWriter, _ *http.Request, _ terse.Caller) error {
	w.Header().Set("Content-Type", "image/x-icon")
	w.Header().Set("Cache-Control", oneDay)
	_, _ = io.WriteString(w, icon)
	return nil
}

// openAPI serves GET /openapi.yaml, with the path below which this server is found.
func (s *service) openAPI(w http.ResponseWriter, _ *http.Request, _ terse.Caller) error {
	const server = "\nservers:\n  - url: "
	text := strings.Replace(api.OpenAPI, server+"/\n", server+cmp.Or(s.basePath, "/")+"\n", 1)
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = io.WriteString(w, text) // fails only if the caller has gone
	return nil
}
