package ratelimit

import (
	"net/netip"
	"time"
)

// NewWithBudget returns a limiter with another memory budget than New's, in bytes.
var NewWithBudget = newLimiter

// Script is what runs in Redis.
var Script = script

// LeaseTime is how long unused grants are kept.
const LeaseTime = leaseTime

// SetTimes gives a Shared, before it runs, a window and a patience of the test's choice.
func (s *Shared) SetTimes(window, timeout time.Duration) { s.window, s.timeout = window, timeout }

// Pretend has a Shared that does not run behave as if Redis had granted a client a lease without an end.
func (l *Limiter) Pretend(addr netip.Addr, tokens uint32) {
	l.leases.shared.up.Store(true)
	key := clientKey(addr)
	s := l.leases.shard(key)
	s.clients[key] = lease{tokens: tokens, size: tokens, end: 1 << 62}
}
