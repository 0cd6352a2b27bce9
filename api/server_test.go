package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"terse/api"
	"terse/internal/auth"
	"terse/internal/database/sqlite"
	"terse/internal/httpapi"
	"terse/internal/link/hosts"
	"terse/internal/visit/ratelimit"
)

// demo is a server on a database of its own.
type demo struct {
	*httptest.Server
	store *sqlite.Store
	dir   string
}

// Close stops the server and removes its database.
func (d demo) Close() {
	d.Server.Close()
	_ = d.store.Close()
	_ = os.RemoveAll(d.dir)
}

func unlimited(netip.Addr) time.Duration { return 0 }

// exampleServer starts a server on an empty database, at the base URL https://sho.rt, and
// shortens some URLs.
func exampleServer(urls ...string) (server demo, token string) {
	const secret = "example-token"
	dir, err := os.MkdirTemp("", "terse-example-")
	if err != nil {
		panic(err)
	}
	store, err := sqlite.Open(context.Background(),
		sqlite.Options{Path: filepath.Join(dir, "terse.db")})
	if err != nil {
		panic(err)
	}
	tokens, err := auth.NewTokens([]string{secret})
	if err != nil {
		panic(err)
	}
	handler := httpapi.New(httpapi.Options{
		Store: store, StoreTimeout: time.Minute,
		Gate: auth.NewGate(auth.Options{Tokens: tokens}), BaseURL: "https://sho.rt",
		Limit: ratelimit.New(0), LimitSessions: ratelimit.New(0), LimitFailures: unlimited,
		Changed: func(string) {}, Metrics: http.NotFoundHandler(),
		Hosts:     hosts.New(hosts.Options{BaseURL: "https://sho.rt"}),
		Dashboard: http.NotFoundHandler(),
		Logger:    slog.New(slog.DiscardHandler),
	})
	server = demo{httptest.NewServer(handler), store, dir}
	client := api.New(server.URL, secret)
	for _, original := range urls {
		if _, err := client.Create(context.Background(),
			api.CreateRequest{OriginalURL: original}); err != nil {
			panic(err)
		}
	}
	return server, secret
}
