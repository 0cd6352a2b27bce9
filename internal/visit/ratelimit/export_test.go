package ratelimit

import (
	"context"
	"net/netip"
	"strconv"
	"time"
)

// NewWithBudget returns a limiter with another memory budget than New's, in bytes.
var NewWithBudget = newLimiter

// Script is what runs in Redis.
var Script = script

// SetTimes gives a Shared and its limiters, before it runs, a window and a patience of the test's
// choice.
func (s *Shared) SetTimes(window, timeout time.Duration) {
	s.window, s.timeout = window, timeout
	for _, l := range s.limiters {
		l.window = uint32(window/tick) + 1
	}
}

// Connect and Round are steps of Run, for a test that decides when Redis is told.
func (s *Shared) Connect(ctx context.Context) { s.probe(ctx) }

// Round tells Redis of one batch, and takes the answers.
func (s *Shared) Round(ctx context.Context) { s.round(ctx) }

// Pretend has a Shared that does not run behave as if Redis were there.
func (s *Shared) Pretend() { s.up.Store(true) }

// RedisKey is a client's key in Redis, without its kind.
func RedisKey(addr netip.Addr) string { return strconv.FormatUint(clientKey(addr), 16) }

// Known returns how many clients are in memory, with or without a grant that counts.
func (l *Limiter) Known() (n int) {
	for i := range l.shards {
		for c := range l.shards[i].all() {
			if c.key != 0 {
				n++
			}
		}
	}
	return n
}
