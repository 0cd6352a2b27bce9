//go:build !linux

package server

import (
	"context"
	"net"
)

// whileConnected does not see here that a peer leaves.
func whileConnected(net.Conn) (ctx context.Context, done func()) {
	return context.WithCancel(context.Background())
}
