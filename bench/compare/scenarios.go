package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"terse"
	"terse/api"
)

const (
	million = 1_000_000
	// hotLinks is the number of links in the hot scenarios: all of them fit into the cache.
	hotLinks = 100_000
)

// links returns the number of links for a scenario that should have n.
func (b *bench) links(n int) int {
	if b.short {
		return n / 10
	}
	return n
}

// manyLinks returns the number of links in scenarios with many.
func (b *bench) manyLinks() int {
	if b.full {
		return maxLinks
	}
	return b.links(million)
}

// programs returns the programs measured in turns: terse, and the other terse if there is one.
func (b *bench) programs() []*program {
	if b.other == nil {
		return []*program{b.ours}
	}
	return []*program{b.ours, b.other}
}

// besides returns a floor for the ratio to the usual counterpart of terse. It is not judged if
// another terse is the counterpart.
func (b *bench) besides(f *floor) *floor {
	if f == nil || b.other == nil {
		return f
	}
	return f.unjudged("that is not beside it")
}

// inTurns measures each subject once, then each once more, and so on. It returns the values of each
// measure for each subject.
func inTurns[T any](runs int, subjects []T, measure func(T) ([]float64, error),
) (values [][]series, err error) {
	for range runs {
		for i, subject := range subjects {
			of, err := measure(subject)
			if err != nil {
				return nil, err
			}
			for m, value := range of {
				if m == len(values) {
					values = append(values, make([]series, len(subjects)))
				}
				values[m][i] = append(values[m][i], value)
			}
		}
	}
	return values, nil
}

// target is a server under a kind of load.
type target struct {
	server

	mode  string
	links int
}

// measured holds the values of a target's runs.
type measured struct {
	rate, p50, p99 series
	cpu            series // µs of CPU a request, until the server is idle again
	rest           series // s from the end of the load until it is idle
	others         series // CPU of all other processes under load, as a share of a core
}

// usage is the CPU time used up to a moment.
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

// measure warms up, waits until the server is idle, and takes a sample.
func (b *bench) measure(ctx context.Context, t target, d time.Duration, m *measured) error {
	load := b.wrk
	if t.mode == greet {
		load = b.greet
	}
	if _, err := load(ctx, t.proc(), t.mode, t.links, b.warmup); err != nil {
		return fmt.Errorf("warm up: %w", err)
	}
	if err := t.rest(ctx); err != nil {
		return err
	}
	before, err := usedBy(t)
	if err != nil {
		return err
	}
	r, err := load(ctx, t.proc(), t.mode, t.links, d)
	if err != nil {
		return err
	}
	during, err := usedBy(t)
	if err != nil {
		return err
	}
	if err := t.rest(ctx); err != nil {
		return err
	}
	after, err := usedBy(t)
	m.add(r, before, during, after)
	return err
}

func (m *measured) add(r result, before, during, after usage) {
	m.rate = append(m.rate, r.rate)
	m.p50, m.p99 = append(m.p50, r.p50), append(m.p99, r.p99)
	m.cpu = append(m.cpu,
		float64((after.server-before.server).Microseconds())/float64(r.requests))
	m.rest = append(m.rest, after.at.Sub(during.at).Seconds())
	load := during.server - before.server
	m.others = append(m.others, max(
		0, (during.machine-before.machine-load-r.cpu).Seconds()/during.at.Sub(before.at).Seconds()))
}

// interleave runs two targets in turns.
func (b *bench) interleave(ctx context.Context, ours, other target, runs int, d time.Duration,
) (of, beside measured, err error) {
	for i := range runs {
		if err := b.measure(ctx, ours, d, &of); err != nil {
			return of, beside, err
		}
		if err := b.measure(ctx, other, d, &beside); err != nil {
			return of, beside, err
		}
		say("%d/%d: %.0f and %.0f requests/s, %.2f and %.2f µs", i+1, runs, of.rate[i],
			beside.rate[i], of.cpu[i], beside.cpu[i])
	}
	return of, beside, nil
}

// load is a kind of load on a server.
type load struct {
	kind  store
	mode  string
	links int
	env   []string
	// with TLS
	secure bool
	// options of the links; nil: none
	options optionsOf
	// domain of the links, "" for the default
	domain string
	// webhook that gets their clicks, "" for none
	webhook string
}

var hot = load{kind: sqlite, mode: known, links: hotLinks}

// comparison is a server under load beside another one.
type comparison struct {
	name   string
	load   load
	beside string
	usual  *load // of a terse beside it; nil: nginx with hot links
	// Three long runs instead of many short ones, so that most clicks are counted under load.
	long           bool
	rate, cpu, p99 *floor
}

// redirects measures a comparison, with a second terse under the same load if there is one.
func (b *bench) redirects(ctx context.Context, c comparison) ([]row, error) {
	name := c.name
	ours, err := b.target(ctx, b.ours, c.load)
	if err != nil {
		return nil, err
	}
	other := target{mode: known, links: hotLinks}
	switch {
	case b.other != nil:
		other, err = b.target(ctx, b.other, c.load)
	case c.usual != nil:
		other, err = b.target(ctx, b.ours, *c.usual)
	default:
		other.server, err = b.startNginx(ctx, c.load.secure)
	}
	if err != nil {
		return nil, err
	}
	if b.other == nil {
		name += ", beside " + c.beside
	}
	if err := errors.Join(b.fillCache(ctx, ours), b.fillCache(ctx, other)); err != nil {
		return nil, err
	}
	runs, d := b.runs, b.seconds
	if c.long {
		runs, d = min(b.runs, 3), b.long
	}
	of, beside, err := b.interleave(ctx, ours, other, runs, d)
	if err != nil {
		return nil, err
	}
	judge := func(f *floor) *floor { return b.besides(f.of(c.beside)) }
	if busy(of, beside) {
		c.rate, c.p99 = c.rate.unjudged(machineBusy), c.p99.unjudged(machineBusy)
	}
	rows := []row{
		figures(name, "requests/s", whole, []series{of.rate, beside.rate}, judge(c.rate)),
		figures("", "CPU µs/request until all is counted", ratio, []series{of.cpu, beside.cpu},
			judge(c.cpu)),
		figures("", "latency p50, µs", whole, []series{of.p50, beside.p50}, nil),
		figures("", "latency p99, µs", whole, []series{of.p99, beside.p99}, judge(c.p99)),
	}
	if c.long {
		rows = append(rows, figures("", "then until all is counted, s", tenths,
			[]series{of.rest, beside.rest}, nil))
	}
	return rows, nil
}

// fillCache requests each hot link once, so that all of them are in the cache before the first run.
func (b *bench) fillCache(ctx context.Context, t target) error {
	mode, is := map[string]string{known: each, byAlias: eachAlias}[t.mode]
	for d := 4 * time.Second; is; d *= 2 {
		r, err := b.wrk(ctx, t.proc(), mode, t.links, d)
		if err != nil {
			return fmt.Errorf("request each link once: %w", err)
		}
		is = r.requests < int64(t.links)
	}
	return nil
}

// target starts a server for a load.
func (b *bench) target(ctx context.Context, of *program, l load) (target, error) {
	var d *data
	var err error
	if l.domain == "" || of == b.other { // which may have no other domain, and serves its only one
		d, err = b.newData(ctx, of, l.kind, l.links, l.options)
	} else {
		d, err = b.newDomain(ctx, of, l.links, l.domain, l.env)
	}
	if err != nil {
		return target{}, err
	}
	start := b.start
	if l.secure {
		start = b.startSecure
	}
	s, err := start(ctx, d, l.env...)
	if err == nil && l.webhook != "" && of != b.other { // which is to be as it was before
		err = s.sendClicks(ctx, l.webhook)
	}
	return target{s, l.mode, l.links}, err
}

func (b *bench) defaults(ctx context.Context) ([]row, error) {
	return b.redirects(ctx, comparison{
		name: "default start", load: hot, beside: "nginx",
		rate: least(1), cpu: most(1, ""), p99: most(2, ""),
	})
}

// synced measures redirects that sync each click before the answer.
func (b *bench) synced(ctx context.Context) ([]row, error) {
	always := hot
	always.env = []string{"CLICK_SYNC=always"}
	return b.redirects(ctx, comparison{name: "CLICK_SYNC=always", load: always, beside: "nginx"})
}

// onPostgres measures redirects of links that are all in the cache, sooner or later.
func (b *bench) onPostgres(ctx context.Context) ([]row, error) {
	there := load{kind: postgres, mode: known, links: b.links(hotLinks)}
	return b.redirects(ctx, comparison{
		name: "on PostgreSQL", load: there, beside: "SQLite", usual: &hot,
	})
}

// soak measures a long time at full load: uniformly over hot links, and over many links of which
// some are far more popular than others.
func (b *bench) soak(ctx context.Context) ([]row, error) {
	rows, err := b.redirects(ctx, comparison{
		name: fmt.Sprintf("full load for %v, %s links, uniform", b.long, whole(hotLinks)),
		load: hot, beside: "nginx", long: true, rate: least(0.9),
	})
	if err != nil {
		return nil, err
	}
	if err := b.finish(ctx); err != nil {
		return nil, err
	}
	n := b.links(million)
	skewed, err := b.redirects(ctx, comparison{
		name: fmt.Sprintf("full load for %v, %s links, Zipf", b.long, whole(float64(n))),
		load: load{kind: sqlite, mode: zipf, links: n}, beside: "nginx", long: true,
		rate: least(0.75),
	})
	return append(rows, skewed...), err
}

// scanner requests codes that do not exist, each once.
func (b *bench) scanner(ctx context.Context) ([]row, error) {
	return b.redirects(ctx, comparison{
		name: "unknown codes", load: load{kind: sqlite, mode: unknown, links: hotLinks},
		beside: "hot links", usual: &hot, rate: least(0.4),
	})
}

// domains requests links of the default domain, and of another one, on a server with as many as it
// may have. All requests name the host "bench".
func (b *bench) domains(ctx context.Context) (rows []row, err error) {
	hosts := make([]string, terse.MaxDomains)
	for i := range hosts {
		hosts[i] = fmt.Sprintf("go%d.example", i)
	}
	ours, others := hot, hot
	ours.env = []string{"BASE_URL=http://bench", "DOMAINS=" + strings.Join(hosts, ",")}
	others.domain, hosts[len(hosts)/2] = "bench", "bench"
	others.env = []string{"BASE_URL=http://s.example", "DOMAINS=" + strings.Join(hosts, ",")}
	for _, c := range []comparison{
		{
			name: "the default one of 101 domains", load: ours, beside: "one domain",
			usual: &hot, rate: least(0.98),
		},
		{
			name: "another one of 101 domains", load: others, beside: "one domain",
			usual: &hot, rate: least(0.95),
		},
	} {
		of, err := b.redirects(ctx, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
		if err := b.finish(ctx); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// addresses requests links that have aliases: by their codes, by their aliases, and while case is
// ignored.
func (b *bench) addresses(ctx context.Context) (rows []row, err error) {
	aliased := hot
	aliased.options = func(i int) api.LinkOptions {
		return api.LinkOptions{Aliases: []string{"docs/" + codeOf(i)}}
	}
	byAliases, ignoring := aliased, aliased
	byAliases.mode = byAlias
	ignoring.env = []string{"IGNORE_CASE=true"}
	for _, c := range []comparison{
		{
			name: "codes, with an alias each", load: aliased, beside: "links without",
			usual: &hot, rate: least(0.98),
		},
		{
			name: "aliases", load: byAliases, beside: "their links' codes", usual: &aliased,
			rate: least(0.9),
		},
		{
			name: "codes, IGNORE_CASE=true", load: ignoring, beside: "without it",
			usual: &aliased, rate: least(0.95),
		},
	} {
		of, err := b.redirects(ctx, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
		if err := b.finish(ctx); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// strangers measures visitors who are all new, with new values.
func (b *bench) strangers(ctx context.Context) ([]row, error) {
	proxied := []string{"TRUSTED_PROXIES=127.0.0.1"}
	return b.redirects(ctx, comparison{
		name:   "each visitor another",
		load:   load{kind: sqlite, mode: flood, links: hotLinks, env: proxied},
		beside: "one visitor", rate: least(0.8),
		usual: &load{kind: sqlite, mode: regular, links: hotLinks, env: proxied},
	})
}

// cold requests links of which few are in the cache.
func (b *bench) cold(ctx context.Context) ([]row, error) {
	// MiB: at maxLinks, and the minimum that the server accepts.
	const mostCache, leastCache = 64, 32
	n := b.manyLinks()
	cache := max(leastCache, mostCache*n/maxLinks)
	return b.redirects(ctx, comparison{
		name: fmt.Sprintf("%s links, cache %d MiB", whole(float64(n)), cache),
		load: load{
			kind: sqlite, mode: anyLink, links: n,
			env: []string{fmt.Sprintf("CACHE_SIZE=%dMiB", cache)},
		},
		beside: "hot links", usual: &hot, rate: least(0.25),
	})
}

// memoryUnderLoad measures the memory of a server with a million links that were all requested.
func (b *bench) memoryUnderLoad(ctx context.Context) ([]row, error) {
	n := b.links(million)
	values, err := inTurns(1, b.programs(), func(of *program) ([]float64, error) {
		s, err := b.startNew(ctx, of, sqlite, n)
		if err != nil {
			return nil, err
		}
		for requests, d := int64(0), b.long; requests < int64(n); d *= 2 {
			r, err := b.wrk(ctx, s.process, each, n, d)
			if err != nil {
				return nil, err
			}
			requests = r.requests
		}
		_, most, err := s.memory()
		return []float64{most}, err
	})
	if err != nil {
		return nil, err
	}
	return []row{figures(fmt.Sprintf("%s links, all cached", whole(float64(n))), "most RSS, MiB",
		whole, values[0], most(300, " MiB"))}, nil
}
