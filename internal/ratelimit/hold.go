package ratelimit

import (
	"context"
	"crypto/rand"
	_ "embed" // for the script
	"strconv"
	"time"

	"github.com/redis/rueidis"
)

//go:embed hold.lua
var holdScript string

var hold = rueidis.NewLuaScript(holdScript)

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
	micro, err := hold.Exec(ctx, s.client, []string{key},
		[]string{name, strconv.Itoa(places), micros(window)}).AsInt64()
	if err != nil {
		s.failures.Add(1)
		return func() {}, 0
	}
	if micro > 0 {
		return nil, time.Duration(micro) * time.Microsecond
	}
	return func() { s.giveBack(key, name) }, 0
}

func (s *Shared) giveBack(key, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	zrem := s.client.B().Zrem().Key(key).Member(name).Build()
	if err := s.client.Do(ctx, zrem).Error(); err != nil {
		s.failures.Add(1)
	}
}
