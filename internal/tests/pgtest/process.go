package pgtest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// process is a server with its own directory and port.
type process struct {
	dir    string
	port   int
	who    *syscall.Credential // nil: ours; neither server runs as root
	keeper *exec.Cmd           // nil: stopped
	alive  io.Closer           // closing it ends the server
}

// keep runs a server until the script's input ends, which happens when the parent process dies.
const keep = `signal=$0; "$@" & server=$!; cat >/dev/null; kill -$signal $server; wait $server`

// prepare creates a directory and finds a port.
func (p *process) prepare() (err error) {
	if p.dir, err = os.MkdirTemp("", "terse-pgtest-"); err != nil {
		return err
	}
	if err := p.own(); err != nil {
		return err
	}
	p.port, err = freePort()
	return err
}

// own gives the directory to a user other than root.
func (p *process) own() error {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return err
		}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return err
	}
	p.who = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(p.dir, int(uid), int(gid))
}

func freePort() (int, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer ln.Close()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// run starts the program, which signal ends at once. Its output goes to its log.
func (p *process) run(signal, program string, args ...string) error {
	log, err := os.OpenFile(p.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command("/bin/sh", append([]string{"-c", keep, signal, program}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = p.dir, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.who, Setpgid: true}
	if p.alive, err = cmd.StdinPipe(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	p.keeper = cmd
	return nil
}

func (p *process) logPath() string { return filepath.Join(p.dir, "log") }

// log returns what the program printed, for an error.
func (p *process) log() []byte {
	log, err := os.ReadFile(p.logPath())
	if err != nil {
		return []byte(err.Error())
	}
	return log
}

// end kills the program.
func (p *process) end() error {
	if p.keeper == nil {
		return nil
	}
	err := p.alive.Close()
	_ = p.keeper.Wait() // reports that it was killed
	p.keeper = nil
	return err
}

// remove kills the program and removes its directory.
func (p *process) remove() error { return errors.Join(p.end(), os.RemoveAll(p.dir)) }
