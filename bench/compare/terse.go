package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"terse/api"
	"terse/internal/tests/freeport"
)

const token = "bench-token"

// Series of /metrics.
const (
	redirected = `terse_http_requests_total{method="GET",route="/{shortCode}",status="302"}`
	backlog    = "terse_journal_backlog_bytes"
)

// drainTimeout bounds the wait until all clicks are counted: up to 10,000,000 at once.
const drainTimeout = 3 * time.Minute

// program is a terse binary.
type program struct{ name, path string }

// terseServer is a server of a program.
type terseServer struct {
	*process

	data *data
}

// start starts a program on its data with default settings, except for env and the limits per
// client, because one client is all the load.
func (b *bench) start(ctx context.Context, d *data, env ...string) (*terseServer, error) {
	addr, err := freeport.Address(ctx)
	if err != nil {
		return nil, err
	}
	return b.startAt(ctx, d, &process{addr: addr}, addr, env...)
}

// startAt starts a program that is measured as a process and listens for HTTP at an address.
func (b *bench) startAt(ctx context.Context, d *data, p *process, addr string, env ...string,
) (*terseServer, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	p.name, p.log = d.of.name, filepath.Join(d.dir, "access.log")
	s := &terseServer{data: d, process: p}
	env = slices.Concat([]string{
		"LISTEN_HOST=" + host, "SERVER_PORT=" + port, "DATA_DIR=" + d.dir, "AUTH_TOKENS=" + token,
		"REDIRECT_RATE_LIMIT_PER_MINUTE=1000000000", "API_RATE_LIMIT_PER_MINUTE=1000000000",
	}, d.env, env)
	if err := startProcess(ctx, s.process, env, d.of.path, "serve"); err != nil {
		return nil, err
	}
	b.servers = append(b.servers, s)
	return s, nil
}

// stop ends a server before its scenario does.
func (b *bench) stop(ctx context.Context, s server) error {
	b.servers = slices.DeleteFunc(b.servers, func(other server) bool { return other == s })
	return s.end(ctx)
}

// startNew starts a program on new data with n links.
func (b *bench) startNew(ctx context.Context, of *program, kind store, n int,
) (*terseServer, error) {
	d, err := b.newData(ctx, of, kind, n, nil)
	if err != nil {
		return nil, err
	}
	return b.start(ctx, d)
}

// client returns a client for requests that are not measured.
func (s *terseServer) client() *api.Client { return api.New(s.base(), token) }

// get requests a path. It returns the unpacked body, and the time until its last byte arrived.
func (s *terseServer) get(ctx context.Context, path string) (string, time.Duration, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base()+path, nil)
	if err != nil {
		return "", 0, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	began := time.Now()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return "", 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	took := time.Since(began)
	if response.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: %s: %.200s", path, response.Status, body))
	}
	return string(body), took, err
}

// total returns the number of clicks, or of links, in an answer.
func total(body string) (int64, error) {
	var answer struct {
		TotalClicks int64 `json:"total_clicks"`
		Total       int64 `json:"total"`
	}
	err := json.Unmarshal([]byte(body), &answer)
	return max(answer.TotalClicks, answer.Total), err
}

// ask returns the total in the answer to a path.
func (s *terseServer) ask(ctx context.Context, path string) (int64, error) {
	body, _, err := s.get(ctx, path)
	if err != nil {
		return 0, err
	}
	return total(body)
}

// metric returns the value of a series.
func (s *terseServer) metric(ctx context.Context, series string) (value float64, err error) {
	body, _, err := s.get(ctx, "/metrics")
	if err != nil {
		return 0, err
	}
	_, text, _ := strings.Cut(body, "\n"+series+" ")
	if _, err := fmt.Sscan(text, &value); err != nil {
		return 0, fmt.Errorf("metric %s: %w", series, err)
	}
	return value, nil
}

// drain waits until all clicks are counted. It polls rarely: an answer takes a millisecond of the
// CPU time that is measured.
func (s *terseServer) drain(ctx context.Context) error {
	return await(ctx, "all clicks to be counted", drainTimeout, 100*time.Millisecond,
		func() (bool, error) {
			left, err := s.metric(ctx, backlog)
			return err == nil && left == 0, err
		})
}

// rest waits until all clicks are counted, and empties the log, whose pages must not go to disk
// during the next server's run.
func (s *terseServer) rest(ctx context.Context) error {
	return errors.Join(s.drain(ctx), s.process.rest(ctx))
}

// end shuts the server down in an orderly way. It fails unless the server has counted one click for
// every redirect that it answered, and clients received no more than that. They may have received
// fewer: some end while they are being answered.
func (s *terseServer) end(ctx context.Context) error {
	return errors.Join(s.prove(ctx), s.process.end(ctx))
}

func (s *terseServer) prove(ctx context.Context) error {
	if err := s.drain(ctx); err != nil {
		return err
	}
	var answered float64
	if s.redirects.Load() > 0 { // the series does not exist before the first
		var err error
		if answered, err = s.metric(ctx, redirected); err != nil {
			return err
		}
	}
	s.data.clicks += int64(answered)
	clicks, err := s.ask(ctx, "/api/overview")
	if err != nil {
		return err
	}
	if clicks != s.data.clicks || int64(answered) < s.redirects.Load() {
		return fmt.Errorf(
			"%d clicks are counted, want %d; of %.0f redirects answered clients read %d", clicks,
			s.data.clicks, answered, s.redirects.Load())
	}
	return nil
}
