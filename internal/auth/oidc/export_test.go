package oidc

import "time"

// Timeout returns how long a request may take.
func (c *Client) Timeout() time.Duration { return c.http.Timeout }

// SetTimeout sets it. Keys are requested with a client like this one.
func (c *Client) SetTimeout(d time.Duration) { c.http.Timeout = d }
