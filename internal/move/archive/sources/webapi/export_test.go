package webapi

import (
	"context"
	"net"
	"net/http"
)

// Dial lets a test connect the Client.
func (c *Client) Dial(dial func(ctx context.Context, network, at string) (net.Conn, error)) {
	c.client.Transport.(*http.Transport).DialContext = dial
}

// Close closes connections.
func (c *Client) Close() { c.client.CloseIdleConnections() }
