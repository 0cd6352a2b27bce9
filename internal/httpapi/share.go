package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"terse"
	"terse/api"
	"terse/internal/click/clickquery"
	"terse/internal/link/manage"
)

// findTarget returns what is shared at the path of a request.
type findTarget func(ctx context.Context, links manage.Links, r *http.Request, by terse.Caller) (
	terse.ShareTarget, error)

func linkOfPath(ctx context.Context, links manage.Links, r *http.Request, by terse.Caller) (
	terse.ShareTarget, error,
) {
	link, err := manage.Owned(ctx, links, by, codeOf(r), terse.ErrStatsForbidden)
	return terse.ShareOf(link.Ref()), err
}

func tagOfPath(_ context.Context, _ manage.Links, r *http.Request, by terse.Caller) (
	terse.ShareTarget, error,
) {
	return terse.ShareTarget{Owner: by.Asks(), Tag: pathTag(r)}, nil
}

func allLinks(_ context.Context, _ manage.Links, _ *http.Request, by terse.Caller) (
	terse.ShareTarget, error,
) {
	return terse.ShareTarget{Owner: by.Asks()}, nil
}

// makeShare serves POST …/share, which makes a share or changes the one that is there.
func makeShare(find findTarget) handler {
	return func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		return s.changeShare(w, r, by, find, terse.NewShare())
	}
}

// updateShare serves PATCH …/share.
func updateShare(find findTarget) handler {
	return func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		return s.changeShare(w, r, by, find, "")
	}
}

// changeShare changes a share, or makes the fresh one unless that is zero. The answer kept for an
// idempotency key omits the share, because a revoked share must not be readable any more; a
// repeated request gets the current one.
func (s *service) changeShare(w http.ResponseWriter, r *http.Request, by terse.Caller,
	find findTarget, fresh terse.Share,
) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	var change terse.ShareChange
	var invalid error
	if fresh == "" || len(bytes.TrimSpace(body)) > 0 {
		change, invalid = s.manager.ParseShare(body)
	}
	a, err := s.perform(r, by, body, func(ctx context.Context, c *changes) (answer, error) {
		target, err := find(ctx, c, r, by)
		if err == nil {
			err = invalid
		}
		if err != nil {
			return answer{}, err
		}
		made := false
		err = c.within(ctx, func() error {
			_, made, err = c.tx.Share(ctx, by, target, fresh, change)
			return err
		})
		if made {
			return answer{status: http.StatusCreated}, err
		}
		return answer{status: http.StatusOK}, err
	})
	if err == nil && len(a.Body) == 0 { // not an error
		a.Body, err = s.shareBody(r, by, find)
	}
	if err != nil {
		return err
	}
	return a.send(w, r)
}

// shareBody returns the answer with the share of what the path names.
func (s *service) shareBody(r *http.Request, by terse.Caller, find findTarget) ([]byte, error) {
	ctx, cancel := s.storeContext(r)
	defer cancel()
	shared, err := s.findShare(ctx, r, by, find)
	if err != nil {
		return nil, err
	}
	return encode(s.shareAnswer(shared))
}

func (s *service) findShare(
	ctx context.Context, r *http.Request, by terse.Caller, find findTarget,
) (terse.Shared, error) {
	target, err := find(ctx, s.Store, r, by)
	if err != nil {
		return terse.Shared{}, err
	}
	shared, err := s.Store.Share(ctx, target)
	if err != nil {
		return shared, fmt.Errorf("read a share: %w", err)
	}
	return shared, nil
}

// readShare serves GET …/share.
func readShare(find findTarget) handler {
	return timed(func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		shared, err := s.findShare(r.Context(), r, by, find)
		if err != nil {
			return err
		}
		return respond(w, r, http.StatusOK, s.shareAnswer(shared))
	})
}

func (s *service) shareAnswer(shared terse.Shared) api.Share {
	return api.Share{
		URL: s.BaseURL + sharePrefix + shared.Share.String(), Title: shared.Title,
		ExpiresAt: timeOrNull(shared.ExpiresAt), Password: shared.Password != "",
	}
}

// unshare serves DELETE …/share.
func unshare(find findTarget) handler {
	return timed(func(s *service, w http.ResponseWriter, r *http.Request, by terse.Caller) error {
		target, err := find(r.Context(), s.Store, r, by)
		if err != nil {
			return err
		}
		if err := s.Store.Unshare(r.Context(), by, target); err != nil {
			return fmt.Errorf("stop sharing: %w", err)
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	})
}

// shares serves GET /api/shares.
func (s *service) shares(w http.ResponseWriter, r *http.Request, by terse.Caller) error {
	found, err := s.Store.SharesOf(r.Context(), by.Asks())
	if err != nil {
		return fmt.Errorf("shares of %s: %w", by.Asks(), err)
	}
	list := api.Shares{Shares: make([]api.ListedShare, len(found))}
	for i, shared := range found {
		listed := api.ListedShare{
			Share: s.shareAnswer(shared), Tag: shared.Target.Tag,
			CreatedAt: timeOrNull(shared.CreatedAt), CreatedBy: shared.CreatedBy,
		}
		if shared.Target.IsLink() {
			code := shared.Target.Link.Code
			listed.ShortCode, listed.Domain = code.Text(), s.shownDomain(code.Domain())
		}
		listed.Overview = listed.ShortCode == "" && listed.Tag == ""
		list.Shares[i] = listed
	}
	return respond(w, r, http.StatusOK, list)
}

// sharePage serves GET /ui/share/{share}.
func (s *service) sharePage(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	shared, _, err := s.shared(r)
	switch {
	case errors.Is(err, terse.ErrShareNotFound):
		s.SharePage(w, r, http.StatusNotFound, "")
	case err != nil:
		return err
	case !opened(r, shared, time.Now()):
		s.SharePage(w, r, http.StatusOK, "password")
	case shared.Target.IsLink():
		s.SharePage(w, r, http.StatusOK, "clicks")
	default:
		s.SharePage(w, r, http.StatusOK, "overview")
	}
	return nil
}

// openShare serves POST /ui/share/{share}: the form of a share with a password.
func (s *service) openShare(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	shared, _, err := s.shared(r)
	switch {
	case errors.Is(err, terse.ErrShareNotFound), err == nil && shared.Password == "":
		w.Header().Set("Allow", "GET, HEAD")
		return errMethod
	case err != nil:
		return err
	}
	status, wait, err := s.tryPassword(r, shared)
	if wait > 0 {
		setRetryAfter(w, wait)
	}
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		s.open(w, r, shared, time.Now())
		return nil
	case status == http.StatusUnsupportedMediaType:
		return errNoForm
	case status == http.StatusUnauthorized: // it has no password
		status = http.StatusOK
	}
	s.SharePage(w, r, status, "password")
	return nil
}

const (
	// shareCookie says that its sender knew the password of a share.
	shareCookie = "terse_share"
	// shareLifetime is how long it does.
	shareLifetime = 12 * time.Hour
	// sharePassword is the header field with a password for the data of a share.
	sharePassword = "X-Share-Password"
)

var (
	errNoForm = &httpError{
		http.StatusUnsupportedMediaType,
		"Content-Type must be application/x-www-form-urlencoded", "",
	}
	errPasswordRequired = &httpError{http.StatusUnauthorized, "password required", ""}
)

// open makes a browser keep that it knows the password of a share, and sends it to the page.
func (s *service) open(w http.ResponseWriter, r *http.Request, shared terse.Shared, now time.Time) {
	at := s.basePath + sharePrefix + shared.Share.String()
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // without HTTPS it would not be sent
		Name: shareCookie, Value: proof(shared, now.Add(shareLifetime)), Path: at,
		MaxAge: int(shareLifetime / time.Second), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: s.secure || forwardedHTTPS(r),
	})
	w.Header().Set("Location", at)
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(http.StatusSeeOther)
}

// proof returns the value of a cookie that opens a share until a time. Its key is the hash of the
// password, which all nodes have and nobody else, and which has random bits of its own: so cookies
// end with the password that they were given for, even if it is set again.
func proof(shared terse.Shared, until time.Time) string {
	end := strconv.FormatInt(until.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(shared.Password))
	_, _ = fmt.Fprintf(mac, "terse share\n%s\n%s", shared.Share, end) // never fails
	return end + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// opened reports whether a request may see a share: there is no password, or a cookie proves that
// its sender knew it.
func opened(r *http.Request, shared terse.Shared, now time.Time) bool {
	if shared.Password == "" {
		return true
	}
	for _, cookie := range r.CookiesNamed(shareCookie) {
		text, _, _ := strings.Cut(cookie.Value, ".")
		end, err := strconv.ParseInt(text, 10, 64)
		if err == nil && now.Unix() < end && hmac.Equal([]byte(cookie.Value),
			[]byte(proof(shared, time.Unix(end, 0)))) {
			return true
		}
	}
	return false
}

// tryPassword checks the password that a request has for a share.
func (s *service) tryPassword(r *http.Request, shared terse.Shared) (
	status int, wait time.Duration, err error,
) {
	hash := shared.Share.Hash()
	of := binary.BigEndian.Uint64(hash[:]) | 1<<63 // no link has such an ID
	status, wait, err = s.TryPassword(r, clientAddr(r), of, shared.Password, sharePassword)
	if err != nil {
		err = fmt.Errorf("password of a share: %w", err)
	}
	return status, wait, err
}

// unlock returns an error unless a request for data may see a share.
func (s *service) unlock(w http.ResponseWriter, r *http.Request, shared terse.Shared) error {
	if opened(r, shared, time.Now()) {
		return nil
	}
	status, wait, err := s.tryPassword(r, shared)
	if wait > 0 {
		setRetryAfter(w, wait)
	}
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		return nil
	case status == http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", sharePassword) // RFC 9110, 15.5.2
		return errPasswordRequired
	}
	return &httpError{status, map[int]string{
		http.StatusForbidden:          "wrong password",
		http.StatusTooManyRequests:    "too many wrong passwords",
		http.StatusServiceUnavailable: "too many passwords are being checked",
	}[status], sharePassword}
}

// sharedClicks serves GET /ui/share/{share}/clicks. Everything that is not in this answer stays
// private.
func (s *service) sharedClicks(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Strangers)
	if err != nil {
		return err
	}
	shared, link, err := s.shared(r)
	if err == nil && !shared.Target.IsLink() {
		err = terse.ErrShareNotFound
	}
	if err == nil {
		err = s.unlock(w, r, shared)
	}
	if err != nil {
		return err
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		series, err := q.Ask(ctx, s.Store, link.Ref())
		if errors.Is(err, terse.ErrNotFound) { // deleted meanwhile
			err = terse.ErrShareNotFound
		}
		if err != nil {
			return nil, fmt.Errorf("shared clicks of link %s: %w", link.Code, err)
		}
		return api.SharedClicks{
			ShortCode: link.Code.Text(), Domain: s.shownDomain(link.Code.Domain()),
			Title:     cmp.Or(shared.Title, s.details(link).Title),
			CreatedAt: link.CreatedAt.UTC(), Clicks: q.Answer(series),
		}, nil
	})
}

// sharedOverview serves GET /ui/share/{share}/overview. Everything that is not in this answer stays
// private.
func (s *service) sharedOverview(w http.ResponseWriter, r *http.Request, _ terse.Caller) error {
	q, err := clickquery.Parse(r.URL.RawQuery, clickquery.Strangers)
	if err == nil {
		err = refuseParameters(r, "tag", "owner", "domain")
	}
	if err != nil {
		return err
	}
	shared, _, err := s.shared(r)
	if err == nil && shared.Target.IsLink() {
		err = terse.ErrShareNotFound
	}
	if err == nil {
		err = s.unlock(w, r, shared)
	}
	if err != nil {
		return err
	}
	q.Owner = shared.Target.Owner
	if shared.Target.Tag != "" {
		q.Some.Tags = []string{shared.Target.Tag}
	}
	w.Header().Set("X-Robots-Tag", "noindex")
	return s.answerQuestion(w, r, func(ctx context.Context) (any, error) {
		all, err := s.askOverview(ctx, q)
		answer := api.SharedOverview{
			Title: cmp.Or(shared.Title, shared.Target.Tag, "Overview"), Links: all.Links,
			TopLinks: make([]api.SharedTopLink, len(all.TopLinks)), Clicks: all.Clicks,
		}
		for i, link := range all.TopLinks {
			answer.TopLinks[i] = api.SharedTopLink{
				ShortCode: link.ShortCode, Domain: link.Domain, Title: link.Title,
				Clicks: link.Clicks, People: link.People,
			}
		}
		return answer, err
	})
}

// refuseParameters returns an error if the query of a request has any of some parameters.
func refuseParameters(r *http.Request, names ...string) error {
	values := r.URL.Query()
	for _, name := range names {
		if slices.ContainsFunc(values[name], func(text string) bool { return text != "" }) {
			return terse.Invalidf(name, "%s is not known here", name)
		}
	}
	return nil
}

// shared returns the share that the path names, with its link, unless it has ended.
func (s *service) shared(r *http.Request) (shared terse.Shared, link terse.Link, err error) {
	share, ok := terse.ParseShare(r.PathValue("share"))
	if !ok {
		return shared, link, terse.ErrShareNotFound // no such share can exist
	}
	ctx, cancel := s.storeContext(r)
	defer cancel()
	shared, link, err = s.Store.Shared(ctx, share)
	if err == nil && shared.Ended(time.Now()) {
		err = terse.ErrShareNotFound
	}
	if err != nil {
		err = fmt.Errorf("look up a share: %w", err)
	}
	return shared, link, err
}

// LoggedPath returns the part of a path, routed or not, that may be logged. Anyone who knows a
// share's path can read the share, so it is left out, however it is spelled: a reader of the log
// could correct a spelling that the server refused. Below the place of shares any word counts as
// one, and elsewhere any that terse may have made (22 characters). Longer ones may be aliases
// there.
func LoggedPath(sent []byte) []byte {
	if len(sent) <= len(sharePrefix) || !namesShare(sent) {
		return sent
	}
	return []byte(sharePrefix + "…")
}

// maxDecodings bounds how often a path that was escaped repeatedly is decoded.
const maxDecodings = 8

func namesShare(path []byte) bool {
	for range maxDecodings {
		inDashboard, named := false, false
		for word := range bytes.FieldsFuncSeq(path, separates) {
			switch {
			case named || holdsOwn(word), inDashboard && followsName(word):
				return true
			case bytes.EqualFold(word, []byte("ui")):
				inDashboard = true
			case bytes.EqualFold(word, []byte("share")):
				named = inDashboard
			}
		}
		plain := decoded(path)
		if len(plain) == len(path) {
			return false
		}
		path = plain
	}
	return true // not decoded to the end
}

// separates reports whether a character cannot be part of a share.
func separates(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' &&
		c != '-'
}

// holdsOwn reports whether a word is a share that terse may have made, alone or directly behind
// "share".
func holdsOwn(word []byte) bool {
	isOwn := func(word []byte) bool {
		share, ok := terse.ParseShare(string(word))
		return ok && share.IsOwn()
	}
	rest, ok := behindName(word)
	return isOwn(word) || ok && isOwn(rest)
}

// followsName reports whether a word is a share directly behind "share".
func followsName(word []byte) bool {
	rest, ok := behindName(word)
	if ok {
		_, ok = terse.ParseShare(string(rest))
	}
	return ok
}

func behindName(word []byte) (rest []byte, ok bool) {
	const name = "share"
	if len(word) <= len(name) || !bytes.EqualFold(word[:len(name)], []byte(name)) {
		return nil, false
	}
	return word[len(name):], true
}

// decoded returns a path with its valid escapes decoded.
func decoded(path []byte) []byte {
	if bytes.IndexByte(path, '%') < 0 {
		return path
	}
	plain := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) {
			if b, err := hex.DecodeString(string(path[i+1 : i+3])); err == nil {
				c, i = b[0], i+2
			}
		}
		plain = append(plain, c)
	}
	return plain
}
