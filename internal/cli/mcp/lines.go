package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// lines are the messages that come in, one on each line. Lines that are none are answered and left
// out: to the SDK they would be the end of the session.
type lines struct {
	in   *bufio.Reader // its buffer bounds a line
	out  *output
	rest []byte // of the line that is being read
}

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.in.ReadSlice('\n')
		problem := problemOf(bytes.TrimSpace(line))
		for errors.Is(err, bufio.ErrBufferFull) {
			problem = errNoJSON
			_, err = l.in.ReadSlice('\n')
		}
		switch {
		case problem != nil:
			if err := l.out.refuse(problem); err != nil {
				return 0, err
			}
		case len(line) > 0:
			l.rest = append(bytes.TrimSpace(line), '\n')
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

// problemOf returns why a line is neither a message nor a batch of them, nil for an empty one, too.
func problemOf(line []byte) error {
	switch {
	case len(line) == 0:
		return nil
	case !json.Valid(line): // as the SDK reads it; tools are stricter about their arguments
		return errNoJSON
	}
	var batch []json.RawMessage
	if line[0] != '[' {
		batch = append(batch, line)
	} else if err := json.Unmarshal(line, &batch); err != nil || len(batch) == 0 {
		return errNoMessage
	}
	for _, message := range batch {
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			return errNoMessage
		}
	}
	return nil
}
