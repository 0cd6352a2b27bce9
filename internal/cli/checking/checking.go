// Package checking asks an old server and this one where each address leads, and compares what they
// say. It follows no redirect and reads no body.
package checking

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"

	"terse/internal/link/weburl"
)

// atOnce is how many requests are under way to a server at most.
const atOnce = 4

// maxAhead bounds the answers that wait for a slower one before them, each of which may have a
// Location of maxHeaders.
const maxAhead = 64

// maxSilent is after how many addresses without an answer, one after the other, a server is given
// up. Each was asked for several times.
const maxSilent = 8

// Result is what both servers say of an address.
type Result struct {
	Address string `json:"address"` // its URL there
	There   Answer `json:"there"`
	Here    Answer `json:"here"`
}

// IsEqual reports whether visitors get to the same place. Which redirect leads there makes no
// difference to them. A page may lead anywhere, so it is equal to nothing.
func (r *Result) IsEqual() bool {
	there, here := &r.There, &r.Here
	switch {
	case there.redirects() && here.redirects():
		return canonical(there.Location) == canonical(here.Location)
	case there.redirects() || here.redirects():
		return false
	}
	return r.IsNowhere() || there.Status == here.Status &&
		(there.Status == http.StatusUnauthorized || there.Status == http.StatusForbidden)
}

// IsNowhere reports whether both servers say that there is nothing.
func (r *Result) IsNowhere() bool { return r.There.isGone() && r.Here.isGone() }

// SilentError says that a server is given up.
type SilentError struct {
	Server *Server
	Reason string
}

func (e *SilentError) Error() string { return fmt.Sprintf("%v does not answer", e.Server) }

// Address is a code or an alias, with the hosts at which each server is asked for it; "": its own.
type Address struct{ There, Here, Path string }

// Run asks both servers for each address, and calls each with the results in the order of the
// addresses.
func Run(ctx context.Context, there, here *Server, addresses iter.Seq2[Address, error],
	each func(*Result) error,
) error {
	type pair struct {
		address Address
		done    chan struct{}
		Result
	}
	todo, order := make(chan *pair), make(chan *pair, maxAhead)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(todo)
		defer close(order)
		for address, err := range addresses {
			if err != nil {
				return err
			}
			p := &pair{address: address, done: make(chan struct{})}
			for _, to := range []chan *pair{order, todo} {
				select {
				case to <- p:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
		return nil
	})
	for range atOnce {
		group.Go(func() (err error) {
			for p := range todo {
				at := p.address
				p.Address = there.shown(at.There, at.Path)
				if p.There, err = there.ask(ctx, at.There, at.Path); err != nil {
					return err
				}
				if p.Here, err = here.ask(ctx, at.Here, at.Path); err != nil {
					return err
				}
				close(p.done)
			}
			return nil
		})
	}
	group.Go(func() error {
		silentThere, silentHere := 0, 0
		for p := range order {
			select {
			case <-p.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			if err := each(&p.Result); err != nil {
				return err
			}
			if silentThere++; p.There.Error == "" {
				silentThere = 0
			}
			if silentHere++; p.Here.Error == "" {
				silentHere = 0
			}
			switch {
			case silentThere == maxSilent:
				return &SilentError{there, p.There.Error}
			case silentHere == maxSilent:
				return &SilentError{here, p.Here.Error}
			}
		}
		return nil
	})
	return group.Wait()
}

// canonical returns one of all spellings of a URL that mean the same to each server (RFC 3986,
// 6.2.2): of its scheme, its host, a default port, an empty path, and bytes that have to be
// escaped.
func canonical(location string) string {
	p, ok := weburl.Split(location)
	if !ok {
		return location // of another scheme
	}
	host, ok := weburl.Host(p.Host)
	if !ok {
		host = strings.ToLower(p.Host)
	}
	if p.Port != "" && p.Port != map[string]string{"http": "80", "https": "443"}[p.Scheme] {
		host += ":" + p.Port
	}
	if p.Rest == "" || p.Rest[0] != '/' {
		p.Rest = "/" + p.Rest
	}
	return p.Scheme + "://" + p.User + host + escape(p.Rest)
}

// escape escapes the bytes of a URL that only some servers escape, and writes escapes in capitals.
func escape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c <= ' ' || c > '~':
			fmt.Fprintf(&b, "%%%02X", c)
		case c == '%' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]):
			b.WriteString(strings.ToUpper(text[i : i+3]))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
