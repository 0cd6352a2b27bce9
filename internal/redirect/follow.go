package redirect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"terse"
)

// follow answers a visit to a link with options, a path behind a code, or a POST. link is nil if
// there is none.
func (h *Handler) follow(v *Visit, a Attempt, link *target, code terse.Code, rest []byte) Answer {
	f := facts{code: code, rest: rest}
	if link != nil && len(link.encoded) > 0 {
		link.options = h.compiled.of(link.encoded)
		if link.options.damaged != nil {
			return h.closed(code, link.options.damaged, v.Time)
		}
		h.learn(link.options, v, &f)
	}
	return h.resolve(v, a, link, &f)
}

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

// resolve gets missing facts until there is a decision, and carries it out.
func (h *Handler) resolve(v *Visit, a Attempt, link *target, f *facts) Answer {
	for {
		o := decide(link, v, f, v.Time)
		if a.Wait != 0 && (o.Take || o.Kind == LacksUsed || o.Kind == LacksAgent) {
			return Answer{Apart: true}
		}
		var err error
		switch {
		case o.Kind == LacksAgent:
			f.agent, _ = h.agents.Recognize(v.Header[UserAgent])
			f.agentKnown = true
			continue
		case o.Kind == LacksUsed:
			f.link, err = h.link(f.code, h.opts.LinkTimeout)
			f.used, f.usedKnown = f.link.Used, true
		case o.Kind == AskPassword:
			var answer Answer
			if answer, f.unlocked = h.unlock(v, a, link, f.code); !f.unlocked {
				return answer
			}
			continue
		case o.Take:
			err = h.take(terse.LinkRef{ID: link.id, Code: f.code})
			if errors.Is(err, terse.ErrUsedUp) {
				f.used, f.usedKnown, err = math.MaxInt64, true, nil
				break
			}
			fallthrough
		default:
			if err == nil {
				return h.carryOut(&o, v, a, link, f)
			}
		}
		if errors.Is(err, terse.ErrNotFound) {
			link = nil
		} else if err != nil {
			return Answer{Reply: Failed, Err: err}
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

// closed answers a visit to a link whose options can't be decoded.
func (h *Handler) closed(code terse.Code, damaged error, now time.Time) Answer {
	if !h.mayComplain(now) {
		return Answer{Reply: Failed}
	}
	return Answer{Reply: Failed, Err: fmt.Errorf("link %s is closed: %w", code, damaged)}
}

// complaintInterval bounds how often damaged options are logged, because such links and their
// visits may be many.
const complaintInterval = time.Second

func (h *Handler) mayComplain(now time.Time) bool {
	last := h.complained.Load()
	return now.UnixNano()-last >= int64(complaintInterval) &&
		h.complained.CompareAndSwap(last, now.UnixNano())
}
