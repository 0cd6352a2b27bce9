package main

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// part is one of the things that make up a node.
type part struct {
	name string
	// start makes the part ready and returns its other functions. If it fails, it leaves nothing
	// open.
	start func(*node, context.Context) (work, error)
}

// work is what a part does after its start. Its functions may be nil.
type work struct {
	// run works in the background from when all parts have started until its context ends. If it
	// returns before, the node ends, with its error.
	run func(context.Context) error
	// finish does what is left after run, while its context lasts.
	finish func(context.Context)
	// close releases what start opened.
	close func() error
	// warning returns a problem that operators should know about although redirects and API work,
	// or "".
	warning func() string
}

// startedPart is a part after its start.
type startedPart struct {
	work
	stop func() // ends run and waits for that; nil before run is called
}

// start starts parts in order. If one fails, those before it end.
func (n *node) start(ctx context.Context, parts []part) error {
	for _, p := range parts {
		w, err := p.start(n, ctx)
		if err != nil {
			return errors.Join(err, n.end(ctx))
		}
		n.parts = append(n.parts, &startedPart{work: w})
	}
	return nil
}

// run runs the parts until ctx ends, or one of them does.
func (n *node) run(ctx context.Context) error {
	ended := make(chan error, len(n.parts)) // has room for all, so none waits
	for _, p := range n.parts {
		p.background(ended)
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-ended:
		return err
	}
}

// background calls run in a goroutine. A panic in it ends the process.
func (p *startedPart) background(ended chan<- error) {
	if p.run == nil {
		p.stop = func() {}
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		if err := p.run(ctx); ctx.Err() == nil {
			ended <- err
		}
	})
	p.stop = func() { cancel(); done.Wait() }
}

// end ends the parts, the last one first. The next one ends when a part is stopped, finished and
// closed.
func (n *node) end(ctx context.Context) error {
	var errs []error
	for _, p := range slices.Backward(n.parts) {
		if p.stop != nil {
			p.stop()
			if p.finish != nil {
				p.finish(ctx)
			}
		}
		if p.close != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}

// warnings returns the warnings of all parts.
func (n *node) warnings() (warnings []string) {
	for _, p := range n.parts {
		if p.warning == nil {
			continue
		}
		if warning := p.warning(); warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}
