package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines are the messages that come in, one on each line, and batches of them. Other lines are
// answered and left out: to the SDK they would be the end of the session.
type lines struct {
	in   *bufio.Reader // its buffer bounds a line
	out  *output
	rest []byte // of the messages that are being read
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.in.ReadSlice('\n')
		var problem error
		l.rest, problem = messages(bytes.TrimSpace(line))
		for errors.Is(err, bufio.ErrBufferFull) {
			l.rest, problem = nil, errNoJSON
			_, err = l.in.ReadSlice('\n')
		}
		if problem != nil {
			if err := l.out.refuse(problem); err != nil {
				return 0, err
			}
		}
		if err != nil && len(l.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// The errors of lines.
var (
	errNoJSON error = &jsonrpc.Error{
		Code: jsonrpc.CodeParseError, Message: "each line must be JSON, of at most 1 MiB",
	}
	errNoMessage error = &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidRequest, Message: "each line must be a message of JSON-RPC 2.0",
	}
)

// messages returns the lines for the SDK that stand for one: a message, or a batch of calls behind
// its notifications. To the SDK these are calls without IDs, whose answers it waits for. A line
// without anything stands for none.
func messages(line []byte) ([]byte, error) {
	switch {
	case len(line) == 0:
		return nil, nil
	case !json.Valid(line): // as the SDK reads it; tools are stricter about their arguments
		return nil, errNoJSON
	case line[0] != '[':
		if _, err := jsonrpc.DecodeMessage(line); err != nil {
			return nil, errNoMessage
		}
		return append(line, '\n'), nil // over what was behind it, which is read
	}
	var batch, calls []json.RawMessage
	if err := json.Unmarshal(line, &batch); err != nil || len(batch) == 0 {
		return nil, errNoMessage
	}
	var all []byte
	seen := map[jsonrpc.ID]bool{}
	for _, text := range batch {
		message, err := jsonrpc.DecodeMessage(text)
		call, ok := message.(*jsonrpc.Request)
		switch {
		case err != nil, ok && seen[call.ID]:
			return nil, errNoMessage
		case ok && !call.IsCall():
			all = append(append(all, text...), '\n')
			continue
		case ok:
			seen[call.ID] = true
		}
		calls = append(calls, text)
	}
	if len(calls) == 0 {
		return all, nil
	}
	text, err := json.Marshal(calls)
	return append(append(all, text...), '\n'), err
}
