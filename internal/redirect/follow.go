package redirect

import (
	"context"
	"errors"
	"math"
	"time"

	"terse"
)

// follow answers a visit of a link with options, or of a path behind a code, or by POST. The link
// is nil when there is none.
func (h *Handler) follow(v *Visit, a Attempt, link *target, code terse.Code, rest []byte) Answer {
	f := facts{code: code, rest: rest}
	var damaged error
	if link != nil {
		damaged = h.learn(link, v, &f)
	}
	answer := h.settle(v, a, link, &f)
	if damaged != nil && answer.Reply != nil && h.mayComplain(v.Time) {
		answer.Err = errors.Join(answer.Err, damaged)
	}
	return answer
}

// learn finds out what a link's options say, and what they ask of the visitor and is at hand. Its
// error is that they are damaged.
func (h *Handler) learn(link *target, v *Visit, f *facts) error {
	if len(link.encoded) == 0 {
		return nil
	}
	c := h.compiled.of(link.encoded)
	if c.damaged != nil {
		return &damagedError{f.code, c.damaged}
	}
	link.options = c
	if c.needsCountry {
		f.country = h.country(v)
	}
	if c.needsAgent {
		var slow bool
		f.agent, _, slow = h.agents.Quick(v.Header[UserAgent])
		f.agentKnown = !slow
	}
	return nil
}

// settle finds out what is lacking until it is decided what becomes of a visit, and does that.
func (h *Handler) settle(v *Visit, a Attempt, link *target, f *facts) Answer {
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

// take takes one of a link's MaxClicks. It is never tried again: it may have been taken.
func (h *Handler) take(link terse.LinkRef) error {
	ctx, cancel := context.WithTimeout(context.Background(), h.opts.LinkTimeout)
	defer cancel()
	return h.opts.Take(ctx, link)
}

// damagedError says that a link's options can't be read.
type damagedError struct {
	code terse.Code
	err  error
}

func (e *damagedError) Error() string {
	return "link " + e.code.String() + " leads to its original_url, for its options are damaged: " +
		e.err.Error()
}

// complaintInterval bounds how often the log hears of damaged options: links may be many, and
// visits are.
const complaintInterval = time.Second

func (h *Handler) mayComplain(now time.Time) bool {
	last := h.complained.Load()
	return now.UnixNano()-last >= int64(complaintInterval) &&
		h.complained.CompareAndSwap(last, now.UnixNano())
}
