package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// machine describes what was measured, when and where.
func (b *bench) machine(ctx context.Context, took time.Duration) (string, error) {
	cpuinfo, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "", err
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return "", err
	}
	_, model, _ := strings.Cut(string(cpuinfo), "model name")
	model, _, _ = strings.Cut(strings.TrimLeft(model, "\t: "), "\n")
	var versions []string
	for _, p := range b.programs() {
		//nolint:gosec // binaries that are measured
		version, err := exec.CommandContext(ctx, p.path, "version").Output()
		if err != nil {
			return "", fmt.Errorf("%s version: %w", p.path, err)
		}
		versions = append(versions, strings.TrimSpace(string(version)))
	}
	return fmt.Sprintf(
		"%s, %s, %d cores, Linux %s.\n%s (%s)%s.\n%d runs of %v each side; %v in all.\n",
		time.Now().UTC().Format(time.DateOnly), model, runtime.NumCPU(),
		strings.TrimSpace(string(kernel)),
		strings.Join(versions, ", beside "), runtime.Version(), b.others(ctx), b.runs, b.seconds,
		took.Round(time.Second)), nil
}

// others returns the versions of nginx and wrk. Both print them and exit with a failure.
func (b *bench) others(ctx context.Context) (versions string) {
	for _, ask := range [][]string{{b.nginx, "-v"}, {"wrk", "-v"}} {
		if ask[0] == "" {
			continue
		}
		//nolint:gosec // the tools that were found
		out, _ := exec.CommandContext(ctx, ask[0], ask[1:]...).CombinedOutput()
		line, _, _ := strings.Cut(string(out), "\n")
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "nginx version: "), " [")
		versions += ", " + line
	}
	return versions
}

// leaveServerCore moves all threads of this program to the other core. Threads and processes that
// they start inherit it.
func leaveServerCore(ctx context.Context) error {
	//nolint:gosec // numbers
	out, err := exec.CommandContext(ctx, "taskset", "-a", "-c", "-p", strconv.Itoa(loadCore),
		strconv.Itoa(os.Getpid())).CombinedOutput()
	if err != nil {
		return fmt.Errorf("bind to core %d: %w: %s", loadCore, err, out)
	}
	runtime.GOMAXPROCS(1)
	return nil
}
