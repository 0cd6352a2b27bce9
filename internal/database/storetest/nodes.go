package storetest

import (
	"context"
	mathrand "math/rand/v2"

	"terse"
)

// nodes are several stores of one database. Each call is one's.
type nodes struct {
	Store
	others []Store
}

// Nodes returns a store that passes calls about users, tokens and sessions to one of several nodes
// of a database.
func Nodes(first Store, others ...Store) Store {
	return &nodes{Store: first, others: append(others, first)}
}

func (n *nodes) one() Store { return n.others[mathrand.IntN(len(n.others))] }

func (n *nodes) User(ctx context.Context, identity string) (terse.User, error) {
	return n.one().User(ctx, identity)
}

func (n *nodes) SignIn(
	ctx context.Context, by terse.Caller, person terse.User, session terse.Session,
) (terse.User, error) {
	return n.one().SignIn(ctx, by, person, session)
}

func (n *nodes) CreateService(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().CreateService(ctx, by, identity)
}

func (n *nodes) UpdateUser(
	ctx context.Context, by terse.Caller, identity string, change terse.UserChange,
) (terse.User, error) {
	return n.one().UpdateUser(ctx, by, identity, change)
}

func (n *nodes) DeleteUser(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().DeleteUser(ctx, by, identity)
}

func (n *nodes) CreateToken(
	ctx context.Context, by terse.Caller, token terse.AccessToken, hash terse.SecretHash,
) (terse.AccessToken, error) {
	return n.one().CreateToken(ctx, by, token, hash)
}

func (n *nodes) DeleteToken(ctx context.Context, by terse.Caller, id string) error {
	return n.one().DeleteToken(ctx, by, id)
}

func (n *nodes) TokenGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return n.one().TokenGrant(ctx, hash)
}

func (n *nodes) CreateSession(ctx context.Context, by terse.Caller, session terse.Session) error {
	return n.one().CreateSession(ctx, by, session)
}

func (n *nodes) SessionGrant(ctx context.Context, hash terse.SecretHash) (terse.Grant, error) {
	return n.one().SessionGrant(ctx, hash)
}

func (n *nodes) DeleteSessions(ctx context.Context, by terse.Caller, identity string) error {
	return n.one().DeleteSessions(ctx, by, identity)
}
