package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"terse"
)

// Store is what a Gate asks about named tokens and stored sessions.
type Store interface {
	TokenGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error)
	SessionGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error)
	CreateSession(ctx context.Context, by terse.Caller, session terse.Session) error
	DeleteSession(ctx context.Context, by terse.Caller, hash terse.SecretHash) error
	Seen(ctx context.Context, identity, token string, at time.Time) error
}

// Options are the parts of a Gate. All are required unless their comment says otherwise.
type Options struct {
	Tokens *Tokens // those of the settings, which work without the Store
	Store  Store
	// Admission says which people may come in; nil: none.
	Admission *Admission
	// Timeout bounds each call of the Store, for example 5s.
	Timeout time.Duration
	Logger  *slog.Logger
}

const (
	// grantLifetime is how long an answer of the store is used. What was taken back is refused on
	// all nodes after this time.
	grantLifetime = time.Second
	// maxGrants bounds the answers of each of the two generations that are kept. They have some 500
	// bytes each, groups of people not being among them, so all take up to 10 MB.
	maxGrants = 10_000
	// maxGuesses bounds the look-ups at a time of texts that may be guesses: those that were not
	// right when they were last looked up. A flood of them leaves the store to others. It is no
	// budget of a client's: a bad caller must not lock out a good token on the same address.
	maxGuesses = 4
)

// Gate says who a request comes from. Its methods may be called concurrently.
//
// It asks the store once a second at most about each text: it keeps the answers, and requests with
// one text wait for one look-up together. Drop makes it forget, so what a node takes back itself is
// refused at once.
type Gate struct {
	Options

	mu         sync.Mutex // guards the fields below, and what the grants say
	drops      int        // how often Drop was called
	young, old map[secret]*grant
	guesses    chan struct{} // has an item for each look-up of what may be a guess

	visits visits
}

// secret names a text that the store may know.
type secret struct {
	session bool // not a token
	hash    terse.SecretHash
}

// grant is what the store says about a secret. The fields behind done are set before it is closed.
type grant struct {
	began  time.Time // before the store was asked
	drops  int       // of the Gate, then
	proven bool      // the store knew the secret when it was asked the last time

	done  chan struct{}
	proof proof
	err   error
}

// proof is what a secret proves, until it ends.
type proof struct {
	caller terse.Caller
	ends   time.Time // zero: never
}

// NewGate returns a Gate.
func NewGate(opts Options) *Gate {
	return &Gate{
		Options: opts, young: map[secret]*grant{}, guesses: make(chan struct{}, maxGuesses),
		visits: newVisits(),
	}
}

// Bearer returns who the values of a request's Authorization headers prove the caller to be, or
// ErrMissing, ErrFormat, ErrUnknown, ErrExpired or ErrDisabled. Any other error is one of the
// store.
func (g *Gate) Bearer(authorization []string) (terse.Caller, error) {
	token, err := bearer(authorization)
	if err != nil {
		return terse.Caller{}, err
	}
	hash, known := g.Tokens.find(token)
	if known {
		return ofSettings(terse.ViaAuthTokens), nil
	}
	if !isNamed(token) {
		return terse.Caller{}, ErrUnknown
	}
	p, err := g.prove(secret{hash: hash})
	return p.caller, err
}

// ofSettings returns the caller that the tokens of the settings stand for.
func ofSettings(via terse.Via) terse.Caller {
	return terse.Caller{Identity: terse.Identity, Role: terse.Admin, Via: via}
}

// Session returns who the value of a session proves the caller to be, and when the session ends.
// Its errors are ErrSession and those of Bearer.
func (g *Gate) Session(value string) (terse.Caller, time.Time, error) {
	if !isStored(value) {
		session, err := g.Tokens.Session(value, time.Now())
		if err != nil {
			return terse.Caller{}, time.Time{}, err
		}
		return ofSettings(terse.ViaSession), session.Expires, nil
	}
	p, err := g.prove(secret{true, HashOf(value)})
	return p.caller, p.ends, err
}

// SignIn opens a session with a token. by has the address and the ID of the request. Its errors are
// those of Bearer.
func (g *Gate) SignIn(ctx context.Context, by terse.Caller, token string) (Session, error) {
	now := time.Now()
	session, err := g.Tokens.SignIn(token, now)
	if err == nil || !isNamed(token) {
		return session, err
	}
	p, err := g.prove(secret{hash: HashOf(token)})
	if err != nil {
		return Session{}, err
	}
	session, stored := NewSession(now)
	session.Expires = earlier(session.Expires, p.ends)
	stored.ExpiresAt = session.Expires
	stored.Identity, stored.Token = p.caller.Identity, p.caller.Token
	err = g.Store.CreateSession(ctx, from(p.caller, by), stored)
	switch { // it may have been taken back meanwhile
	case err == nil:
		return session, nil
	case errors.Is(err, terse.ErrTokenNotFound), errors.Is(err, terse.ErrUserNotFound):
		return Session{}, ErrUnknown
	case errors.Is(err, terse.ErrUserDisabled):
		return Session{}, ErrDisabled
	}
	return Session{}, fmt.Errorf("create session: %w", err)
}

// SignOut ends a session, if its value is that of one that is stored. by has the address and the ID
// of the request. Its errors are those of Session.
func (g *Gate) SignOut(ctx context.Context, by terse.Caller, value string) error {
	if !isStored(value) {
		return nil
	}
	caller, _, err := g.Session(value)
	if err != nil {
		return err
	}
	defer g.Drop()
	if err := g.Store.DeleteSession(ctx, from(caller, by), HashOf(value)); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// from returns a caller with the address and the ID of a request.
func from(caller, by terse.Caller) terse.Caller {
	caller.Address, caller.RequestID = by.Address, by.RequestID
	return caller
}

// Drop makes the Gate ask the store again. Call it after something that grants depend on was
// changed.
func (g *Gate) Drop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drops++
}

// prove returns what a secret proves.
func (g *Gate) prove(of secret) (proof, error) {
	found, ask := g.expect(of)
	if ask {
		g.ask(of, found)
	}
	<-found.done // within Timeout
	switch p := found.proof; {
	case found.err != nil:
		return proof{}, found.err
	case p.ends.IsZero() || time.Now().Before(p.ends):
		return p, nil
	case of.session:
		return proof{}, ErrSession
	}
	return proof{}, ErrExpired
}

// find returns the last answer about a secret, which is kept if it is asked for. Call it under the
// lock.
func (g *Gate) find(of secret) *grant {
	found := g.young[of]
	if found == nil {
		if found = g.old[of]; found != nil {
			g.put(of, found)
		}
	}
	return found
}

func (g *Gate) put(of secret, found *grant) {
	if len(g.young) >= maxGrants {
		g.old, g.young = g.young, map[secret]*grant{}
	}
	g.young[of] = found
}

// isFresh reports whether an answer may be used, or waited for.
func (g *Gate) isFresh(found *grant) bool {
	return found.drops == g.drops && time.Since(found.began) < grantLifetime
}

// expect returns the answer about a secret. If nobody gets it from the store yet, the caller has
// to.
func (g *Gate) expect(of secret) (found *grant, ask bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.find(of)
	if before != nil && g.isFresh(before) {
		return before, false
	}
	found = &grant{
		began: time.Now(), drops: g.drops, proven: before != nil && before.proven,
		done: make(chan struct{}),
	}
	g.put(of, found)
	return found, true
}

// ask gets an answer from the store. No request's end ends it, because others wait for it.
func (g *Gate) ask(of secret, found *grant) {
	defer close(found.done)
	found.err = errors.New("look-up of a token ended early") // unless it returns
	ctx, cancel := context.WithTimeout(context.Background(), g.Timeout)
	defer cancel()
	if !found.proven {
		select {
		case g.guesses <- struct{}{}:
			defer func() { <-g.guesses }()
		case <-ctx.Done():
			found.err = fmt.Errorf("look up who a request comes from: %w", ctx.Err())
			g.forget(found)
			return
		}
	}
	var granted terse.Grant
	var err error
	if of.session {
		granted, err = g.Store.SessionGrant(ctx, of.hash)
	} else {
		granted, err = g.Store.TokenGrant(ctx, of.hash)
	}
	unknown := errors.Is(err, terse.ErrTokenNotFound) || errors.Is(err, terse.ErrSessionNotFound)
	switch {
	case unknown && of.session:
		found.err = ErrSession
	case unknown:
		found.err = ErrUnknown
	case err != nil:
		found.err = fmt.Errorf("look up who a request comes from: %w", err)
	default:
		found.proof, found.err = g.judge(granted, of.session)
	}
	if err != nil && !unknown {
		g.forget(found)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	found.proven = err == nil
}

// forget makes the next request with a secret ask again.
func (g *Gate) forget(found *grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	found.began = time.Time{}
}

// judge returns what a grant of a session or of a token proves.
func (g *Gate) judge(granted terse.Grant, session bool) (p proof, err error) {
	user, token := granted.User, granted.Token
	if user.Disabled || !g.Admission.Allowed(user) {
		return proof{}, ErrDisabled
	}
	p.caller = terse.Caller{
		Identity: user.Identity, Role: g.Admission.Role(user), Via: terse.ViaToken, Token: token.ID,
	}
	if token.ID != "" {
		p.caller.Role = p.caller.Role.And(token.Role)
		p.ends = token.ExpiresAt
	}
	if session {
		p.caller.Via = terse.ViaSession
		p.ends = earlier(granted.Session.ExpiresAt, p.ends)
	}
	g.note(granted)
	return p, nil
}

// earlier returns the earlier of an end and another, which may be zero: never.
func earlier(end, other time.Time) time.Time {
	if other.IsZero() || end.Before(other) {
		return end
	}
	return other
}
