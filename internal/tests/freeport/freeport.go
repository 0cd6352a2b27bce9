// Package freeport finds ports for servers that tests and benchmarks start as processes, which
// can't be given a listener.
package freeport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
)

// Ports between these are neither well-known nor given to outgoing connections (by default, Linux
// takes those from 32768 on): a port found here stays free until the server listens, also while it
// is stopped, unless another test draws the same one.
const (
	first = 10_000
	end   = 32_768
)

// Address returns an address on the loopback on which nothing listens.
func Address(ctx context.Context) (string, error) {
	for {
		address := "127.0.0.1:" + strconv.Itoa(first+rand.IntN(end-first))
		ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return "", err
		}
		return address, ln.Close()
	}
}
