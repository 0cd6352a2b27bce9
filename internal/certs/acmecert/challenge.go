package acmecert

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/mholt/acmez/v3"
	"github.com/mholt/acmez/v3/acme"
)

// ALPNProtocol is offered by an authority that verifies a host by TLS-ALPN-01. A connection that
// negotiated it is over after the handshake.
const ALPNProtocol = acmez.ACMETLS1Protocol

// challengePath is where an authority asks by HTTP-01.
const challengePath = "/.well-known/acme-challenge/"

// maxLookUps bounds how many questions for challenges of other nodes reach the storage at a time:
// anybody can ask them. Others fail, and authorities ask again.
const maxLookUps = 4

// challenge is what proves control over a host.
type challenge struct {
	Type    string `json:"type"`
	Token   string `json:"token"`
	KeyAuth string `json:"key_authorization"`
}

// answers has the challenges that are under way: those of this node, and in the storage those of
// others.
type answers struct {
	storage Storage
	own     *sync.Map // of host to challenge
	lookUps chan struct{}
}

func newAnswers(s Storage) answers {
	return answers{storage: s, own: &sync.Map{}, lookUps: make(chan struct{}, maxLookUps)}
}

// Present implements acmez.Solver. An authority may reach another node before this returns.
func (a answers) Present(ctx context.Context, c acme.Challenge) error {
	name := c.Identifier.Value
	mine := challenge{c.Type, c.Token, c.KeyAuthorization}
	a.own.Store(name, mine)
	value, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	return a.storage.Store(ctx, name+challengeName, value)
}

// CleanUp implements acmez.Solver.
func (a answers) CleanUp(ctx context.Context, c acme.Challenge) error {
	name := c.Identifier.Value
	a.own.Delete(name)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storageTimeout)
	defer cancel()
	return a.storage.Delete(ctx, name+challengeName)
}

var errNoChallenge = errors.New("no authority is expected to verify this name")

func (a answers) find(ctx context.Context, name, kind string) (c challenge, err error) {
	if own, ok := a.own.Load(name); ok {
		c, _ = own.(challenge)
	} else {
		select {
		case a.lookUps <- struct{}{}:
			defer func() { <-a.lookUps }()
		default:
			return c, errNoChallenge
		}
		ctx, cancel := context.WithTimeout(ctx, storageTimeout)
		defer cancel()
		value, err := a.storage.Load(ctx, name+challengeName)
		if err != nil {
			return c, err
		}
		if value == nil {
			return c, errNoChallenge
		}
		if err := json.Unmarshal(value, &c); err != nil {
			return c, err
		}
	}
	if c.Type != kind {
		return c, errNoChallenge
	}
	return c, nil
}

// certificate returns what answers TLS-ALPN-01.
func (a answers) certificate(ctx context.Context, name string) (*tls.Certificate, error) {
	c, err := a.find(ctx, name, acme.ChallengeTypeTLSALPN01)
	if err != nil {
		return nil, err
	}
	return acmez.TLSALPN01ChallengeCert(acme.Challenge{
		Identifier: acme.Identifier{Type: "dns", Value: name}, KeyAuthorization: c.KeyAuth,
	})
}

// ServeChallenge answers HTTP-01, and reports whether a request was that. The name of the host has
// to be right: nobody else's page makes a browser read the answer under another name.
func (k *Keeper) ServeChallenge(w http.ResponseWriter, r *http.Request) bool {
	token, ok := strings.CutPrefix(r.URL.Path, challengePath)
	if !ok || r.Method != http.MethodGet || token == "" {
		return false
	}
	name := strings.ToLower(r.Host)
	if bare, _, err := net.SplitHostPort(name); err == nil {
		name = bare
	}
	if k.byName[name] == nil {
		return false
	}
	c, err := k.answers.find(r.Context(), name, acme.ChallengeTypeHTTP01)
	if err != nil || c.Token != token {
		return false
	}
	w.Header().Set("Content-Type", "application/octet-stream") // RFC 8555, 8.3
	_, _ = w.Write([]byte(c.KeyAuth))
	return true
}
