package auth

import (
	"context"
	"log/slog"
	"time"

	"terse"
)

const (
	// maxVisits bounds the visits that wait for the store, some 100 bytes each. Those beyond it are
	// noted with the next request a minute later.
	maxVisits = 1_000
	// maxVisitors bounds who is remembered as seen in a minute, some 150 bytes each.
	maxVisitors = 20_000
)

// visits are who was seen, and which tokens were used, for the store to know to a minute.
type visits struct {
	waiting chan visit
	minute  time.Time          // guarded by Gate.mu
	seen    map[visit]struct{} // in that minute; guarded by Gate.mu
}

type visit struct{ identity, token string }

func newVisits() visits {
	return visits{waiting: make(chan visit, maxVisits), seen: map[visit]struct{}{}}
}

// note notes a visit, once a minute, unless the store has it already. It never waits.
func (g *Gate) note(granted terse.Grant) {
	minute := time.Now().Truncate(time.Minute)
	user, token := granted.User, granted.Token
	if !user.LastSeenAt.Before(minute) && (token.ID == "" || !token.LastUsedAt.Before(minute)) {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	v := &g.visits
	if !v.minute.Equal(minute) {
		v.minute = minute
		clear(v.seen)
	}
	by := visit{user.Identity, token.ID}
	if _, seen := v.seen[by]; seen || len(v.seen) >= maxVisitors {
		return
	}
	v.seen[by] = struct{}{}
	select {
	case v.waiting <- by:
	default: // the store is busy
	}
}

// Run brings visits to the store until ctx ends.
func (g *Gate) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case by := <-g.visits.waiting:
			g.bring(ctx, by)
		}
	}
}

func (g *Gate) bring(ctx context.Context, by visit) {
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	err := g.Store.Seen(ctx, by.identity, by.token, time.Now().Truncate(time.Minute))
	if err != nil && ctx.Err() == nil {
		g.Logger.LogAttrs(ctx, slog.LevelWarn, "not noted that somebody was seen",
			slog.String("identity", by.identity), slog.Any("error", err))
	}
}
