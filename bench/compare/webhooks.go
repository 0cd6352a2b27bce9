package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"terse/api"
)

// webhooks measures redirects whose clicks a webhook gets. The receiver has the core of the load.
func (b *bench) webhooks(ctx context.Context) ([]row, error) {
	address, err := b.receive(ctx)
	if err != nil {
		return nil, err
	}
	told := hot
	told.env = []string{"WEBHOOK_ALLOWED_NETWORKS=127.0.0.1"}
	told.webhook = "http://" + address
	return b.redirects(ctx, comparison{
		name: "with a webhook of all clicks", load: told, beside: "none", usual: &hot,
		rate: least(0.98),
	})
}

// receive takes deliveries until the end of the scenario, and returns its address.
func (b *bench) receive(ctx context.Context) (address string, err error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the sender would try again
		}),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ln) }()
	b.leftovers = append(b.leftovers, func() error {
		err := server.Close()
		if serving := <-ended; !errors.Is(serving, http.ErrServerClosed) {
			err = errors.Join(err, serving)
		}
		return err
	})
	return ln.Addr().String(), nil
}

// sendClicks has a webhook get all clicks of a server.
func (s *terseServer) sendClicks(ctx context.Context, url string) error {
	_, err := s.client().Do(ctx, api.Request{
		Method: http.MethodPost, Path: "/api/webhooks",
		Body: map[string]any{"url": url, "events": []string{"clicks"}},
	})
	return err
}
