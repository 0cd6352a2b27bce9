package main

import (
	"os"
	"testing"
	"time"
)

// Reads the figures in /proc of this process.
func TestProcess(t *testing.T) {
	t.Parallel()
	p := &process{pid: os.Getpid()}
	began := time.Now()
	for { // until this process has used at least a tick
		used, err := p.cpu()
		if err != nil {
			t.Fatal(err)
		}
		all, err := machineCPU()
		if err != nil || all < used {
			t.Fatalf("this process used %v of %v, %v", used, all, err)
		}
		if used > 0 {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("no CPU time used in a minute")
		}
	}
	if now, most, err := p.memory(); err != nil || now < 1 || most < now {
		t.Errorf("%.1f MiB, at most %.1f: %v", now, most, err)
	}
}
