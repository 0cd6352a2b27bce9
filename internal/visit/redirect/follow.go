package redirect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"terse"
)

// learn fills in the facts that a link's options need and that are quick to get.
func (h *Handler) learn(c *options, v *Visit, f *facts) {
	if c.needsCountry {
		f.country = h.country(v)
	}
	if c.needsAgent {
		var slow bool
		f.agent, _, slow = h.agents.Quick(v.Header[UserAgent])
		f.agentKnown = !slow
	}
}

// resolve gets missing facts until there is a decision, and carries it out. terse.ErrNotFound if
// the store does not have the link any more.
func (h *Handler) resolve(v *Visit, a Attempt, link *target, f *facts) (Answer, error) {
	for {
		o := decide(link, v, f, v.Time)
		if a.Wait != 0 && (o.Take || o.Kind == LacksUsed || o.Kind == LacksAgent) {
			return Answer{Apart: true}, nil
		}
		var err error
		switch {
		case o.Kind == LacksAgent:
			f.agent, _ = h.agents.Recognize(v.Header[UserAgent])
			f.agentKnown = true
		case o.Kind == LacksUsed:
			f.link, err = h.link(link)
			f.used, f.usedKnown = f.link.Used, true
		case o.Kind == AskPassword:
			var answer Answer
			if answer, f.unlocked = h.unlock(v, a, link); !f.unlocked {
				return answer, nil
			}
		case o.Take:
			err = h.take(link.ref())
			if err == nil {
				return h.carryOut(&o, v, a, link, f), nil
			}
			if errors.Is(err, terse.ErrUsedUp) {
				f.used, f.usedKnown, err = math.MaxInt64, true, nil
			}
		default:
			return h.carryOut(&o, v, a, link, f), nil
		}
		if err != nil {
			return Answer{}, err
		}
	}
}

// take uses up one of a link's MaxClicks. It must not be retried after an error, because one may
// have been used.
func (h *Handler) take(link terse.LinkRef) error {
	ctx, cancel := context.WithTimeout(context.Background(), h.opts.LinkTimeout)
	defer cancel()
	return h.opts.Take(ctx, link)
}

// closed answers a visit to a link whose options can't be decoded, or whose URL no browser should
// be sent to.
func (h *Handler) closed(code terse.Code, damaged error, now time.Time) Answer {
	if !h.mayComplain(now) {
		return Answer{Reply: Failed}
	}
	return Answer{Reply: Failed, Err: fmt.Errorf("link %s is closed: %w", h.name(code), damaged)}
}

// complaintInterval bounds how often damaged options are logged, because such links and their
// visits may be many.
const complaintInterval = time.Second

func (h *Handler) mayComplain(now time.Time) bool {
	last := h.complained.Load()
	return now.UnixNano()-last >= int64(complaintInterval) &&
		h.complained.CompareAndSwap(last, now.UnixNano())
}
