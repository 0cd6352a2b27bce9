package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// hotLinks is how many links the hot scenarios have: all of them fit into the cache.
const hotLinks = 100_000

// target is a server under a kind of load.
type target struct {
	server interface {
		cpu() (time.Duration, error)
		settle(ctx context.Context) error
	}
	name  string
	addr  string
	mode  string
	links int
	// what goes on during its runs, until the context ends; nil: nothing
	beside func(context.Context) error
}

func (s *terseServer) under(mode string, links int) target {
	return target{server: s, name: s.name, addr: s.addr, mode: mode, links: links}
}

func hotNginx(p *process) target {
	return target{server: p, name: p.name, addr: p.addr, mode: known, links: hotLinks}
}

// measured are the values of a target's runs.
type measured struct {
	rate, p50, p99 series
	cpu            series // µs of CPU a request while the load lasts
	allCPU         series // the same until the server is at rest again
	others         series // CPU of all other processes in that time, as share of a core
	requests       int64  // answered, those to warm up too
}

// usage is what was used up to a moment.
type usage struct {
	at              time.Time
	server, machine time.Duration // CPU
}

func usedBy(t target) (u usage, err error) {
	u.at = time.Now()
	u.machine, err = machineCPU()
	if err == nil {
		u.server, err = t.server.cpu()
	}
	return u, err
}

// measure makes one run, with what is to go on beside it.
func (b *bench) measure(ctx context.Context, t target, d time.Duration, m *measured) error {
	if t.beside == nil {
		return b.sample(ctx, t, d, m)
	}
	during, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- t.beside(during) }()
	err := b.sample(ctx, t, d, m)
	end()
	return errors.Join(err, <-ended)
}

// sample warms up, waits until the server rests, and takes a sample.
func (b *bench) sample(ctx context.Context, t target, d time.Duration, m *measured) error {
	warm, err := b.wrk(ctx, t.addr, t.mode, t.links, b.warmup)
	if err != nil {
		return fmt.Errorf("warm %s up: %w", t.name, err)
	}
	if err := t.server.settle(ctx); err != nil {
		return err
	}
	before, err := usedBy(t)
	if err != nil {
		return err
	}
	r, err := b.wrk(ctx, t.addr, t.mode, t.links, d)
	if err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	during, err := usedBy(t)
	if err != nil {
		return err
	}
	if err := t.server.settle(ctx); err != nil {
		return err
	}
	after, err := usedBy(t)
	m.add(r, before, during, after)
	m.requests += warm.requests
	return err
}

func (m *measured) add(r result, before, during, after usage) {
	requests, load := float64(r.requests), during.server-before.server
	m.rate = append(m.rate, r.rate)
	m.p50, m.p99 = append(m.p50, r.p50), append(m.p99, r.p99)
	m.cpu = append(m.cpu, float64(load.Microseconds())/requests)
	m.allCPU = append(m.allCPU, float64((after.server-before.server).Microseconds())/requests)
	m.others = append(m.others, max(
		0, (during.machine-before.machine-load-r.cpu).Seconds()/during.at.Sub(before.at).Seconds()))
	m.requests += r.requests
}

// interleave runs two targets in turns.
func (b *bench) interleave(ctx context.Context, name string, ours,
	other target,
) (of, beside measured, err error) {
	for i := range b.runs {
		if err := b.measure(ctx, ours, b.seconds, &of); err != nil {
			return of, beside, err
		}
		if err := b.measure(ctx, other, b.seconds, &beside); err != nil {
			return of, beside, err
		}
		b.say("%s %d/%d: %.0f and %.0f requests/s, %.2f and %.2f µs", name, i+1, b.runs, of.rate[i],
			beside.rate[i], of.cpu[i], beside.cpu[i])
	}
	return of, beside, nil
}

// against compares terse with nginx, both on hotLinks.
func (b *bench) against(ctx context.Context, name string, logged bool, rate, cpu, p99 *bar,
	env ...string,
) (_ []row, err error) {
	ours, err := b.startSeeded(ctx, hotLinks, env...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ours.remove()) }()
	nginx, err := b.startNginx(ctx, logged)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, nginx.stop()) }()
	of, beside, err := b.interleave(ctx, name, ours.under(known, hotLinks), hotNginx(nginx))
	if err != nil {
		return nil, err
	}
	ours.owed = of.requests
	return []row{
		compared(name, "requests/s", whole, of.rate, beside.rate, rate.quietly(of, beside)),
		compared("", "CPU µs/request under load", ratio, of.cpu, beside.cpu, cpu),
		compared("", "CPU µs/request until all is counted", ratio, of.allCPU, beside.allCPU, nil),
		compared("", "latency p50, µs", whole, of.p50, beside.p50, nil),
		compared("", "latency p99, µs", whole, of.p99, beside.p99, p99.quietly(of, beside)),
	}, ours.prove(ctx)
}

func (b *bench) defaults(ctx context.Context) ([]row, error) {
	return b.against(ctx, "default start", true, atLeast(1), atMost(1, ""), atMost(1.5, ""))
}

func (b *bench) quiet(ctx context.Context) ([]row, error) {
	return b.against(ctx, "LOG_LEVEL=warn, nginx without log", false, atLeast(1.05),
		atMost(0.95, ""), atMost(1.5, ""), "LOG_LEVEL=warn")
}

func (b *bench) synced(ctx context.Context) ([]row, error) {
	return b.against(ctx, "CLICK_SYNC=always", true, atLeast(0.5), nil, nil, "CLICK_SYNC=always")
}

// scanner asks for codes that do not exist, each once.
func (b *bench) scanner(ctx context.Context) (_ []row, err error) {
	scanned, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, scanned.remove()) }()
	other, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, other.remove()) }()
	// What any load makes a server occupy is not the unknown codes'.
	var warm measured
	scan := scanned.under(unknown, 0)
	if err := errors.Join(b.measure(ctx, scanned.under(known, hotLinks), b.seconds, &warm),
		b.measure(ctx, scan, b.seconds, &measured{})); err != nil {
		return nil, err
	}
	start, _, err := scanned.memory()
	if err != nil {
		return nil, err
	}
	of, beside, err := b.interleave(ctx, "unknown codes", scan, other.under(known, hotLinks))
	if err != nil {
		return nil, err
	}
	end, _, err := scanned.memory()
	if err != nil {
		return nil, err
	}
	scanned.owed, other.owed = warm.requests, beside.requests
	return []row{
		compared("unknown codes, beside terse's hot links", "requests/s", whole, of.rate,
			beside.rate, atLeast(0.8).quietly(of, beside)),
		compared("", "CPU µs/request under load", ratio, of.cpu, beside.cpu, nil),
		{
			"", "RSS after and before the runs, MiB", whole(end), whole(start), ratio(end / start),
			"",
			atMost(1.1, "").verdict(end / start),
		},
	}, errors.Join(scanned.prove(ctx), other.prove(ctx))
}

// cold asks for links of which few are in the cache.
func (b *bench) cold(ctx context.Context) (_ []row, err error) {
	// MiB, at maxLinks and at least; the server takes no less.
	const mostCache, leastCache = 64, 32
	cache := max(leastCache, mostCache*b.manyLinks()/maxLinks)
	many, err := b.startSeeded(ctx, b.manyLinks(), fmt.Sprintf("CACHE_SIZE=%dMiB", cache))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, many.remove()) }()
	few, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, few.remove()) }()
	of, beside, err := b.interleave(ctx, "cold links", many.under(anyLink, b.manyLinks()),
		few.under(known, hotLinks))
	if err != nil {
		return nil, err
	}
	cached, err := many.metrics(ctx, "terse_cache_hits_total", "terse_cache_misses_total")
	if err != nil {
		return nil, err
	}
	many.owed, few.owed = of.requests, beside.requests
	name := fmt.Sprintf("%s links, cache %d MiB, beside terse's hot links",
		whole(float64(b.manyLinks())), cache)
	return []row{
		compared(name, "requests/s", whole, of.rate, beside.rate, atLeast(0.5).quietly(of, beside)),
		compared("", "CPU µs/request under load", ratio, of.cpu, beside.cpu, nil),
		compared("", "latency p99, µs", whole, of.p99, beside.p99, nil),
		single("", "found in the cache, %", percent, series{cached[0] / (cached[0] + cached[1])},
			nil),
	}, errors.Join(many.prove(ctx), few.prove(ctx))
}

// soak is a long time at full load, with nginx for a part of it before and after; and then half of
// that load.
func (b *bench) soak(ctx context.Context) (_ []row, err error) {
	server, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.remove()) }()
	nginx, err := b.startNginx(ctx, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, nginx.stop()) }()

	var beside, warm measured
	besideSoak := func() error {
		return b.measure(ctx, hotNginx(nginx), b.long/12, &beside)
	}
	if err := errors.Join(besideSoak(), b.measure(ctx, server.under(known, hotLinks), b.seconds,
		&warm)); err != nil {
		return nil, err
	}
	b.say("full load for %v", b.long)
	full, err := b.wrk(ctx, server.addr, known, hotLinks, b.long)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := server.drain(ctx); err != nil {
		return nil, err
	}
	drained := time.Since(began)
	if err := errors.Join(server.settle(ctx), besideSoak()); err != nil {
		return nil, err
	}
	_, most, err := server.memory()
	if err != nil {
		return nil, err
	}
	server.owed = warm.requests + full.requests
	half, err := b.half(ctx, server, full.rate/2)
	if err != nil {
		return nil, err
	}
	nginxRate := beside.rate.median()
	return append([]row{
		{
			fmt.Sprintf("full load for %v, redirects and ingest on one core", b.long), "requests/s",
			whole(full.rate), beside.rate.spread(whole),
			ratio(full.rate / nginxRate), "", atLeast(0.7).quietly(beside,
				warm).verdict(full.rate / nginxRate),
		},
		single("", "then until all is counted, s", tenths, series{drained.Seconds()},
			atMost(30, " s")),
		single("", "most RSS, MiB", whole, series{most}, nil),
	}, half...), server.prove(ctx)
}

// half asks at a rate below what the server can, and looks how old clicks become until they are
// counted.
func (b *bench) half(ctx context.Context, server *terseServer, rate float64) ([]row, error) {
	b.say("half of that load for %v", b.long/3)
	watch, stop := context.WithCancel(ctx)
	defer stop()
	type lag struct {
		most float64
		err  error
	}
	watched := make(chan lag, 1)
	go func() {
		most, err := server.mostLag(watch)
		watched <- lag{most, err}
	}()
	began := time.Now()
	answered, err := together(ctx, server.addr, rate, b.long/3,
		func(c *client) error { return c.redirect(codeOf(1 + randomLink())) })
	if err != nil {
		return nil, err
	}
	reached := float64(answered) / time.Since(began).Seconds()
	stop()
	seen := <-watched
	server.owed += answered
	return []row{
		{
			"half of that load", "requests/s, beside the rate wanted", whole(reached), whole(rate),
			ratio(reached / rate), "", "",
		},
		single("", "most age of a click when it is counted, s", ratio, series{seen.most},
			atMost(2, " s")),
	}, seen.err
}

// mostLag watches the lag of the ingest until ctx ends.
func (s *terseServer) mostLag(ctx context.Context) (most float64, err error) {
	for {
		// To be asked for a metric must not fail only because the watch ended.
		values, err := s.metrics(context.WithoutCancel(ctx), ingestLag)
		if err != nil {
			return 0, err
		}
		most = max(most, values[0])
		select {
		case <-ctx.Done():
			return most, nil
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// creates makes links with as many callers as connections.
func (b *bench) creates(ctx context.Context) (_ []row, err error) {
	server, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.remove()) }()
	var rates series
	made := int64(hotLinks)
	for range b.runs {
		began := time.Now()
		n, err := together(ctx, server.addr, 0, b.seconds,
			func(c *client) error { return c.create(urlOf(1 + randomLink())) })
		if err != nil {
			return nil, err
		}
		rates = append(rates, float64(n)/time.Since(began).Seconds())
		made += n
	}
	if err := server.stop(); err != nil {
		return nil, err
	}
	if _, links, err := counted(server.data); err != nil || links != made {
		return nil, fmt.Errorf("%d links are stored, %d were acknowledged: %w", links, made, err)
	}
	return []row{single(fmt.Sprintf("create links over HTTP, %d callers", connections), "creates/s",
		whole, rates, atLeast(8000))}, nil
}

// begin starts the server on many links until it redirects the first time.
func (b *bench) begin(ctx context.Context) (_ []row, err error) {
	data, err := b.dataFolder(ctx, b.manyLinks())
	if err != nil {
		return nil, err
	}
	var took, idle series
	for i := range b.runs {
		server, err := b.startTerse(ctx, data)
		if err != nil {
			return nil, err
		}
		err = redirectOnce(server.addr, codeOf(1+i*b.manyLinks()/b.runs))
		took = append(took, float64(time.Since(server.born).Microseconds())/1000)
		now, _, memoryErr := server.memory()
		idle = append(idle, now)
		server.owed = 1
		if err := errors.Join(err, memoryErr, server.prove(ctx), server.stop()); err != nil {
			return nil, err
		}
	}
	return []row{
		single(fmt.Sprintf("start with %s links", whole(float64(b.manyLinks()))),
			"until the first redirect, ms", tenths, took, atMost(300, " ms")),
		single("", "RSS then, MiB", whole, idle, nil),
	}, nil
}

// memoryUnderLoad is what the server occupies with a million links that are all asked for.
func (b *bench) memoryUnderLoad(ctx context.Context) (_ []row, err error) {
	const links = 1_000_000
	server, err := b.startSeeded(ctx, links)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.remove()) }()
	r, err := b.wrk(ctx, server.addr, anyLink, links, b.long/3)
	if err != nil {
		return nil, err
	}
	_, most, err := server.memory()
	if err != nil {
		return nil, err
	}
	server.owed = r.requests
	return []row{
		single(fmt.Sprintf("%s links, all asked for", whole(links)), "most RSS, MiB", whole,
			series{most}, atMost(300, " MiB")),
		single("", "requests/s from an empty cache on", whole, series{r.rate}, nil),
	}, server.prove(ctx)
}
