package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
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

// terseServer is our server, and what it owes.
type terseServer struct {
	process
	data   string
	count  func() (clicks int64, err error) // in the database
	clicks int64                            // counted in the database when it started
	owed   int64                            // redirects that clients were answered since
}

// startTerse starts the server on a data folder, with the settings of a default start but for what
// env says and the limits of one client, which is all the load there is.
func (b *bench) startTerse(ctx context.Context, data string, env ...string) (*terseServer, error) {
	count := func() (int64, error) {
		clicks, _, err := counted(data)
		return clicks, err
	}
	return b.startCounted(ctx, data, count, env...)
}

// startCounted is startTerse with a database of any kind.
func (b *bench) startCounted(ctx context.Context, data string, count func() (int64, error),
	env ...string,
) (*terseServer, error) {
	clicks, err := count()
	if err != nil {
		return nil, err
	}
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	s := &terseServer{
		data: data, count: count, clicks: clicks,
		process: process{name: "terse", addr: addr, log: filepath.Join(data, "access.log")},
	}
	env = append([]string{
		"LISTEN_HOST=" + host, "SERVER_PORT=" + port, "DATA_DIR=" + data, "AUTH_TOKENS=" + token,
		"REDIRECT_RATE_LIMIT_PER_MINUTE=1000000000", "API_RATE_LIMIT_PER_MINUTE=1000000000",
	}, env...)
	return s, startProcess(ctx, &s.process, env, b.binary, "serve")
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
	values, found := make([]float64, len(series)), 0
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		for i, name := range series {
			value, is := strings.CutPrefix(lines.Text(), name+" ")
			if !is {
				continue
			}
			if values[i], err = strconv.ParseFloat(value, 64); err != nil {
				return nil, fmt.Errorf("metric %s: %w", name, err)
			}
			found++
		}
	}
	if err := lines.Err(); err != nil || found != len(series) {
		return nil, fmt.Errorf("%d of the metrics %v found: %w", found, series, err)
	}
	return values, nil
}

// drain waits until all clicks are counted. It asks seldom: an answer takes a millisecond of the
// CPU time that is measured.
func (s *terseServer) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	for {
		left, err := s.metrics(ctx, backlog)
		if err != nil || left[0] == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%.0f bytes of clicks are not counted yet: %w", left[0], ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// settle brings the server to rest after a run. What is in the log's pages must not go to the disk
// during the next server's run.
func (s *terseServer) settle(ctx context.Context) error {
	return errors.Join(s.drain(ctx), s.process.settle(ctx))
}

func (p *process) settle(context.Context) error { return os.Truncate(p.log, 0) }

// prove stops the server in order, and fails unless the database has one click for every redirect
// that it answered, and clients got no more than that. Clients may have got less: some end while
// they are answered.
func (s *terseServer) prove(ctx context.Context) error {
	if err := s.drain(ctx); err != nil {
		return err
	}
	answered, err := s.metrics(ctx, redirected)
	if err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	clicks, err := s.count()
	if err != nil {
		return err
	}
	if clicks -= s.clicks; clicks != int64(answered[0]) || clicks < s.owed {
		return fmt.Errorf(
			"%d clicks are counted of %.0f redirects answered, of which clients read %d", clicks,
			answered[0], s.owed)
	}
	return nil
}

// remove takes a stopped server's data away.
func (s *terseServer) remove() error {
	return errors.Join(s.stop(), os.RemoveAll(s.data))
}
