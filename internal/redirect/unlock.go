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
	"terse/internal/password"
	"terse/internal/recent"
)

const (
	// maxAttempts is how many wrong passwords of a client a link takes in attemptWindow. Those
	// that are being checked count.
	maxAttempts   = 10
	attemptWindow = time.Minute
	// maxClients bounds the table of clients with wrong passwords: some 10 MB. Beyond it somebody
	// is forgotten; what a flood can try is bounded by checkShare anyway.
	maxClients = 50_000
	// checkShare is for how many times as long as a check took there is no other one: all
	// together take a tenth of a core. No pause is longer than maxPause: where cores are busy,
	// a check takes long without taking much.
	checkShare = 9
	maxPause   = 2 * time.Second
	// maxPlaces bounds the line of checks, the one under way included: at some four checks a second
	// its last one is still served within maxWait. One check needs 19 MiB, and there is one at a
	// time.
	maxPlaces = 32
	// networkPlaces bounds the places of one network, so that it takes 16 of them to fill the line.
	networkPlaces = 2
	// maxWait is how long a visitor waits in the line, where cores are busy.
	maxWait = 10 * time.Second
	// maxBcrypt is how many bytes of a password bcrypt looks at: of a longer one the rest may be
	// wrong.
	maxBcrypt = 72
	// unlockedBytes bounds what is remembered of right passwords: some 10,000.
	unlockedBytes = 1 << 20
)

var errBusy = errors.New("too many passwords are being checked")

// locks checks passwords of links.
type locks struct {
	key      [32]byte // keeps what is remembered from being guessed
	right    *recent.Map[struct{}]
	attempts attempts

	mu     sync.Mutex           // guards what follows
	places map[netip.Prefix]int // of each network in the line
	taken  int                  // their sum

	turn chan struct{} // holds an item during a check; those who wait to send one go in order
	next time.Time     // when a check may begin; belongs to whose turn it is
}

// hold is Options.Hold.
type hold func(key string, places int, window time.Duration) (giveBack func(), wait time.Duration)

func newLocks(hold hold) *locks {
	l := &locks{
		right:    recent.New[struct{}](unlockedBytes),
		attempts: attempts{hold: hold, clients: map[attemptKey]*client{}},
		places:   map[netip.Prefix]int{},
		turn:     make(chan struct{}, 1),
	}
	_, _ = rand.Read(l.key[:]) // never fails
	return l
}

// sum is under what a right password is remembered: it is no other password's, and none of the link
// after its password was changed.
func (l *locks) sum(hash string, sent []byte) []byte {
	mac := hmac.New(sha256.New, l.key[:])
	mac.Write([]byte(hash))
	mac.Write([]byte{0})
	mac.Write(sent)
	return mac.Sum(nil)
}

// takePlace takes a place in the line of checks, if there is one for a network.
func (l *locks) takePlace(network netip.Prefix) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == maxPlaces || l.places[network] == networkPlaces {
		return false
	}
	l.taken++
	l.places[network]++
	return true
}

func (l *locks) leavePlace(network netip.Prefix) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken--
	if l.places[network]--; l.places[network] == 0 {
		delete(l.places, network)
	}
}

// check compares a password with a hash, when it is its turn unless the password is known to be
// right. Its error is errBusy when the line has no place for the network or is too slow. For a hash
// of an older kind that was brought along it returns the one to keep in its place.
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
	if !l.takePlace(network) {
		return false, "", errBusy
	}
	defer l.leavePlace(network)
	patience := time.NewTimer(maxWait)
	defer patience.Stop()
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-patience.C:
		return false, "", errBusy
	}
	if _, ok := l.right.Get(sum); ok { // many come with the same one
		return true, "", nil
	}
	select {
	case <-time.After(time.Until(l.next)):
	case <-patience.C:
		return false, "", errBusy
	}
	began := time.Now()
	if ok, err = password.Verify(hash, string(sent)); ok {
		l.right.Put(string(sum), struct{}{}, 0)
		if password.IsBcrypt(hash) && max(len(sent), len(composed)) <= maxBcrypt {
			better = password.Hash(string(sent))
		}
	}
	ended := time.Now()
	l.next = ended.Add(min(checkShare*ended.Sub(began), maxPause))
	return ok, better, err
}

// unlock reports whether a visitor has the password of a link, and returns the answer if not.
func (h *Handler) unlock(v *Visit, a Attempt, link *target, code terse.Code) (Answer, bool) {
	sent, given := v.password()
	if !given {
		return Answer{Reply: h.pages.askPassword}, false
	}
	if a.Wait != 0 {
		return Answer{Apart: true}, false
	}
	// First of all, so that while too many are wrong or under way nobody learns which one is right.
	try, wait := h.locks.attempts.begin(attemptKey{v.client(), link.id})
	if wait > 0 {
		return h.lockedFor(v, wait), false
	}
	hash := link.options.Password
	ok, better, err := h.locks.check(v.network(), hash, sent)
	try.end(!ok && err == nil)
	switch {
	case errors.Is(err, errBusy):
		return h.busy(v), false
	case err != nil:
		return Answer{Reply: Failed, Err: fmt.Errorf("password of link %s: %w", code, err)}, false
	case !ok:
		return h.wrongPassword(v), false
	case better != "" && h.opts.Rehash != nil:
		h.opts.Rehash(terse.LinkRef{ID: link.id, Code: code}, hash, better)
	}
	return Answer{}, true
}

// What a visitor gets who did not unlock a link: people a page, programs JSON.

func (h *Handler) wrongPassword(v *Visit) Answer {
	if v.Post {
		return Answer{Reply: h.pages.wrongPassword}
	}
	return Answer{Reply: wrongPassword}
}

func (h *Handler) lockedFor(v *Visit, wait time.Duration) Answer {
	if v.Post {
		return retryAfter(h.pages.tooManyPasswords, wait)
	}
	return retryAfter(tooManyPasswords, wait)
}

func (h *Handler) busy(v *Visit) Answer {
	if v.Post {
		return retryAfter(h.pages.busy, time.Second)
	}
	return retryAfter(busy, time.Second)
}

// attempts are who sent wrong passwords for which link: on this node, and with hold on all.
type attempts struct {
	hold hold // nil: there are no other nodes, or they count alone

	mu      sync.Mutex // guards what follows
	clients map[attemptKey]*client
	swept   time.Time
}

type attemptKey struct {
	client netip.Addr
	link   terse.LinkID
}

// sum names a key to other nodes: by a hash, so that no address is seen there.
func (k attemptKey) sum() string {
	addr := k.client.As16()
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(addr[:], uint64(k.link)))
	return hex.EncodeToString(sum[:16])
}

// client is what one sent for a link.
type client struct {
	wrong    [maxAttempts]time.Time // a ring: when the last ones were
	next     int                    // where the oldest is
	underWay int                    // not below 0: each attempt begins and ends once
}

// recent returns how many wrong ones there were in the window before a time.
func (c *client) recent(now time.Time) (n int) {
	for _, at := range c.wrong {
		if !at.IsZero() && now.Sub(at) < attemptWindow {
			n++
		}
	}
	return n
}

// attempt is one that is under way, until its end.
type attempt struct {
	of       *attempts
	key      attemptKey
	giveBack func() // the place that it holds on all nodes; nil: none
}

// begin begins an attempt, or returns how long the client has to wait before.
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

// add counts an attempt that is under way on this node, unless the client has to wait.
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

// end ends an attempt. Only wrong ones count from then on.
func (t attempt) end(wrong bool) {
	if !wrong && t.giveBack != nil {
		t.giveBack()
	}
	s := t.of
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	c := s.clients[t.key] // there, because makeRoom forgets none with an attempt under way
	c.underWay--
	if wrong {
		c.wrong[c.next] = now
		c.next = (c.next + 1) % maxAttempts
	} else if c.underWay == 0 && c.recent(now) == 0 {
		delete(s.clients, t.key)
	}
}

// makeRoom forgets clients whose attempts are too old to count, and when there are none, any.
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
