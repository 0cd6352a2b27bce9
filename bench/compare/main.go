// Command compare measures the server beside nginx or another terse, and at its own limits, on this
// machine. It judges the figures by the floors, and writes its table to docs/performance.md.
//
// It needs Linux and two cores, and runs in the root of terse's source: make bench-compare. The
// servers have one core to themselves, the load the other. Everything is on loopback, ends by
// itself, and leaves nothing but the document.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"terse/internal/tests/pgtest"
)

// bench is one run of the program.
type bench struct {
	full, short bool
	only        string
	document    string // to write to; "" only prints

	runs    int           // of each side
	seconds time.Duration // of one run
	warmup  time.Duration // before each run
	long    time.Duration // of full load without a break

	dir   string           // temporary
	seeds map[string]*data // folders in it that are copied
	ours  *program
	other *program // in nginx's place; nil: nginx
	nginx string   // path

	// Of the scenario that runs:
	servers   []server
	postgres  *pgtest.Server // nil until it is needed
	databases int            // made so far
	leftovers []func() error // clean up
}

// A run takes half an hour; with 10,000,000 links, or beside another terse, twice as long. Beyond
// the timeout something is broken.
const timeout = 2 * time.Hour

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

func run(ctx context.Context) error {
	b, err := parse()
	if err == nil {
		err = b.prepare(ctx)
	}
	if err != nil {
		return err
	}
	return errors.Join(b.compare(ctx), os.RemoveAll(b.dir))
}

// parse reads the command line.
func parse() (*bench, error) {
	b := &bench{
		ours: &program{"terse", "bin/terse"}, document: "docs/performance.md",
		seeds: map[string]*data{}, warmup: time.Second,
		seconds: 2 * time.Second, long: 20 * time.Second,
	}
	flag.BoolVar(&b.full, "full", false, "with 10,000,000 links instead of 1,000,000")
	flag.BoolVar(&b.short, "short", false, "a few short runs, to see that it works; not written")
	flag.StringVar(&b.only, "only", "",
		"these scenarios only, separated by commas, not written: "+strings.Join(names(), ","))
	flag.IntVar(&b.runs, "runs", 7, "runs of each side")
	beside := flag.String("beside", "",
		"a second terse `binary`, measured in nginx's place and in turns; not written")
	flag.Parse()
	if b.short {
		b.runs, b.seconds, b.long, b.document = 2, time.Second, 4*time.Second, ""
	}
	if *beside != "" {
		path, err := filepath.Abs(*beside)
		if err != nil {
			return nil, err
		}
		b.other, b.document = &program{"second terse", path}, ""
	}
	if b.only != "" {
		b.document = ""
		for name := range strings.SplitSeq(b.only, ",") {
			if !slices.Contains(names(), name) {
				return nil, fmt.Errorf("there is no scenario %q", name)
			}
		}
	}
	if flag.NArg() > 0 || b.runs < 1 {
		return nil, errors.New("wrong usage; see -h")
	}
	return b, nil
}

// say reports progress.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// prepare checks that all tools are installed, and builds the server.
func (b *bench) prepare(ctx context.Context) (err error) {
	if runtime.GOOS != "linux" || runtime.NumCPU() < 2 {
		return errors.New("this needs Linux and two cores: one for the server, one for the load")
	}
	if missing := b.missing(); len(missing) > 0 {
		return fmt.Errorf("install these first (names of Debian's packages): %s",
			strings.Join(missing, " "))
	}
	if out, err := exec.CommandContext(ctx, "make", "build").CombinedOutput(); err != nil {
		return fmt.Errorf("make build: %w\n%s", err, out)
	}
	if b.dir, err = os.MkdirTemp("", "terse-bench-"); err != nil {
		return err
	}
	if err := os.WriteFile(b.script(), codesScript, 0o600); err != nil {
		return err
	}
	return leaveServerCore(ctx)
}

// missing returns the packages of missing tools. It also finds nginx, which is not in everybody's
// PATH.
func (b *bench) missing() (missing []string) {
	find := func(tool, name string) string {
		path, err := exec.LookPath(tool)
		if err != nil {
			path, err = exec.LookPath("/usr/sbin/" + tool)
		}
		if err != nil {
			missing = append(missing, name)
		}
		return path
	}
	if b.other == nil {
		b.nginx = find("nginx", "nginx-light")
	}
	find("taskset", "util-linux")
	find("wrk", "wrk")
	if !pgtest.Installed() {
		missing = append(missing, "postgresql")
	}
	return missing
}

// scenarios are the groups of rows.
var scenarios = []struct {
	name string
	run  func(*bench, context.Context) ([]row, error)
}{
	{"default", (*bench).defaults},
	{"always", (*bench).synced},
	{"tls", (*bench).encrypted},
	{"soak", (*bench).soak},
	{"strangers", (*bench).strangers},
	{"unknown", (*bench).scanner},
	{"addresses", (*bench).addresses},
	{"domains", (*bench).domains},
	{"webhooks", (*bench).webhooks},
	{"cold", (*bench).cold},
	{"postgres", (*bench).onPostgres},
	{"counting", (*bench).counting},
	{"statistics", (*bench).statistics},
	{"sparse", (*bench).sparse},
	{"lists", (*bench).lists},
	{"past", (*bench).past},
	{"create", (*bench).creates},
	{"writes", (*bench).writes},
	{"moving", (*bench).moving},
	{"start", (*bench).begin},
	{"memory", (*bench).memoryUnderLoad},
}

func names() (names []string) {
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

// compare runs the scenarios, prints the table, and writes it to the document.
func (b *bench) compare(ctx context.Context) error {
	began := time.Now()
	var rows []row
	var failed []error // the other scenarios still run, but the document is not written
	for _, s := range scenarios {
		if b.only != "" && !slices.Contains(strings.Split(b.only, ","), s.name) {
			continue
		}
		say("%4.0f s: %s", time.Since(began).Seconds(), s.name)
		of, err := s.run(b, ctx)
		err = errors.Join(err, b.finish(ctx), os.RemoveAll(b.work()))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rows = append(rows, of...)
		if reason, ok := errors.AsType[notMeasuredError](err); ok {
			rows = append(rows, row{s.name, reason.Error(), "", "", "", "", ""})
		} else if err != nil {
			say("%s failed: %v", s.name, err)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
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

// work is the folder of the running scenario.
func (b *bench) work() string { return filepath.Join(b.dir, "work") }

// workFolder makes a folder that is deleted at the end of the scenario.
func (b *bench) workFolder() (string, error) {
	if err := os.MkdirAll(b.work(), 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(b.work(), "")
}

// finish ends the running servers, checks each one's counts, and then ends their databases.
func (b *bench) finish(ctx context.Context) error {
	var errs []error
	for _, s := range b.servers {
		errs = append(errs, s.end(ctx))
	}
	for _, takeAway := range b.leftovers {
		errs = append(errs, takeAway())
	}
	if b.postgres != nil {
		errs = append(errs, b.postgres.Remove())
	}
	b.servers, b.leftovers, b.postgres = nil, nil, nil
	return errors.Join(errs...)
}
