package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Share is the answer to POST and GET /api/urls/{shortCode}/share.
type Share struct {
	// URL is a page with the link's statistics. Anyone who has it can read them, without a token.
	URL string `json:"url"`
}

// SharedClicks is the answer to GET /ui/share/{share}/clicks. It reveals nothing else about the
// link.
type SharedClicks struct {
	ShortCode string    `json:"short_code"`
	Title     string    `json:"title,omitzero"`
	CreatedAt time.Time `json:"created_at"`
	Clicks
}

// Share returns a link's share, and makes one if it has none.
func (c *Client) Share(ctx context.Context, shortCode string) (Share, error) {
	return call[Share](ctx, c, http.MethodPost, linkPath(shortCode)+"/share", nil)
}

// ReadShare returns a link's share, or ErrNotFound if it has none.
func (c *Client) ReadShare(ctx context.Context, shortCode string) (Share, error) {
	return get[Share](ctx, c, linkPath(shortCode)+"/share", nil)
}

// Unshare revokes a link's share for good, or returns ErrNotFound if it has none.
func (c *Client) Unshare(ctx context.Context, shortCode string) error {
	return c.remove(ctx, linkPath(shortCode)+"/share")
}

// SharedClicks returns the clicks of a shared link. share is the end of the share's URL. It needs
// no token. By and the filters accept referrer hosts, but not referrers.
func (c *Client) SharedClicks(ctx context.Context, share string, q ClicksQuery) (
	SharedClicks, error,
) {
	return overTime[SharedClicks](ctx, c, "/ui/share/"+url.PathEscape(share)+"/clicks", q)
}
