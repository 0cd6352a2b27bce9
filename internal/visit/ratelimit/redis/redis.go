// Package redis is a client for as much of Redis as rate limits need: commands in pipelines over
// one connection, whose replies are short texts and numbers (RESP2).
//
// It takes the place of a library, which made up a fifth of the binary, for three commands.
//
// It trusts no server. What it reads is bounded in bytes and in time, and a reply of any other kind
// ends the connection with an error. It knows no clusters and no sentinels, starts no goroutine,
// and does not know what its commands are for.
package redis

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	// maxLine bounds a line of a reply. Redis's errors are shorter.
	maxLine = 4096
	// maxText bounds a text within a reply: the longest of use is the name of a script, 40 bytes.
	maxText = 512
)

// Server is the address of a Redis or Valkey server.
type Server struct {
	network, address string
	tls              *tls.Config // nil: plain
	user, password   string
	database         int
}

// ParseURL parses redis://user:password@host:6379/0, rediss://host, unix:///path?db=0, and the same
// with valkey in place of redis. Its error does not reveal the URL, which may contain a password.
func ParseURL(text string) (Server, error) {
	bad := errors.New("must be a URL such as redis://user:password@host:6379/0, rediss://host " +
		"or unix:///path")
	u, err := url.Parse(text)
	if err != nil || u.Fragment != "" || u.Opaque != "" {
		return Server{}, bad
	}
	s := Server{network: "tcp", user: u.User.Username()}
	s.password, _ = u.User.Password()
	query := u.Query()
	database := query.Get("db")
	if query.Del("db"); len(query) > 0 {
		return Server{}, errors.New("has parameters behind ? of which only db is known; " +
			"clusters and sentinels are not")
	}
	switch u.Scheme {
	case "unix":
		if u.Host != "" || u.Path == "" {
			return Server{}, bad
		}
		s.network, s.address = "unix", u.Path
	case "redis", "valkey", "rediss", "valkeys":
		if u.Hostname() == "" || strings.Count(u.Path, "/") > 1 {
			return Server{}, bad
		}
		port := u.Port()
		if port == "" {
			port = "6379"
		}
		s.address = net.JoinHostPort(u.Hostname(), port)
		if path := strings.Trim(u.Path, "/"); path != "" {
			database = path
		}
		if strings.HasSuffix(u.Scheme, "ss") || u.Scheme == "valkeys" {
			s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
		}
	default:
		return Server{}, bad
	}
	if database != "" {
		n, err := strconv.ParseUint(database, 10, 16)
		if err != nil {
			return Server{}, bad
		}
		s.database = int(n)
	}
	return s, nil
}

// Client is a connection to a server, which is made when it is needed. Several goroutines may use
// it; one at a time sends.
type Client struct {
	server Server
	turn   chan struct{} // holds an item of the goroutine that owns the rest
	conn   net.Conn      // nil: none
	reader *bufio.Reader
	out    []byte
}

// New returns a client that is not connected.
func New(server Server) *Client { return &Client{server: server, turn: make(chan struct{}, 1)} }

// Reply is a number or a text, or the error that the server answers to one command.
type Reply struct {
	Number int64
	Text   string
	Err    error
}

// Error is an error that the server answers, such as "NOSCRIPT No matching script".
type Error string

func (e Error) Error() string { return "the server says " + strconv.Quote(string(e)) }

// errReply means that the rest of what the server sends can't be parsed.
var errReply = errors.New("the server does not speak Redis's protocol")

// Do sends commands in one write and returns a reply for each. After an error the connection is
// closed, and nobody knows which commands were run. Do ends with ctx, which must have a deadline.
func (c *Client) Do(ctx context.Context, commands ...[]string) ([]Reply, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.conn == nil {
		if err := c.connect(ctx); err != nil {
			return nil, err
		}
	}
	replies, err := c.exchange(ctx, commands)
	if err != nil {
		c.hangUp()
	}
	return replies, err
}

// connect dials, signs in and selects the database.
func (c *Client) connect(ctx context.Context) error {
	dialer := net.Dialer{KeepAlive: -1} // users of a Client probe it
	conn, err := dialer.DialContext(ctx, c.server.network, c.server.address)
	if err != nil {
		return err
	}
	if c.server.tls != nil {
		secure := tls.Client(conn, c.server.tls)
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return err
		}
		conn = secure
	}
	c.conn, c.reader = conn, bufio.NewReaderSize(conn, maxLine)
	if err := c.greet(ctx); err != nil {
		c.hangUp()
		return err
	}
	return nil
}

func (c *Client) greet(ctx context.Context) error {
	var commands [][]string
	switch {
	case c.server.user != "":
		commands = append(commands, []string{"AUTH", c.server.user, c.server.password})
	case c.server.password != "":
		commands = append(commands, []string{"AUTH", c.server.password})
	}
	if c.server.database != 0 {
		commands = append(commands, []string{"SELECT", strconv.Itoa(c.server.database)})
	}
	replies, err := c.exchange(ctx, commands)
	for _, reply := range replies {
		if err == nil {
			err = reply.Err
		}
	}
	return err
}

// Close closes the connection. It waits for commands that are under way, which their context ends.
func (c *Client) Close() {
	c.turn <- struct{}{}
	c.hangUp()
	<-c.turn
}

func (c *Client) hangUp() {
	if c.conn != nil {
		_ = c.conn.Close()
	}
	c.conn, c.reader = nil, nil
}

func (c *Client) exchange(ctx context.Context, commands [][]string) ([]Reply, error) {
	conn := c.conn
	deadline, _ := ctx.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if c.reader.Buffered() > 0 {
		return nil, errReply // an answer to nothing
	}
	c.out = c.out[:0]
	for _, command := range commands {
		c.out = appendCommand(c.out, command)
	}
	_, err := conn.Write(c.out)
	clear(c.out) // it may have a password
	if err != nil {
		return nil, err
	}
	replies := make([]Reply, len(commands))
	for i := range replies {
		if replies[i], err = c.read(); err != nil {
			return nil, err
		}
	}
	return replies, nil
}

func appendCommand(out []byte, words []string) []byte {
	out = appendLength(out, '*', len(words))
	for _, word := range words {
		out = append(appendLength(out, '$', len(word)), word...)
		out = append(out, "\r\n"...)
	}
	return out
}

func appendLength(out []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(out, kind), int64(n), 10), "\r\n"...)
}

// read reads a reply. It refuses nested ones, which no command here gets.
func (c *Client) read() (r Reply, err error) {
	line, err := c.reader.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || err == nil && (len(line) < 3 ||
		line[len(line)-2] != '\r') {
		return r, errReply
	}
	if err != nil {
		return r, err
	}
	kind, rest := line[0], string(line[1:len(line)-2])
	switch kind {
	case '+':
		return Reply{Text: rest}, nil
	case '-':
		return Reply{Err: c.problem(rest)}, nil
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	switch {
	case err == nil && kind == ':':
		return Reply{Number: n}, nil
	case err == nil && kind == '$' && n >= 0 && n <= maxText:
		return c.readText(int(n))
	}
	return r, errReply
}

func (c *Client) readText(n int) (r Reply, err error) {
	text := make([]byte, n+2)
	if _, err := io.ReadFull(c.reader, text); err != nil {
		return r, err
	}
	if string(text[n:]) != "\r\n" {
		return r, errReply
	}
	return Reply{Text: string(text[:n])}, nil
}

// problem returns an error of the server without our password, which some servers repeat.
func (c *Client) problem(text string) Error {
	const most = 200 // bytes of a server's own choice in the log
	if p := c.server.password; p != "" {
		text = strings.ReplaceAll(text, p, "…")
	}
	return Error(strings.ToValidUTF8(text[:min(len(text), most)], ""))
}
