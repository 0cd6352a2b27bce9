package httpapi

import (
	"crypto/sha256"
	"net/http"
	"net/netip"
	"strconv"

	"terse"
)

// policy is the budget that a request counts against, and whose.
type policy struct {
	name string // in RateLimit fields
	Budget
	client netip.Addr
}

// policyOf returns the policy of a caller. A named token counts by itself, wherever its requests
// come from, and with it the sessions that were opened with it.
func (s *service) policyOf(by terse.Caller) policy {
	switch {
	case by.Token != "":
		return policy{"token", s.LimitTokens, tokenClient(by.Token)}
	case by.Via == terse.ViaSession:
		return policy{"api", s.LimitSessions, by.Address}
	}
	return policy{"api", s.Limit, by.Address}
}

// tokenClient returns the address that stands for a token. Budgets tell networks of 64 bits apart;
// that two of a hash are equal by chance would only make two tokens share a budget.
func tokenClient(id string) netip.Addr {
	hash := sha256.Sum256([]byte(id))
	return netip.AddrFrom16([16]byte(hash[:16]))
}

// take takes n requests from the budget, or none if there is no room for all, and tells the caller
// what is left (draft-ietf-httpapi-ratelimit-headers-11).
func (p policy) take(w http.ResponseWriter, n int) error {
	wait := p.TakeAll(p.client, n)
	if limit := p.Limit(); limit > 0 {
		left, reset := p.Left(p.client)
		if wait > 0 {
			left, reset = 0, wait // what is left may be some, but less than n
		}
		name := `"` + p.name + `"`
		h := w.Header()
		h.Set("RateLimit-Policy", name+";q="+strconv.Itoa(limit)+";w=60")
		h.Set("RateLimit", name+";r="+strconv.Itoa(left)+
			";t="+strconv.FormatInt(wholeSeconds(reset), 10))
	}
	if wait > 0 {
		return limited(wait)
	}
	return nil
}
