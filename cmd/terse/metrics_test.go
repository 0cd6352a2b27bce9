package main

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestReadiness: scrapes do not add up what each waits for a database that hangs.
func TestReadiness(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		r := readiness{ask: func() bool {
			time.Sleep(readyTimeout)
			asked++
			return asked > 1
		}}
		began := time.Now()
		for range 50 {
			if r.isReady() {
				t.Error("it is ready")
			}
		}
		if waited := time.Since(began); waited != readyTimeout {
			t.Errorf("50 scrapes waited %v, want %v", waited, readyTimeout)
		}
		time.Sleep(time.Second)
		if !r.isReady() {
			t.Error("it is not asked again")
		}
	})
}
