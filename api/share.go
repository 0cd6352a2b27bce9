package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Share is the answer to POST, GET and PATCH of a share.
type Share struct {
	// URL is a page with statistics. Anyone who has it can read them, without a token.
	URL       string     `json:"url"`
	Title     string     `json:"title,omitzero"`      // of the page; empty: that of what it shows
	ExpiresAt *time.Time `json:"expires_at,omitzero"` // UTC; from then on the page is gone
	Password  bool       `json:"password,omitzero"`   // whether the page asks for one
}

// ShareOptions are what a share may have. A call sets those that are not empty.
type ShareOptions struct {
	Title     string    `json:"title,omitzero"`      // 1 to 200 characters
	ExpiresAt time.Time `json:"expires_at,omitzero"` // in the future
	Password  string    `json:"password,omitzero"`   // 1 to 128 bytes
}

// Shares is the answer to GET /api/shares.
type Shares struct {
	Shares []ListedShare `json:"shares"` // newest first
}

// ListedShare is one of an identity's shares: of a link, of a tag, or of the overview.
type ListedShare struct {
	Share
	ShortCode string     `json:"short_code,omitzero"`
	Domain    string     `json:"domain,omitzero"` // empty: the default one
	Tag       string     `json:"tag,omitzero"`
	Overview  bool       `json:"overview,omitzero"`
	CreatedAt *time.Time `json:"created_at,omitzero"` // UTC; nil: not known
	CreatedBy string     `json:"created_by,omitzero"` // empty: not known
}

// SharedClicks is the answer to GET /ui/share/{share}/clicks. It reveals nothing else about the
// link.
type SharedClicks struct {
	ShortCode string    `json:"short_code"`
	Domain    string    `json:"domain,omitzero"` // empty: the default one
	Title     string    `json:"title,omitzero"`
	CreatedAt time.Time `json:"created_at"`
	Clicks
}

// SharedOverview is the answer to GET /ui/share/{share}/overview. It reveals nothing else about the
// links.
type SharedOverview struct {
	Title    string          `json:"title"`
	Links    int64           `json:"links"`     // how many there are
	TopLinks []SharedTopLink `json:"top_links"` // at most 10, most clicks or people first
	Clicks
}

// SharedTopLink is one of the links with the most clicks.
type SharedTopLink struct {
	ShortCode string `json:"short_code"`
	Domain    string `json:"domain,omitzero"` // empty: the default one
	Title     string `json:"title,omitzero"`
	Clicks    int64  `json:"clicks"`
	People    *int64 `json:"people,omitzero"` // as in Clicks
}

// A Shareable is what can have a share.
type Shareable struct{ path string }

// ShareableLink is the statistics of a link.
func ShareableLink(shortCode string) Shareable { return Shareable{linkPath(shortCode)} }

// ShareableTag is the statistics of all links with a tag.
func ShareableTag(tag string) Shareable { return Shareable{tagPath(tag)} }

// ShareableOverview is the statistics of all links.
func ShareableOverview() Shareable { return Shareable{"/api/overview"} }

// ShareWith returns the share of something, makes one if it has none, and sets options.
func (c *Client) ShareWith(ctx context.Context, what Shareable, o ShareOptions) (Share, error) {
	return call[Share](ctx, c, http.MethodPost, what.path+"/share", o)
}

// ShareOf returns the share of something, or ErrNotFound if it has none.
func (c *Client) ShareOf(ctx context.Context, what Shareable) (Share, error) {
	return get[Share](ctx, c, what.path+"/share", nil)
}

// UpdateShare changes the title, expires_at or password of a share; nil takes one away.
// ErrNotFound if there is no share.
func (c *Client) UpdateShare(ctx context.Context, what Shareable, changes Changes) (Share, error) {
	return call[Share](ctx, c, http.MethodPatch, what.path+"/share", changes)
}

// UnshareOf revokes the share of something for good, or returns ErrNotFound if it has none.
func (c *Client) UnshareOf(ctx context.Context, what Shareable) error {
	return c.remove(ctx, what.path+"/share")
}

// Shares returns all shares, newest first, those that have ended included.
func (c *Client) Shares(ctx context.Context) ([]ListedShare, error) {
	out, err := get[Shares](ctx, c, "/api/shares", nil)
	return out.Shares, err
}

// WithSharePassword returns a client for SharedClicks and SharedOverview of a share that has a
// password.
func (c *Client) WithSharePassword(password string) *Client {
	return c.with("X-Share-Password", password)
}

// SharedOverview is SharedClicks for a share of a tag or of the overview.
func (c *Client) SharedOverview(ctx context.Context, share string, q ClicksQuery) (
	SharedOverview, error,
) {
	return overTime[SharedOverview](ctx, c, "/ui/share/"+url.PathEscape(share)+"/overview", q)
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
