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
	"sync/atomic"
	"syscall"
	"time"

	"terse/internal/tests/freeport"
)

// The cores reserved for servers and for the load.
const (
	serverCore = 0
	loadCore   = 1
)

// Bounds of the time in which a child must start and end. A server that must drain clicks ends
// within its own SHUTDOWN_TIMEOUT.
const (
	startTimeout = 30 * time.Second
	stopTimeout  = 30 * time.Second
)

// server is a process under load.
type server interface {
	proc() *process
	rest(ctx context.Context) error // bring it to rest after a run
	end(ctx context.Context) error
}

// process is a server that runs as a child process on serverCore.
type process struct {
	name      string
	addr      string       // host:port
	secure    bool         // with TLS
	log       string       // path of its access log, which grows
	pid       int          // of the process that answers, whose CPU time counts
	redirects atomic.Int64 // number that clients received
	stderr    bytes.Buffer // may be read when done
	born      time.Time    // when it was started
	cancel    func()
	done      chan struct{} // closed when it has ended
	err       error         // why it ended, valid when done
}

// startProcess starts a server whose stdout goes to its log, and waits until it accepts
// connections.
func startProcess(ctx context.Context, p *process, env []string, name string, args ...string,
) error {
	out, err := os.OpenFile(p.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	running, cancel := context.WithCancel(ctx)
	cmd := onCore(running, serverCore, name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), env...), out, &p.stderr
	p.cancel, p.done, p.born = cancel, make(chan struct{}), time.Now()
	if err := cmd.Start(); err != nil {
		cancel()
		return fmt.Errorf("start %s: %w", p.name, err)
	}
	p.pid = cmd.Process.Pid
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := p.awaitListening(ctx); err != nil {
		return errors.Join(err, p.end(ctx))
	}
	return nil
}

func (p *process) proc() *process { return p }

// base returns the URL of the server.
func (p *process) base() string {
	if p.secure {
		return "https://" + p.addr
	}
	return "http://" + p.addr
}

func (p *process) rest(context.Context) error { return os.Truncate(p.log, 0) }

// end shuts the process down in an orderly way, and waits for its end. It may be called again.
func (p *process) end(context.Context) error {
	p.cancel()
	<-p.done
	if errors.Is(p.err, context.Canceled) { // it ended successfully after being asked to
		return nil
	}
	return errors.Join(fmt.Errorf("%s ended: %s", p.name, p.stderr.String()), p.err)
}

// onCore returns a command that runs on one core only. It is asked to end when ctx ends.
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
	return await(ctx, p.name+" to listen", startTimeout, time.Millisecond, func() (bool, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.addr)
		if err == nil {
			return true, conn.Close()
		}
		select {
		case <-p.done:
			return false, errors.New("it ended")
		default:
			return false, nil
		}
	})
}

// await checks a condition at intervals until it holds or fails.
func await(ctx context.Context, what string, atMost, interval time.Duration,
	ask func() (bool, error),
) error {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	for {
		if so, err := ask(); so && err == nil {
			return nil
		} else if err != nil {
			return fmt.Errorf("wait for %s: %w", what, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		case <-time.After(interval):
		}
	}
}

// clockTicks is the number of units a second of CPU times in /proc, on every Linux (proc(5)).
const clockTicks = 100

// cpu returns the CPU time of all threads, including ended ones, to 10 ms.
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

// machineCPU returns the CPU time of everything on this machine, including the time that its host
// took.
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

// memory returns the resident memory of the process in MiB, now and at its peak.
func (p *process) memory() (now, most float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return 0, 0, err
	}
	for name, mib := range map[string]*float64{"VmRSS:": &now, "VmHWM:": &most} {
		_, kib, _ := strings.Cut(string(status), name)
		if _, err := fmt.Sscan(kib, mib); err != nil {
			return 0, 0, fmt.Errorf("/proc/%d/status: %w", p.pid, err)
		}
		*mib /= 1024
	}
	return now, most, nil
}

const nginxConfig = `worker_processes 1;
daemon off;
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
	access_log %[3]s json buffer=64k flush=1s;
	server {
		listen %[1]s%[4]s;
		root %[2]s;
		location / {
			if ($target) { return 302 $target; }
			return 404;
		}
	}
}
`

// startNginx starts nginx with the links as a map, and with TLS if that is wanted. One worker
// answers, whose CPU time counts.
func (b *bench) startNginx(ctx context.Context, secure bool) (*process, error) {
	dir, err := b.workFolder()
	if err != nil {
		return nil, err
	}
	addr, err := freeport.Address(ctx)
	if err != nil {
		return nil, err
	}
	p := &process{
		name: "nginx", addr: addr, secure: secure, log: filepath.Join(dir, "access.log"),
	}
	var encrypts string
	if secure {
		cert, key, err := b.certificate()
		if err != nil {
			return nil, err
		}
		encrypts = fmt.Sprintf(nginxTLS, cert, key)
	}
	config := fmt.Sprintf(nginxConfig, addr, dir, p.log, encrypts)
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(config), 0o600),
		os.WriteFile(filepath.Join(dir, "links.map"), mapFile(hotLinks), 0o600)); err != nil {
		return nil, err
	}
	if err := startProcess(ctx, p, nil, b.nginx, "-p", dir, "-c", "nginx.conf", "-e",
		"stderr"); err != nil {
		return nil, err
	}
	b.servers = append(b.servers, p)
	p.pid, err = onlyChild(ctx, p.pid)
	return p, err
}

// onlyChild returns the only child of a process, once it has one.
func onlyChild(ctx context.Context, pid int) (child int, err error) {
	path := fmt.Sprintf("/proc/%d/task/%d/children", pid, pid)
	err = await(ctx, "a child of nginx", startTimeout, time.Millisecond, func() (bool, error) {
		children, err := os.ReadFile(path)
		n, _ := fmt.Sscan(string(children), &child)
		return n == 1, err
	})
	return child, err
}
