package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The cores that servers and load have for themselves.
const (
	serverCore = 0
	loadCore   = 1
)

// Bounds of what a child may take to be there and to end. A server that must drain clicks ends
// within its own SHUTDOWN_TIMEOUT.
const (
	startTimeout = 30 * time.Second
	stopTimeout  = 30 * time.Second
)

// process is a server that runs as our child on serverCore.
type process struct {
	name  string
	addr  string // host:port
	log   string // path of its access log, appended to
	pid   int    // of the process that answers, whose CPU time counts
	cmd   *exec.Cmd
	told  bytes.Buffer  // stderr; to be read when done
	born  time.Time     // when it was started
	asked bool          // to end
	done  chan struct{} // closed when it has ended
	err   error         // why it ended, when done
}

// startProcess starts a server whose stdout goes to its log, and waits until it accepts
// connections.
func startProcess(ctx context.Context, p *process, env []string, name string,
	args ...string,
) error {
	out, err := os.OpenFile(p.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	p.cmd = onCore(ctx, serverCore, name, args...)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = append(os.Environ(), env...), out, &p.told
	p.done = make(chan struct{})
	p.born = time.Now()
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.pid = p.cmd.Process.Pid
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	if err := p.awaitListening(ctx); err != nil {
		return errors.Join(err, p.stop())
	}
	return nil
}

// onCore is a command that runs on one core only. It is asked to end when ctx does.
func onCore(ctx context.Context, core int, name string, args ...string) *exec.Cmd {
	//nolint:gosec // all arguments are ours
	cmd := exec.CommandContext(ctx, "taskset", append([]string{
		"-c", strconv.Itoa(core), name,
	}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopTimeout
	return cmd
}

func (p *process) awaitListening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.addr)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended: %w: %s", p.name, p.err, p.told.String())
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen on %s: %w", p.name, p.addr, err)
		case <-time.After(time.Millisecond):
		}
	}
}

// stop ends the process in order and waits for its end. It may be called again.
func (p *process) stop() error {
	select {
	case <-p.done:
		if !p.asked {
			return fmt.Errorf("%s ended before it was asked to: %w: %s", p.name, p.err,
				p.told.String())
		}
		return nil
	default:
	}
	p.asked = true
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails when it has just ended
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.done
		return fmt.Errorf("%s did not stop within %v", p.name, stopTimeout)
	}
	if p.err != nil {
		return fmt.Errorf("%s: %w: %s", p.name, p.err, p.told.String())
	}
	return nil
}

// clockTicks a second is the unit of CPU times in /proc on every Linux (proc(5)).
const clockTicks = 100

// cpu returns the CPU time of all threads, ended ones too, to 10 ms.
func (p *process) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return 0, err
	}
	// After the name in parentheses: the state, which is field 3; user and system time are fields
	// 14 and 15.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat: %q", p.pid, stat)
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / clockTicks, errors.Join(err, err2)
}

// machineCPU returns the CPU time of everything on this machine, and what its host took from it.
func machineCPU() (time.Duration, error) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	var user, nice, system, idle, wait, irq, softirq, steal int64
	if _, err := fmt.Sscanf(string(stat), "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system,
		&idle, &wait, &irq, &softirq, &steal); err != nil {
		return 0, fmt.Errorf("/proc/stat: %w", err)
	}
	return time.Duration(user+nice+system+irq+softirq+steal) * time.Second / clockTicks, nil
}

// memory returns how many MiB of the process are in memory, and were at most.
func (p *process) memory() (now, most float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != "VmRSS:" && fields[0] != "VmHWM:" {
			continue
		}
		kib, err := strconv.ParseFloat(fields[1], 64)
		if err != nil {
			return 0, 0, fmt.Errorf("/proc/%d/status: %w", p.pid, err)
		}
		if fields[0] == "VmRSS:" {
			now = kib / 1024
		} else {
			most = kib / 1024
		}
	}
	return now, most, nil
}

// freeAddress returns an address on loopback that nobody listens on.
func freeAddress(ctx context.Context) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

const nginxConfig = `worker_processes 1;
daemon off;
user %[4]s;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	map_hash_max_size 1048576;
	map_hash_bucket_size 128;
	map $uri $target { include links.map; }
	keepalive_requests 1000000000;
	keepalive_timeout 3600s;
	log_format json escape=json '{"time":"$time_iso8601","level":"INFO","msg":"request",'
		'"request_id":"$request_id","method":"$request_method",'
		'"path":"$uri","status":$status,"size":$body_bytes_sent,"duration":$request_time}';
	access_log %[3]s;
	server {
		listen %[1]s;
		root %[2]s;
		location / {
			if ($target) { return 302 $target; }
			return 404;
		}
	}
}
`

// startNginx starts nginx with the links as a map. One worker answers; the CPU time is its.
func (b *bench) startNginx(ctx context.Context, logged bool) (*process, error) {
	dir, err := os.MkdirTemp(b.dir, "nginx-")
	if err != nil {
		return nil, err
	}
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p := &process{name: "nginx", addr: addr, log: filepath.Join(dir, "access.log")}
	log := "off"
	if logged {
		log = p.log + " json buffer=64k flush=1s"
	}
	config := fmt.Sprintf(nginxConfig, addr, dir, log, b.user)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(config), 0o600),
		os.WriteFile(filepath.Join(dir, "links.map"), mapFile(hotLinks), 0o600)); err != nil {
		return nil, err
	}
	if err := startProcess(ctx, p, nil, b.nginx, "-p", dir, "-c", "nginx.conf", "-e",
		"stderr"); err != nil {
		return nil, err
	}
	if p.pid, err = onlyChild(ctx, p.pid); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// onlyChild returns the only child of a process, once it has one.
func onlyChild(ctx context.Context, pid int) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		if err != nil {
			return 0, err
		}
		if child, err := strconv.Atoi(strings.TrimSpace(string(children))); err == nil {
			return child, nil
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("children of process %d: %q: %w", pid, children, ctx.Err())
		case <-time.After(time.Millisecond):
		}
	}
}
