package ratelimit

import (
	"context"
	"crypto/rand"
	_ "embed" // for the script
	"strconv"
	"time"
)

//go:embed hold.lua
var holdScript string

// Hold takes one of the places that all nodes share under a key, and returns a function that gives
// it back, or how long it takes until one is free. A place that is not given back is free after the
// window. Unlike Limiter.Take, it waits for Redis, at most a second. While Redis is away it refuses
// nothing.
func (s *Shared) Hold(key string, places int, window time.Duration) (
	giveBack func(), wait time.Duration,
) {
	if !s.up.Load() {
		return func() {}, 0
	}
	key, name := "terse:hold:"+key, rand.Text()
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	replies, err := s.client.Do(ctx,
		[]string{"EVAL", holdScript, "1", key, name, strconv.Itoa(places), micros(window)})
	if err != nil || replies[0].Err != nil {
		s.failures.Add(1)
		return func() {}, 0
	}
	if wait = bounded(replies[0].Number, window); wait > 0 {
		return nil, wait
	}
	return func() { s.giveBack(key, name) }, 0
}

func (s *Shared) giveBack(key, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	replies, err := s.client.Do(ctx, []string{"ZREM", key, name})
	if err != nil || replies[0].Err != nil {
		s.failures.Add(1)
	}
}
