package blocked

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"

	"go4.org/netipx"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"terse/internal/link/weburl"
)

// Bounds of a file.
const (
	maxLines     = 1_000_000
	maxFileBytes = 64 << 20
	// maxLineBytes bounds a line. A line of a hosts file has a few names.
	maxLineBytes = 64 << 10
)

const (
	// maxShown is how many bad lines the log shows, each with at most shownBytes of its text.
	maxShown   = 10
	shownBytes = 60
)

// badLines are the lines of a file that are skipped.
type badLines struct {
	number int
	first  []string
}

func (b *badLines) add(line int, text []byte) {
	if b.number++; b.number <= maxShown {
		text = bytes.Trim(text, spaces)
		b.first = append(b.first, fmt.Sprintf("%d: %.*q", line, shownBytes, text))
	}
}

// builder makes a List of lines.
type builder struct {
	list  List
	hosts []string // of the line that is being read
}

// parse reads a list, about size bytes long.
func parse(r io.Reader, size int) (*List, badLines, error) {
	b := &builder{list: List{names: newNames(size)}}
	var bad badLines
	lines := bufio.NewReaderSize(transform.NewReader(&bounded{r, maxFileBytes},
		encoding.UTF8Validator), maxLineBytes)
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // of some editors
		}
		ok := err == nil || errors.Is(err, io.EOF)
		if ok && len(line) > 0 {
			var full error
			if ok, full = b.add(line); full != nil {
				return nil, bad, full
			}
		}
		if !ok {
			bad.add(n, line)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			err = skipLine(lines)
		}
		switch {
		case n > maxLines && len(line) > 0:
			return nil, bad, fmt.Errorf("it has more than %d lines", maxLines)
		case errors.Is(err, io.EOF):
			return b.finish(), bad, nil
		case errors.Is(err, encoding.ErrInvalidUTF8):
			return nil, bad, errors.New("it is not UTF-8")
		case err != nil:
			return nil, bad, err
		}
	}
}

// bounded fails where a file is too big.
type bounded struct {
	io.Reader
	left int
}

func (b *bounded) Read(p []byte) (n int, err error) {
	n, err = b.Reader.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("it has more than %d bytes", maxFileBytes)
	}
	return n, err
}

func skipLine(r *bufio.Reader) error {
	for {
		if _, err := r.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// spaces separate the fields of a line.
const spaces = " \t\r\n\v\f"

func nextField(line []byte) (field, rest []byte) {
	end := bytes.IndexAny(line, spaces)
	if end < 0 {
		return line, nil
	}
	return line[:end], bytes.TrimLeft(line[end:], spaces)
}

// add adds what a line blocks. ok is false if it is to be skipped, as a whole.
func (b *builder) add(line []byte) (ok bool, err error) {
	line, _, _ = bytes.Cut(line, []byte("#"))
	field, rest := nextField(bytes.Trim(line, spaces))
	switch {
	case len(field) == 0:
		return true, nil
	case len(rest) == 0:
		return b.addEntry(field)
	case !isAddress(field):
		return false, nil
	}
	for b.hosts = b.hosts[:0]; len(rest) > 0; {
		field, rest = nextField(rest)
		host, ok := readHost(field)
		if !ok {
			return false, nil
		}
		b.hosts = append(b.hosts, host)
	}
	for _, host := range b.hosts {
		if err := b.addHost(host, false); err != nil {
			return false, err
		}
	}
	return true, nil
}

// addEntry adds what stands alone on its line.
func (b *builder) addEntry(text []byte) (ok bool, err error) {
	if bytes.IndexByte(text, '/') >= 0 {
		return b.addBlock(string(text)), nil
	}
	text, only := bytes.CutPrefix(text, []byte("="))
	host, ok := readHost(text)
	if !ok {
		return false, nil
	}
	return true, b.addHost(host, only)
}

// addBlock adds a CIDR block. One of mapped addresses is the IPv4 block that it stands for, unless
// it reaches beyond IPv4.
func (b *builder) addBlock(text string) (ok bool) {
	prefix, err := netip.ParsePrefix(text)
	if err == nil && prefix.Addr().Is4In6() {
		prefix, err = prefix.Addr().Unmap().Prefix(prefix.Bits() - 96)
	}
	if err == nil {
		b.addRange(netipx.RangeOfPrefix(prefix))
	}
	return err == nil
}

// addHost adds a host. A name without a dot is passed over: it is this machine, one of the network
// around it or a whole top-level domain.
func (b *builder) addHost(host string, only bool) error {
	if addr, ok := parseAddress(host); ok {
		addr = addr.Unmap()
		b.addRange(netipx.IPRangeFrom(addr, addr))
		return nil
	}
	if !strings.Contains(host, ".") {
		return nil
	}
	return b.list.names.add(host, only)
}

func (b *builder) addRange(r netipx.IPRange) {
	if from := r.From(); from.Is4() {
		b.list.v4 = append(b.list.v4, block[uint32]{number(from), number(r.To())})
	} else {
		b.list.v6 = append(b.list.v6, block[address]{from.As16(), r.To().As16()})
	}
}

func (b *builder) finish() *List {
	if n := &b.list.names; len(n.text) < cap(n.text)/2 { // a file of addresses, or of comments
		n.text = bytes.Clone(n.text)
	}
	b.list.v4 = settled(b.list.v4, cmp.Compare[uint32])
	b.list.v6 = settled(b.list.v6, compareAddresses)
	return &b.list
}

// readHost reads a host like weburl.Host, without the root's dot. It may be a bare IPv6 address.
func readHost(text []byte) (host string, ok bool) {
	if isPlain(text) {
		return string(text), true
	}
	host = string(text)
	if addr, err := netip.ParseAddr(host); err == nil && addr.Is6() {
		host = "[" + host + "]"
	}
	host, ok = weburl.Host(host)
	return strings.TrimSuffix(host, "."), ok
}

// isAddress reports whether the first field of a line of a hosts file is an address. That may have
// a zone.
func isAddress(text []byte) bool {
	if _, err := netip.ParseAddr(string(text)); err == nil {
		return true
	}
	host, ok := readHost(text)
	if !ok {
		return false
	}
	_, ok = parseAddress(host)
	return ok
}

// isPlain reports whether a text is certainly a name that weburl.Host returns as it is, as most are
// in lists. Host takes ten times as long.
func isPlain(text []byte) bool {
	const maxName, maxLabel = 253, 63
	from := 0 // of the label
	for i, c := range text {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		case c == '.' && from < i && i-from <= maxLabel:
			from = i + 1
		default:
			return false
		}
	}
	last := text[from:]
	return len(text) <= maxName && 0 < len(last) && len(last) <= maxLabel &&
		'a' <= last[0] && last[0] <= 'z' && !bytes.Contains(text, []byte("xn--"))
}
