package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// hotLinks is how many links the hot scenarios have: all of them fit into the cache.
const hotLinks = 100_000

// manyLinks is how many links are many.
func (b *bench) manyLinks() int {
	if b.full {
		return maxLinks
	}
	return maxLinks / 10
}

// target is a server under a kind of load.
type target struct {
	server

	mode  string
	links int
}

func hot(s server) target { return target{s, known, hotLinks} }

// measured are the values of a target's runs.
type measured struct {
	rate, p50, p99 series
	cpu            series // µs of CPU a request while the load lasts
	allCPU         series // the same until the server is at rest again
	others         series // CPU of all other processes in that time, as share of a core
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
		u.server, err = t.proc().cpu()
	}
	return u, err
}

// measure warms up, waits until the server rests, and takes a sample.
func (b *bench) measure(ctx context.Context, t target, d time.Duration, m *measured) error {
	if _, err := b.wrk(ctx, t.proc(), t.mode, t.links, b.warmup); err != nil {
		return fmt.Errorf("warm up: %w", err)
	}
	if err := t.settle(ctx); err != nil {
		return err
	}
	before, err := usedBy(t)
	if err != nil {
		return err
	}
	r, err := b.wrk(ctx, t.proc(), t.mode, t.links, d)
	if err != nil {
		return err
	}
	during, err := usedBy(t)
	if err != nil {
		return err
	}
	if err := t.settle(ctx); err != nil {
		return err
	}
	after, err := usedBy(t)
	m.add(r, before, during, after)
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
}

// interleave runs two targets in turns.
func (b *bench) interleave(ctx context.Context, ours, other target,
) (of, beside measured, err error) {
	for i := range b.runs {
		if err := b.measure(ctx, ours, b.seconds, &of); err != nil {
			return of, beside, err
		}
		if err := b.measure(ctx, other, b.seconds, &beside); err != nil {
			return of, beside, err
		}
		say("%d/%d: %.0f and %.0f requests/s, %.2f and %.2f µs", i+1, b.runs, of.rate[i],
			beside.rate[i], of.cpu[i], beside.cpu[i])
	}
	return of, beside, nil
}

// bars are what a comparison has to reach; nil is not judged. The one for CPU time includes what
// the ingest does after the load.
type bars struct{ rate, cpu, p99 *bar }

// rows are those of two servers that were measured in turns.
func (m *measured) rows(name string, other measured, to bars) []row {
	return []row{
		compared(name, "requests/s", whole, m.rate, other.rate, to.rate),
		compared("", "CPU µs/request under load", ratio, m.cpu, other.cpu, nil),
		compared("", "CPU µs/request until all is counted", ratio, m.allCPU, other.allCPU,
			to.cpu),
		compared("", "latency p50, µs", whole, m.p50, other.p50, nil),
		compared("", "latency p99, µs", whole, m.p99, other.p99, to.p99),
	}
}

// against compares terse with nginx, both on hotLinks.
func (b *bench) against(ctx context.Context, name string, logged bool, to bars, env ...string,
) ([]row, error) {
	ours, err := b.startSeeded(ctx, hotLinks, env...)
	if err != nil {
		return nil, err
	}
	nginx, err := b.startNginx(ctx, logged)
	if err != nil {
		return nil, err
	}
	of, beside, err := b.interleave(ctx, hot(ours), hot(nginx))
	if err != nil {
		return nil, err
	}
	to.rate, to.p99 = to.rate.quietly(of, beside), to.p99.quietly(of, beside)
	return of.rows(name, beside, to), nil
}

func (b *bench) defaults(ctx context.Context) ([]row, error) {
	return b.against(ctx, "default start", true, bars{atLeast(1), atMost(1, ""), atMost(1.5, "")})
}

func (b *bench) quiet(ctx context.Context) ([]row, error) {
	return b.against(ctx, "LOG_LEVEL=warn, nginx without log", false,
		bars{atLeast(1.05), atMost(0.95, ""), atMost(1.5, "")}, "LOG_LEVEL=warn")
}

func (b *bench) synced(ctx context.Context) ([]row, error) {
	return b.against(ctx, "CLICK_SYNC=always", true, bars{rate: atLeast(0.5)}, "CLICK_SYNC=always")
}

// scanner asks for codes that do not exist, each once.
func (b *bench) scanner(ctx context.Context) ([]row, error) {
	return b.attack(ctx, unknown, "unknown codes, beside terse's hot links", known, 0.8)
}

// strangers are visitors of whom each is new, and so is all that is known of them.
func (b *bench) strangers(ctx context.Context) ([]row, error) {
	return b.attack(ctx, flood, "each visitor another, beside one visitor's visits", regular, 0.9,
		"TRUSTED_PROXIES=127.0.0.1")
}

// attack compares what is meant to be dear with what is usual, on two servers.
func (b *bench) attack(ctx context.Context, mode, name, usual string, rate float64, env ...string,
) ([]row, error) {
	attacked, err := b.startSeeded(ctx, hotLinks, env...)
	if err != nil {
		return nil, err
	}
	other, err := b.startSeeded(ctx, hotLinks, env...)
	if err != nil {
		return nil, err
	}
	attack, beside := target{attacked, mode, hotLinks}, target{other, usual, hotLinks}
	// What any load makes a server occupy is not the attack's. Both have all links in memory then.
	for _, t := range []target{{attacked, usual, hotLinks}, beside, attack, beside} {
		if err := b.measure(ctx, t, b.seconds, &measured{}); err != nil {
			return nil, err
		}
	}
	start, _, err := attacked.memory()
	if err != nil {
		return nil, err
	}
	of, others, err := b.interleave(ctx, attack, beside)
	if err != nil {
		return nil, err
	}
	end, _, err := attacked.memory()
	to := bars{rate: atLeast(rate).quietly(of, others)}
	return append(of.rows(name, others, to), row{
		"", "RSS after and before the runs, MiB", whole(end), whole(start), ratio(end / start), "",
		atMost(1.1, "").verdict(end / start),
	}), err
}

// cold asks for links of which few are in the cache.
func (b *bench) cold(ctx context.Context) ([]row, error) {
	// MiB, at maxLinks and at least; the server takes no less.
	const mostCache, leastCache = 64, 32
	cache := max(leastCache, mostCache*b.manyLinks()/maxLinks)
	many, err := b.startSeeded(ctx, b.manyLinks(), fmt.Sprintf("CACHE_SIZE=%dMiB", cache))
	if err != nil {
		return nil, err
	}
	few, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	of, beside, err := b.interleave(ctx,
		target{many, anyLink, b.manyLinks()}, hot(few))
	if err != nil {
		return nil, err
	}
	cached, err := many.metrics(ctx, "terse_cache_hits_total", "terse_cache_misses_total")
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s links, cache %d MiB, beside terse's hot links",
		whole(float64(b.manyLinks())), cache)
	to := bars{rate: atLeast(0.5).quietly(of, beside)}
	return append(of.rows(name, beside, to), single("", "found in the cache, %", percent,
		series{cached[0] / (cached[0] + cached[1])}, nil)), nil
}

// soak is a long time at full load, then less: uniformly from hot links, and from many of which
// some are asked for far more often than others.
func (b *bench) soak(ctx context.Context) ([]row, error) {
	uniform, err := b.fullLoad(ctx, known, hotLinks, 0.9)
	if err != nil {
		return nil, err
	}
	skewed, err := b.fullLoad(ctx, zipf, maxLinks/10, 0.75)
	return append(uniform, skewed...), err
}

// fullLoad has nginx for a part of the time before and after. The rate must be at least this part
// of nginx's.
func (b *bench) fullLoad(ctx context.Context, mode string, links int, least float64,
) ([]row, error) {
	server, err := b.startSeeded(ctx, links)
	if err != nil {
		return nil, err
	}
	nginx, err := b.startNginx(ctx, true)
	if err != nil {
		return nil, err
	}
	var beside, warm measured
	if err := errors.Join(b.measure(ctx, hot(nginx), b.long/12, &beside),
		b.measure(ctx, target{server, mode, links}, b.seconds,
			&warm)); err != nil {
		return nil, err
	}
	say("full load for %v", b.long)
	full, err := b.wrk(ctx, server.process, mode, links, b.long)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := server.drain(ctx); err != nil {
		return nil, err
	}
	drained := time.Since(began)
	if err := errors.Join(server.settle(ctx),
		b.measure(ctx, hot(nginx), b.long/12, &beside)); err != nil {
		return nil, err
	}
	_, most, err := server.memory()
	if err != nil {
		return nil, err
	}
	age, err := b.ageUnderLoad(ctx, server)
	of := full.rate / beside.rate.median()
	return []row{
		{
			fmt.Sprintf("full load for %v, %s links, %s; redirects and ingest on one core", b.long,
				whole(float64(links)), map[string]string{known: "uniform", zipf: "Zipf"}[mode]),
			"requests/s", whole(full.rate), beside.rate.spread(whole), ratio(of), "",
			atLeast(least).quietly(beside, warm).verdict(of),
		},
		single("", "then until all is counted, s", tenths, series{drained.Seconds()},
			atMost(30, " s")),
		single("", "most RSS, MiB", whole, series{most}, nil),
		single("", "then a quarter of it: most age of a click when it is counted, s", ratio,
			series{age}, atMost(2, " s")),
	}, err
}

// ageUnderLoad is how old clicks become until they are counted, at a load below what the server
// can.
func (b *bench) ageUnderLoad(ctx context.Context, s *terseServer) (most float64, err error) {
	// The metric is that of the last batch, at first of one of the full load.
	if _, err := b.wrk(ctx, s.process, calm, hotLinks, 2*b.warmup); err != nil {
		return 0, err
	}
	if err := s.drain(ctx); err != nil {
		return 0, err
	}
	loaded := make(chan error, 1)
	go func() {
		_, err := b.wrk(ctx, s.process, calm, hotLinks, b.long/3)
		loaded <- err
	}()
	for {
		select {
		case err := <-loaded:
			return most, err
		case <-time.After(50 * time.Millisecond):
		}
		values, err := s.metrics(ctx, ingestLag)
		if err != nil {
			return 0, errors.Join(err, <-loaded)
		}
		most = max(most, values[0])
	}
}

// creates makes links with as many callers as connections.
func (b *bench) creates(ctx context.Context) ([]row, error) {
	server, err := b.startSeeded(ctx, hotLinks)
	if err != nil {
		return nil, err
	}
	var rates series
	made := int64(hotLinks)
	for range b.runs {
		r, err := b.wrk(ctx, server.process, create, hotLinks, b.seconds)
		if err != nil {
			return nil, err
		}
		rates = append(rates, r.rate)
		made += r.requests
	}
	if err := b.finish(ctx); err != nil {
		return nil, err
	}
	// wrk ends while its last requests are answered.
	if _, links, err := counted(server.data); err != nil || links < made ||
		links > made+int64(connections*b.runs) {
		return nil, fmt.Errorf("%d links are stored, %d were acknowledged: %w", links, made, err)
	}
	return []row{single(fmt.Sprintf("create links over HTTP, %d callers", connections), "creates/s",
		whole, rates, atLeast(8000))}, nil
}

// begin starts the server on many links until it redirects the first time.
func (b *bench) begin(ctx context.Context) ([]row, error) {
	data, err := b.dataFolder(ctx, b.manyLinks())
	if err != nil {
		return nil, err
	}
	var took, idle series
	for range b.runs {
		server, err := b.startTerse(ctx, data)
		if err != nil {
			return nil, err
		}
		err = server.redirectOnce(ctx, codeOf(1+rand.IntN(b.manyLinks())))
		took = append(took, float64(time.Since(server.born).Microseconds())/1000)
		now, _, memoryErr := server.memory()
		idle = append(idle, now)
		if err := errors.Join(err, memoryErr, b.finish(ctx)); err != nil {
			return nil, err
		}
	}
	return []row{
		single(fmt.Sprintf("start with %s links", whole(float64(b.manyLinks()))),
			"until the first redirect, ms", tenths, took, atMost(100, " ms")),
		single("", "RSS then, MiB", whole, idle, nil),
	}, nil
}

// memoryUnderLoad is what the server occupies with a million links that are all asked for.
func (b *bench) memoryUnderLoad(ctx context.Context) ([]row, error) {
	const links = 1_000_000
	server, err := b.startSeeded(ctx, links)
	if err != nil {
		return nil, err
	}
	r, err := b.wrk(ctx, server.process, anyLink, links, b.long/3)
	if err != nil {
		return nil, err
	}
	_, most, err := server.memory()
	return []row{
		single(fmt.Sprintf("%s links, all asked for", whole(links)), "most RSS, MiB", whole,
			series{most}, atMost(300, " MiB")),
		single("", "requests/s from an empty cache on", whole, series{r.rate}, nil),
	}, err
}
