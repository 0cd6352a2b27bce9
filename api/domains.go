package api

import (
	"context"
	"net/http"
	"net/url"
)

// Domains is the answer to GET /api/domains.
type Domains struct {
	Domains []Domain `json:"domains"` // the default one first
}

// Domain is a host of short URLs.
type Domain struct {
	Domain  string `json:"domain"` // the host, in lower case and punycode
	Default bool   `json:"default"`
	// Configured is whether links can be created and are served there. A domain that is not has
	// links from before.
	Configured bool  `json:"configured"`
	Links      int64 `json:"links"` // of all owners
	// RootURL is where "/" leads; nil: nowhere.
	RootURL *string `json:"root_url"`
	// UnknownURL is where addresses without a link, and those of scheduled links, lead.
	UnknownURL *string `json:"unknown_url"`
	// EndedURL is where links lead that have ended and have no ExpiredURL.
	EndedURL *string `json:"ended_url"`
}

// Domains returns all domains: those that the server is configured with, and others that have
// links.
func (c *Client) Domains(ctx context.Context) ([]Domain, error) {
	out, err := get[Domains](ctx, c, "/api/domains", nil)
	return out.Domains, err
}

// UpdateDomain changes root_url, unknown_url or ended_url of a domain; nil takes one away. The
// caller must be an admin.
func (c *Client) UpdateDomain(ctx context.Context, domain string, changes Changes) (Domain, error) {
	return call[Domain](ctx, c, http.MethodPatch, "/api/domains/"+url.PathEscape(domain), changes)
}
