package pgtest

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"
)

// CPU returns the processor time that a local process has used, in steps of 10 ms; 0 except on
// Linux. On a busy machine it says more than elapsed time.
func CPU(t testing.TB, pid uint32) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The program's name in brackets is followed by the state, and 10 numbers before these two.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var user, system int64
	if _, err := fmt.Sscan(string(fields[11])+" "+string(fields[12]), &user, &system); err != nil {
		t.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}
