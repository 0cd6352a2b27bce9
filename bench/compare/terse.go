package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"
)

const token = "bench-token"

// Series of /metrics.
const (
	redirected = `terse_http_requests_total{method="GET",route="/{shortCode}",status="302"}`
	backlog    = "terse_journal_backlog_bytes"
	ingestLag  = "terse_ingest_lag_seconds"
)

// drainTimeout bounds the wait until all clicks are counted. The bar is 30 s after a minute of full
// load.
const drainTimeout = 3 * time.Minute

// terseServer is our server, and what its database had when it started.
type terseServer struct {
	*process

	data   string
	count  func() (clicks int64, err error) // in the database
	clicks int64
}

// startTerse starts the server on a data folder, with the settings of a default start but for what
// env says and the limits of one client, which is all the load there is.
func (b *bench) startTerse(ctx context.Context, data string, env ...string) (*terseServer, error) {
	count := func() (int64, error) {
		clicks, _, err := counted(data)
		return clicks, err
	}
	clicks, err := count()
	if err != nil {
		return nil, err
	}
	s, err := b.startEmpty(ctx, data, env...)
	if err == nil {
		s.count, s.clicks = count, clicks
	}
	return s, err
}

// startEmpty is startTerse with a database of any kind, which has no clicks.
func (b *bench) startEmpty(ctx context.Context, data string, env ...string,
) (*terseServer, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	s := &terseServer{
		data:    data,
		process: &process{name: "terse", addr: addr, log: filepath.Join(data, "access.log")},
	}
	env = append([]string{
		"LISTEN_HOST=" + host, "SERVER_PORT=" + port, "DATA_DIR=" + data, "AUTH_TOKENS=" + token,
		"REDIRECT_RATE_LIMIT_PER_MINUTE=1000000000", "API_RATE_LIMIT_PER_MINUTE=1000000000",
	}, env...)
	if err := startProcess(ctx, s.process, env, b.binary, "serve"); err != nil {
		return nil, err
	}
	b.servers = append(b.servers, s)
	return s, nil
}

// startSeeded starts the server on a new data folder with n links.
func (b *bench) startSeeded(ctx context.Context, n int, env ...string) (*terseServer, error) {
	data, err := b.dataFolder(ctx, n)
	if err != nil {
		return nil, err
	}
	return b.startTerse(ctx, data, env...)
}

// metrics returns the values of series.
func (s *terseServer) metrics(ctx context.Context, series ...string) ([]float64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+"/metrics",
		nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(series))
	for i, name := range series {
		_, value, _ := strings.Cut(string(body), "\n"+name+" ")
		if _, err := fmt.Sscan(value, &values[i]); err != nil {
			return nil, fmt.Errorf("metric %s: %w", name, err)
		}
	}
	return values, nil
}

// drain waits until all clicks are counted. It asks seldom: an answer takes a millisecond of the
// CPU time that is measured.
func (s *terseServer) drain(ctx context.Context) error {
	return await(ctx, "all clicks to be counted", drainTimeout, 100*time.Millisecond,
		func() (bool, error) {
			left, err := s.metrics(ctx, backlog)
			return err == nil && left[0] == 0, err
		})
}

// settle brings the server to rest after a run. What is in the log's pages must not go to the disk
// during the next server's run.
func (s *terseServer) settle(ctx context.Context) error {
	return errors.Join(s.drain(ctx), s.process.settle(ctx))
}

// end stops the server in order, and fails unless the database has one click for every redirect
// that it answered, and clients got no more than that. Clients may have got less: some end while
// they are answered.
func (s *terseServer) end(ctx context.Context) error {
	err := s.drain(ctx)
	answered := []float64{0}
	if err == nil && s.redirects > 0 { // there is no series before the first
		answered, err = s.metrics(ctx, redirected)
	}
	if err := errors.Join(err, s.process.end(ctx)); err != nil {
		return err
	}
	clicks, err := s.count()
	if err != nil {
		return err
	}
	if clicks -= s.clicks; clicks != int64(answered[0]) || clicks < s.redirects {
		return fmt.Errorf(
			"%d clicks are counted of %.0f redirects answered, of which clients read %d", clicks,
			answered[0], s.redirects)
	}
	return nil
}
