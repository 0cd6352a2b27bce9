// Command compare measures the server side by side with nginx, and at its own limits, on this
// machine: see docs/performance.md, which it writes its tables to. With -growth it measures how
// cost grows with the number of links and clicks.
//
// It needs Linux and two cores, and runs in the root of terse's source: make bench-compare. Servers
// have one core for themselves, the load another. All of it is on loopback, ends by itself, and
// leaves nothing but the document.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"os/user"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"terse/internal/pgtest"
)

// bench is one run of the program.
type bench struct {
	grow, full, short, keep bool
	only                    string
	document                string // to write to; "" only prints

	runs    int           // of each side
	seconds time.Duration // of one
	warmup  time.Duration // before each
	long    time.Duration // of full load

	dir    string // temporary, ours
	binary string
	nginx  string // path
	user   string // ours, for nginx's worker
}

// A run takes less than ten minutes, or with 10,000,000 links half an hour. More is broken.
const timeout = 45 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	err := run(ctx)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	b, err := parse()
	if err != nil {
		return err
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	if b.grow {
		return b.growth(ctx)
	}
	return b.compare(ctx)
}

// parse reads the command line.
func parse() (*bench, error) {
	b := &bench{warmup: time.Second}
	flag.BoolVar(&b.grow, "growth", false,
		"measure how cost grows with the number of links and clicks, instead")
	flag.BoolVar(&b.full, "full", false, "with 10,000,000 links instead of 1,000,000")
	flag.BoolVar(&b.short, "short", false, "a few short runs, to see that it works; not written")
	flag.BoolVar(&b.keep, "keep", false, "keep the seeded databases in bin/bench-cache")
	flag.StringVar(&b.only, "only", "",
		"these scenarios only, separated by commas, not written: "+strings.Join(names(), ","))
	flag.StringVar(&b.document, "write", "docs/performance.md", "document to write to; empty: none")
	flag.IntVar(&b.runs, "runs", 7, "runs of each side")
	flag.DurationVar(&b.seconds, "run", 2*time.Second, "time of a run, in whole seconds")
	flag.DurationVar(&b.long, "long", time.Minute,
		"time of the long run at full load, in whole seconds, 12 at least")
	flag.Parse()
	if b.short {
		b.runs, b.seconds, b.long, b.document = 2, time.Second, 12*time.Second, ""
	}
	if b.only != "" {
		b.document = ""
		for name := range strings.SplitSeq(b.only, ",") {
			if !slices.Contains(names(), name) {
				return nil, fmt.Errorf("there is no scenario %q", name)
			}
		}
	}
	if flag.NArg() > 0 || b.runs < 1 || b.seconds < time.Second || b.long < 12*time.Second {
		return nil, errors.New("wrong usage; see -h")
	}
	return b, nil
}

// manyLinks is how many links are many.
func (b *bench) manyLinks() int {
	if b.full {
		return maxLinks
	}
	return maxLinks / 10
}

func randomLink() int { return rand.IntN(hotLinks) }

// say tells how far it is.
func (*bench) say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// prepare makes sure that all is there that is needed, and builds the server.
func (b *bench) prepare(ctx context.Context) (err error) {
	if err := b.needTools(ctx); err != nil {
		return err
	}
	me, err := user.Current()
	if err != nil {
		return err
	}
	b.user, b.binary = me.Username, "bin/terse"
	if out, err := exec.CommandContext(ctx, "make", "build").CombinedOutput(); err != nil {
		return fmt.Errorf("make build: %w\n%s", err, out)
	}
	if b.dir, err = os.MkdirTemp("", "terse-bench-"); err != nil {
		return err
	}
	return leaveServerCore(ctx)
}

// packages are the Debian packages of the tools, by their names.
var packages = map[string]string{"nginx": "nginx-light", "wrk": "wrk", "taskset": "util-linux"}

// needTools installs what is missing when that is possible without a question.
func (b *bench) needTools(ctx context.Context) error {
	if runtime.GOOS != "linux" || runtime.NumCPU() < 2 {
		return errors.New("this needs Linux and two cores: one for the server, one for the load")
	}
	missing := b.missing()
	if len(missing) == 0 {
		return nil
	}
	if _, err := os.Stat("/etc/debian_version"); err != nil || os.Geteuid() != 0 {
		return fmt.Errorf("install these first (names of Debian's packages): %s",
			strings.Join(missing, " "))
	}
	b.say("installing %s", strings.Join(missing, " "))
	for _, args := range [][]string{{"update"}, append([]string{
		"install", "-y",
		"--no-install-recommends",
	}, missing...)} {
		//nolint:gosec // all arguments are ours
		install := exec.CommandContext(ctx, "apt-get", append([]string{"-qq"}, args...)...)
		install.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := install.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %w\n%s", args[0], err, out)
		}
	}
	if missing = b.missing(); len(missing) > 0 {
		return fmt.Errorf("still missing: %s", strings.Join(missing, " "))
	}
	return nil
}

// missing returns the packages of missing tools, and finds nginx, which is not in everybody's PATH.
func (b *bench) missing() (missing []string) {
	for tool, name := range packages {
		if tool == "nginx" && b.grow {
			continue
		}
		path, err := exec.LookPath(tool)
		if err != nil {
			path, err = exec.LookPath("/usr/sbin/" + tool)
		}
		if err != nil {
			missing = append(missing, name)
		}
		if tool == "nginx" {
			b.nginx = path
		}
	}
	if !b.grow && !pgtest.Installed() {
		missing = append(missing, "postgresql")
	}
	slices.Sort(missing)
	return missing
}

// scenario is a group of rows.
type scenario struct {
	name string
	run  func(*bench, context.Context) ([]row, error)
}

func scenarios() []scenario {
	return []scenario{
		{name: "default", run: (*bench).defaults},
		{name: "warn", run: (*bench).quiet},
		{name: "always", run: (*bench).synced},
		{name: "unknown", run: (*bench).scanner},
		{name: "cold", run: (*bench).cold},
		{name: "soak", run: (*bench).soak},
		{name: "create", run: (*bench).creates},
		{name: "start", run: (*bench).begin},
		{name: "memory", run: (*bench).memoryUnderLoad},
		{name: "postgres", run: (*bench).onPostgres},
	}
}

func names() (names []string) {
	for _, s := range scenarios() {
		names = append(names, s.name)
	}
	return names
}

// compare runs the scenarios, prints the table, and writes it to the document.
func (b *bench) compare(ctx context.Context) error {
	began := time.Now()
	var rows []row
	var failed []error // the others are measured all the same, but nothing is written then
	for _, s := range scenarios() {
		if b.only != "" && !slices.Contains(strings.Split(b.only, ","), s.name) {
			continue
		}
		b.say("%4.0f s: %s", time.Since(began).Seconds(), s.name)
		of, err := s.run(b, ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			b.say("%s failed: %v", s.name, err)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
			continue
		}
		rows = append(rows, of...)
	}
	about, err := b.machine(ctx, time.Since(began))
	if err != nil {
		return err
	}
	text := about + "\n" + table(header, rows)
	fmt.Println(text)
	if b.document == "" || len(failed) > 0 {
		return errors.Join(failed...)
	}
	return writeBetween(b.document, "measured", text)
}
