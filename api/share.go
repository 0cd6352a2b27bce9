package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Share is the answer to POST and GET /api/urls/{shortCode}/share.
type Share struct {
	// URL is a page with the link's statistics, for people without a token: whoever has it can read
	// them.
	URL string `json:"url"`
}

// SharedClicks is the answer to GET /ui/share/{share}/clicks. It has nothing else of the link.
type SharedClicks struct {
	ShortCode string    `json:"short_code"`
	Title     string    `json:"title,omitzero"`
	CreatedAt time.Time `json:"created_at"`
	Clicks
}

// Share returns the share of a link. A link that has none gets one.
func (c *Client) Share(ctx context.Context, shortCode string) (Share, error) {
	return call[Share](ctx, c, http.MethodPost, linkPath(shortCode)+"/share", nil)
}

// ReadShare returns the share of a link, or ErrNotFound when it has none.
func (c *Client) ReadShare(ctx context.Context, shortCode string) (Share, error) {
	return get[Share](ctx, c, linkPath(shortCode)+"/share", nil)
}

// Unshare takes the share of a link back, for good, or returns ErrNotFound when it has none.
func (c *Client) Unshare(ctx context.Context, shortCode string) error {
	return c.remove(ctx, linkPath(shortCode)+"/share")
}

// SharedClicks returns the clicks of the link with a share, which is what its URL ends with. No
// token is needed. By and the filters know no referrer, but the hosts of referrers.
func (c *Client) SharedClicks(ctx context.Context, share string, q ClicksQuery) (
	SharedClicks, error,
) {
	return overTime[SharedClicks](ctx, c, "/ui/share/"+url.PathEscape(share)+"/clicks", q)
}
