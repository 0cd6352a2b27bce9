package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCalls bounds the calls under way, and with them memory and connections to the server. Further
// messages wait in the pipe.
const maxCalls = 16

// maxUnsent bounds the answers that wait to be written, in bytes of JSON. The calls under way never
// have as much, but the answers to a batch, which old revisions have, wait for its last one.
const maxUnsent = 8 << 20

var errUnsent = errors.New("too many answers at once: send fewer requests in a batch; " +
	"what this one asked for is done")

// listen is the one call that lasts until the client cancels it.
const listen = "subscriptions/listen"

// transport is the SDK's for a pair of streams, with a bound for the calls under way, and goes on
// behind a line that is no message. When the input ends it also waits for the calls; the SDK drops
// their answers, so that those of `terse mcp < file` would be missing by chance.
type transport struct {
	in  io.Reader
	out io.Writer
}

// Connect implements sdk.Transport.
func (t *transport) Connect(ctx context.Context) (sdk.Connection, error) {
	out := &output{to: t.out}
	in := &lines{in: bufio.NewReaderSize(t.in, maxLine), out: out}
	pair := &sdk.IOTransport{
		Reader: io.NopCloser(in), Writer: out,
		MaxLineLength: -1, // lines has a bound, which does not end the session
	}
	inner, err := pair.Connect(ctx)
	if err != nil {
		return nil, err
	}
	c := &connection{Connection: inner, out: out, calls: map[jsonrpc.ID]string{}}
	c.changed.L = &c.mu
	return c, nil
}

// output is the stream to the client, and knows how much waits for it. Nobody closes it.
type output struct {
	mu     sync.Mutex // guards what follows
	to     io.Writer
	unsent int // bytes of JSON in answers, about
}

// fits reports whether an answer may wait, and counts it if so.
func (o *output) fits(answer *jsonrpc.Response) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unsent+len(answer.Result) > maxUnsent {
		return false
	}
	o.unsent += len(answer.Result)
	return true
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent = max(0, o.unsent-len(p)) // p is the answers and some more
	return o.to.Write(p)
}

// refuse answers a line whose ID is not known. The SDK writes no answer without one.
func (o *output) refuse(problem error) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": problem})
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err = o.to.Write(append(answer, '\n'))
	return err
}

func (*output) Close() error { return nil }

type connection struct {
	sdk.Connection

	out *output

	mu      sync.Mutex // guards what follows
	changed sync.Cond
	calls   map[jsonrpc.ID]string // methods of the calls that have no answer yet
	closed  bool
}

// Read implements sdk.Connection. Only one goroutine calls it.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	for err != nil && !c.closed && c.answering() {
		c.changed.Wait()
	}
	if call, ok := message.(*jsonrpc.Request); err == nil && ok && call.IsCall() {
		for !c.closed && len(c.calls) >= maxCalls {
			c.changed.Wait()
		}
		c.calls[call.ID] = call.Method
	}
	return message, err
}

// answering reports whether a call is under way that ends by itself.
func (c *connection) answering() bool {
	for _, method := range c.calls {
		if method != listen {
			return true
		}
	}
	return false
}

// Write implements sdk.Connection.
func (c *connection) Write(ctx context.Context, message jsonrpc.Message) error {
	answer, ok := message.(*jsonrpc.Response)
	if ok && !c.out.fits(answer) {
		answer = &jsonrpc.Response{ID: answer.ID, Error: errUnsent}
		message = answer
	}
	err := c.Connection.Write(ctx, message)
	if ok {
		c.mu.Lock()
		delete(c.calls, answer.ID)
		c.changed.Broadcast()
		c.mu.Unlock()
	}
	return err
}

// Close implements sdk.Connection.
func (c *connection) Close() error {
	c.mu.Lock()
	c.closed = true
	c.changed.Broadcast()
	c.mu.Unlock()
	return c.Connection.Close()
}
