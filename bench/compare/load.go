package main

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// connections is the number of keep-alive connections of all load.
	connections = 64
	// fewConnections is the number of connections whose latency is measured beside that load.
	fewConnections = 8
)

// Modes of wrk: see codes.lua.
const (
	known     = "known"
	byAlias   = "alias"
	regular   = "regular"
	flood     = "flood"
	anyLink   = "any"
	each      = "each"
	eachAlias = "each alias"
	steady    = "steady"
	zipf      = "zipf"
	unknown   = "unknown"
	create    = "create"
	seldom    = "seldom"
	limited   = "limited"
)

//go:embed codes.lua
var codesScript []byte

// script is the path of codesScript.
func (b *bench) script() string { return filepath.Join(b.dir, "codes.lua") }

// result is what wrk measured in one run.
type result struct {
	requests int64
	rate     float64       // requests/s
	p50, p99 float64       // of the latency, in µs
	cpu      time.Duration // of wrk itself
}

// wrk loads a server from loadCore for d, which is whole seconds: fully, or only with the few
// requests of the modes that measure latency beside a full load.
func (b *bench) wrk(ctx context.Context, p *process, mode string, links int, d time.Duration,
) (result, error) {
	ctx, cancel := context.WithTimeout(ctx, d+startTimeout)
	defer cancel()
	callers, patience := connections, 2*time.Second
	if mode == seldom || mode == limited { // which may wait for a batch or two
		callers, patience = fewConnections, 10*time.Second
	}
	cmd := onCore(ctx, loadCore, "wrk", "-t1", fmt.Sprintf("-c%d", callers),
		fmt.Sprintf("-d%ds", int(d.Seconds())), fmt.Sprintf("--timeout=%v", patience),
		"-s", b.script(), p.base(), "--",
		mode, strconv.Itoa(links), strconv.Itoa(rand.IntN(1<<30)), alphabet,
		strconv.Itoa(multiplier), token)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	r, err := parseWrk(string(out), mode == unknown)
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", p.name, err)
	}
	r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if mode != unknown && mode != create && mode != seldom {
		p.redirects.Add(r.requests)
	}
	return r, nil
}

// parseWrk reads the line that done in codes.lua writes. Every request must have been answered:
// with an error status if refused, otherwise without one.
func parseWrk(out string, refused bool) (result, error) {
	var r result
	var micros float64
	var errors, failed, late int64
	_, line, _ := strings.Cut(out, "RESULT ")
	if _, err := fmt.Sscan(line, &r.requests, &micros, &r.p50, &r.p99, &errors, &failed,
		&late); err != nil {
		return result{}, fmt.Errorf("wrk: %w: %s", err, out)
	}
	wanted := int64(0)
	if refused {
		wanted = r.requests
	}
	if r.requests == 0 || failed != 0 || late != 0 || errors != wanted {
		return result{}, fmt.Errorf(
			"wrk: of %d answers %d are errors, want %d; %d connections broke, %d answers took "+
				"too long", r.requests, errors, wanted, failed, late)
	}
	r.rate = float64(r.requests) / micros * 1e6
	return r, nil
}

// redirectOnce requests a code once.
func (p *process) redirectOnce(ctx context.Context, code string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base()+"/"+code, nil)
	if err != nil {
		return err
	}
	answer, err := transport.RoundTrip(request) // does not follow redirects
	if err != nil {
		return err
	}
	p.redirects.Add(1)
	if _ = answer.Body.Close(); answer.StatusCode != http.StatusFound {
		return fmt.Errorf("status %s, want 302", answer.Status)
	}
	return nil
}
