package webhooks

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"go4.org/netipx"
	"golang.org/x/net/dns/dnsmessage"

	"terse"
)

// Which addresses of the registries can be connected to.
func TestAddresses(t *testing.T) {
	t.Parallel()
	g := guardFor(t, nil)
	for text, want := range map[string]bool{
		"1.1.1.1": true, "9.255.255.255": true, "11.0.0.0": true, "172.15.255.255": true,
		"172.32.0.0": true, "100.63.255.255": true, "100.128.0.0": true, "192.0.1.0": true,
		"192.0.0.9": true, "192.0.0.10": true, "192.31.196.1": true, "192.175.48.1": true,
		"198.17.255.255": true, "198.20.0.0": true, "223.255.255.255": true,

		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.0": false, "10.255.255.255": false,
		"100.64.0.0": false, "100.127.255.255": false, "127.0.0.1": false, "127.255.255.254": false,
		"169.254.169.254": false, "172.16.0.0": false, "172.31.255.255": false,
		"192.0.0.0": false, "192.0.0.8": false, "192.0.0.11": false, "192.0.0.170": false,
		"192.0.0.255": false, "192.0.2.1": false, "192.88.99.1": false, "192.88.99.2": false,
		"192.168.0.0": false, "192.168.255.255": false, "198.18.0.0": false,
		"198.19.255.255": false, "198.51.100.7": false, "203.0.113.9": false,
		"224.0.0.1": false, "239.255.255.255": false, "240.0.0.0": false,
		"255.255.255.255": false,

		"2606:4700::1111": true, "2001:200::1": true, "2001:4860:4860::8888": true,
		"2001:1::1": true, "2001:1::2": true, "2001:1::3": true, "2001:3::1": true,
		"2001:4:112::1": true, "2001:20::1": true, "2001:2f:ffff::1": true, "2001:30::1": true,
		"2620:4f:8000::1": true, "2a00::1": true, "2001:db9::1": true, "3ffe::1": true,

		"::": false, "::1": false, "::7f00:1": false, "::102:304": false, "100::1": false,
		"100:0:0:1::1": false, "100:0:0:2::1": false, "2001::1": false,
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "2001:1::4": false, "2001:2::1": false,
		"2001:4:113::1": false, "2001:10::1": false, "2001:40::1": false,
		"2001:1ff:ffff::1": false, "2001:db8::1": false, "2002:102:304::1": false,
		"2002:7f00:1::": false, "3fff::1": false, "3fff:fff:ffff::1": false, "4000::1": false,
		"5f00::1": false, "fc00::1": false, "fd12::1": false, "fe80::1": false,
		"fe80::1%eth0": false, "fec0::1": false, "ff02::1": false, "ff0e::1": false,
		"1::1": false, "2606:4700::1111%eth0": true, // connects to the same

		"::ffff:1.1.1.1": true, "::ffff:127.0.0.1": false, "::ffff:10.1.2.3": false,
		"::ffff:169.254.169.254": false, "64:ff9b::1.1.1.1": true, "64:ff9b::127.0.0.1": false,
		"64:ff9b::10.0.0.1": false, "64:ff9b:1::101:101": false, "64:ff9b:0:0:1::1": false,
	} {
		addr := netip.MustParseAddr(text)
		if got := g.permits(addr, true); got != want {
			t.Errorf("%s: permitted %v, want %v", text, got, want)
		}
		if g.permits(addr, false) {
			t.Errorf("%s: permitted without TLS", text)
		}
	}
}

// A network that is allowed is reached in every spelling of its addresses, and nothing else.
func TestAllowedNetworks(t *testing.T) {
	t.Parallel()
	g := guardFor(t, nil, "10.1.0.0/16", "fd00:1::/32", "fe80::/10")
	for text, want := range map[string]bool{
		"10.1.2.3": true, "::ffff:10.1.2.3": true, "64:ff9b::10.1.2.3": true, "fd00:1::7": true,
		"fe80::1%eth0": true, "10.2.0.0": false, "127.0.0.1": false, "fd00:2::7": false,
	} {
		addr := netip.MustParseAddr(text)
		if g.permits(addr, true) != want || g.permits(addr, false) != want {
			t.Errorf("%s: permitted %v, want %v", text, !want, want)
		}
	}
	if one := netip.MustParseAddr("1.1.1.1"); !g.permits(one, true) || g.permits(one, false) {
		t.Error("the internet is to be reached by TLS only")
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	names := &nameServer{answers: map[string][][]string{
		"public.example.":        {{"1.1.1.1", "2606:4700::1111"}},
		"mixed.example.":         {{"1.1.1.1", "10.0.0.7"}},
		"inside.example.":        {{"10.1.0.7"}},
		"xn--bcher-kva.example.": {{"1.1.1.1"}},
		"none.example.":          {{}},
	}}
	g := guardFor(t, names, "10.1.0.0/16")
	const url, address = "url must be an https URL without user and password",
		"webhook address is not allowed"
	for text, want := range map[string]string{
		"https://public.example/hook?key=1": "",
		"https://public.example:8443/":      "",
		"https://PUBLIC.example./":          "",
		"https://bücher.example/":           "",
		"https://1.1.1.1/":                  "",
		"https://[2606:4700::1111]/":        "",
		"https://inside.example/":           "",
		"http://inside.example/":            "",
		"http://10.1.0.7:9000/":             "",
		"http://public.example/":            url,
		"http://1.1.1.1/":                   url,
		"https://user@public.example/":      url,
		"https://user:word@public.example/": url,
		"https://:word@public.example/":     url,
		"ftp://public.example/":             url,
		"//public.example/":                 url,
		"public.example":                    url,
		"":                                  url,
		"https://":                          url,
		"https:///path":                     url,
		"https://mixed.example/":            address,
		"https://none.example/":             address,
		"https://unknown.example/":          address,
		"https://127.0.0.1/":                address,
		"https://127.1/":                    address,
		"https://0x7f000001/":               address,
		"https://2130706433/":               address,
		"https://[::1]/":                    address,
		"https://[::ffff:10.0.0.1]/":        address,
		"https://[64:ff9b::7f00:1]/":        address,
		"https://169.254.169.254/latest":    address,
		"http://10.2.0.1/":                  address,
		"https://:8443/":                    url,
		"https://127.1.1.1.1/":              url,
	} {
		err := g.Check(t.Context(), text)
		got := ""
		if err != nil {
			known, ok := errors.AsType[*terse.Error](err)
			if !ok || known.Kind != terse.Invalid || known.Field != "url" {
				t.Errorf("%s: %#v is no error about url", text, err)
			}
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// guardFor returns a guard that asks a name server, and permits some networks.
func guardFor(t testing.TB, names *nameServer, networks ...string) *Guard {
	t.Helper()
	var allowed netipx.IPSetBuilder
	for _, network := range networks {
		allowed.AddPrefix(netip.MustParsePrefix(network))
	}
	set, err := allowed.IPSet()
	if err != nil {
		t.Fatal(err)
	}
	g := NewGuard(*set)
	g.resolver = &net.Resolver{
		PreferGo: true,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			if names == nil {
				return nil, errors.New("no name server")
			}
			here, there := net.Pipe()
			go names.serve(there)
			return here, nil
		},
	}
	return g
}

// nameServer answers with addresses: with the first ones of a name at first, then with those
// behind, and with the last ones from then on.
type nameServer struct {
	mu      sync.Mutex
	answers map[string][][]string
	asked   int // for IPv4 addresses
}

// serve answers questions, each of which has its length in front.
func (n *nameServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answer := n.answer(question)
		binary.BigEndian.PutUint16(length[:], uint16(len(answer)))
		if _, err := conn.Write(append(length[:], answer...)); err != nil {
			return
		}
	}
}

func (n *nameServer) answer(question []byte) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Header.Response, m.Additionals = true, nil
	all, known := n.answers[strings.ToLower(q.Name.String())]
	if !known {
		m.Header.RCode = dnsmessage.RCodeNameError
		packed, _ := m.Pack()
		return packed
	}
	for _, text := range all[0] {
		addr, header := netip.MustParseAddr(text), dnsmessage.ResourceHeader{
			Name: q.Name, Type: q.Type, Class: q.Class,
		}
		switch {
		case addr.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: header, Body: &dnsmessage.AResource{A: addr.As4()},
			})
		case addr.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()},
			})
		}
	}
	if q.Type == dnsmessage.TypeA {
		n.asked++
		if len(all) > 1 {
			n.answers[strings.ToLower(q.Name.String())] = all[1:]
		}
	}
	packed, _ := m.Pack()
	return packed
}
