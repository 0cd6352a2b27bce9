package redirect

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"sync"
	"time"

	"terse"
	"terse/internal/visit/password"
	"terse/internal/visit/recent"
)

const (
	// maxAttempts is how many wrong passwords a client may send for a link, or for something else
	// that has one, in attemptWindow.
	// Passwords being checked count, too.
	maxAttempts   = 10
	attemptWindow = time.Minute
	// maxClients bounds the table of clients with wrong passwords: about 10 MB. Beyond it, clients
	// are forgotten; the line bounds the attempts of a flood anyway.
	maxClients = 50_000
	// maxBcrypt is how many bytes of a password bcrypt uses; the rest of a longer one may be wrong.
	maxBcrypt = 72
	// unlockedBytes bounds the cache of correct passwords: about 10,000.
	unlockedBytes = 1 << 20
)

var errBusy = errors.New("too many passwords are being checked")

// locks checks passwords.
type locks struct {
	key      [32]byte // prevents guessing the cached passwords
	right    *recent.Map[struct{}]
	attempts attempts
	line     line
}

// hold is Options.Hold.
type hold func(key string, places int, window time.Duration) (giveBack func(), wait time.Duration)

func newLocks(hold hold) *locks {
	l := &locks{
		right:    recent.New[struct{}](unlockedBytes),
		attempts: attempts{hold: hold, clients: map[attemptKey]*client{}},
		line:     line{places: map[netip.Prefix]int{}},
	}
	_, _ = rand.Read(l.key[:]) // never fails
	return l
}

// sum is the cache key of a correct password. It is unique to the password, and changes when the
// link's password does.
func (l *locks) sum(hash string, sent []byte) []byte {
	mac := hmac.New(sha256.New, l.key[:])
	mac.Write([]byte(hash))
	mac.Write([]byte{0})
	mac.Write(sent)
	return mac.Sum(nil)
}

// check compares a password with a hash. It waits for its turn unless the password is cached as
// correct. Its error is errBusy if the line has no place for the network or is too slow. For a
// correct password with a hash that another program made, it returns one of ours to store instead.
func (l *locks) check(network netip.Prefix, hash string, sent []byte) (
	ok bool, better string, err error,
) {
	composed := password.Compose(string(sent))
	if len(composed) > terse.MaxPassword {
		return false, "", nil
	}
	sum := l.sum(hash, sent)
	if _, ok := l.right.Get(sum); ok {
		return true, "", nil
	}
	cost := password.Cost(hash)
	if composed != string(sent) {
		cost *= 2 // both forms may be tried
	}
	w := l.line.enter(network, hash, cost)
	if w == nil {
		return false, "", errBusy
	}
	var took time.Duration
	defer func() { l.line.leave(w, took) }()
	patience := time.NewTimer(maxWait)
	defer patience.Stop()
	select {
	case <-w.turn:
	case <-patience.C:
		return false, "", errBusy
	}
	if _, ok := l.right.Get(sum); ok { // many visitors send the same one
		return true, "", nil
	}
	began := time.Now()
	if ok, err = password.Verify(hash, string(sent)); ok {
		l.right.Put(string(sum), struct{}{}, 0)
		whole := !password.IsBcrypt(hash) || max(len(sent), len(composed)) <= maxBcrypt
		if whole && !password.IsOurs(hash) {
			better = password.Hash(string(sent))
		}
	}
	took = time.Since(began)
	return ok, better, err
}

// try checks a password that a visitor sent for what has a number, a link's ID or another. wait is
// how long the visitor has to wait if it was not checked because too many were wrong.
func (l *locks) try(visitor *Visitor, of uint64, hash string, sent []byte) (
	ok bool, better string, wait time.Duration, err error,
) {
	// This comes first, so that nobody learns which password is right while too many are wrong or
	// being checked.
	try, wait := l.attempts.begin(attemptKey{visitor.client(), of})
	if wait > 0 {
		return false, "", wait, nil
	}
	ok, better, err = l.check(visitor.network(), hash, sent)
	try.end(!ok && err == nil)
	return ok, better, 0, err
}

// unlock reports whether a visitor knows a link's password, and otherwise returns the answer.
func (h *Handler) unlock(v *Visit, a Attempt, link *target) (Answer, bool) {
	sent, given := v.password()
	if !given {
		return Answer{Reply: h.pages(v).askPassword}, false
	}
	if a.Wait != 0 {
		return Answer{Apart: true}, false
	}
	hash := link.options.Password
	ok, better, wait, err := h.locks.try(&v.Visitor, uint64(link.id), hash, sent)
	switch {
	case wait > 0:
		return h.lockedFor(v, wait), false
	case errors.Is(err, errBusy):
		return h.busy(v), false
	case err != nil:
		err = fmt.Errorf("password of link %s: %w", h.name(link.code), err)
		return Answer{Reply: Failed, Err: err}, false
	case !ok:
		return h.wrongPassword(v), false
	case better != "" && h.opts.Rehash != nil:
		h.opts.Rehash(link.ref(), hash, better)
	}
	return Answer{}, true
}

// Answers to visitors who did not unlock a link: a page for people, JSON for programs.

func (h *Handler) wrongPassword(v *Visit) Answer {
	if v.Post {
		return Answer{Reply: h.pages(v).wrongPassword}
	}
	return Answer{Reply: wrongPassword}
}

func (h *Handler) lockedFor(v *Visit, wait time.Duration) Answer {
	if v.Post {
		return retryAfter(h.pages(v).tooManyPasswords, wait)
	}
	return retryAfter(tooManyPasswords, wait)
}

func (h *Handler) busy(v *Visit) Answer {
	if v.Post {
		return retryAfter(h.pages(v).busy, time.Second)
	}
	return retryAfter(busy, time.Second)
}

// attempts records which clients sent wrong passwords for what: on this node and, with hold,
// on all.
type attempts struct {
	hold hold // nil: there are no other nodes, or they count alone

	mu      sync.Mutex // guards the fields below
	clients map[attemptKey]*client
	swept   time.Time
}

type attemptKey struct {
	client netip.Addr
	of     uint64
}

// sum names a key for other nodes. It is a hash, so that it reveals no address.
func (k attemptKey) sum() string {
	addr := k.client.As16()
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(addr[:], k.of))
	return hex.EncodeToString(sum[:16])
}

// client is one client's attempts at something.
type client struct {
	wrong    [maxAttempts]time.Time // a ring of the times of the last wrong ones
	next     int                    // index of the oldest
	underWay int                    // never negative: each attempt begins and ends once
}

// recent returns the number of wrong attempts in the window before a time.
func (c *client) recent(now time.Time) (n int) {
	for _, at := range c.wrong {
		if !at.IsZero() && now.Sub(at) < attemptWindow {
			n++
		}
	}
	return n
}

// attempt is an attempt in progress.
type attempt struct {
	of       *attempts
	key      attemptKey
	giveBack func() // gives back its place on all nodes; nil: it has none
}

// begin begins an attempt, or returns how long the client has to wait first.
func (s *attempts) begin(key attemptKey) (attempt, time.Duration) {
	if wait := s.add(key, time.Now()); wait > 0 || s.hold == nil {
		return attempt{s, key, nil}, wait
	}
	giveBack, wait := s.hold(key.sum(), maxAttempts, attemptWindow)
	if wait > 0 {
		attempt{s, key, nil}.end(false)
	}
	return attempt{s, key, giveBack}, wait
}

// add counts an attempt in progress on this node, unless the client has to wait.
func (s *attempts) add(key attemptKey, now time.Time) (wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.clients[key]
	if c == nil {
		s.makeRoom(now)
		c = &client{}
		s.clients[key] = c
	}
	if c.recent(now)+c.underWay >= maxAttempts {
		return max(time.Second, c.wrong[c.next].Add(attemptWindow).Sub(now))
	}
	c.underWay++
	return 0
}

// end ends an attempt. From then on it counts only if it was wrong.
func (t attempt) end(wrong bool) {
	if !wrong && t.giveBack != nil {
		t.giveBack()
	}
	s := t.of
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	c := s.clients[t.key] // exists: makeRoom drops no client with an attempt in progress
	c.underWay--
	if wrong {
		c.wrong[c.next] = now
		c.next = (c.next + 1) % maxAttempts
	} else if c.underWay == 0 && c.recent(now) == 0 {
		delete(s.clients, t.key)
	}
}

// makeRoom drops clients whose attempts are too old to count, or any client if there are none.
func (s *attempts) makeRoom(now time.Time) {
	if len(s.clients) < maxClients {
		return
	}
	if now.Sub(s.swept) >= time.Second {
		s.swept = now
		s.sweep(now)
	}
	for key, c := range s.clients {
		if len(s.clients) < maxClients {
			return
		}
		if c.underWay == 0 { // all but a few
			delete(s.clients, key)
		}
	}
}

func (s *attempts) sweep(now time.Time) {
	maps.DeleteFunc(s.clients, func(_ attemptKey, c *client) bool {
		return c.underWay == 0 && c.recent(now) == 0
	})
}

// Forget drops the addresses of clients whose wrong passwords no longer count.
func (h *Handler) Forget() {
	s := &h.locks.attempts
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(time.Now())
}
