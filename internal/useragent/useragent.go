// Package useragent tells browsers, systems, kinds of devices and bots apart by their User-Agent.
//
// Most say what they are in one of a few ways, and are recognized in microseconds. For the others
// there are the rules of the ua-parser project, which take a millisecond; they are read when they
// are first needed, which takes some 50 ms. So what was recognized is remembered, and how many are
// recognized a second is bounded. Bots and devices are told by rules of our own.
package useragent

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ua-parser/uap-go/uaparser"
)

// Families are what is known of a user agent, without versions.
type Families struct {
	Browser string // one of Browsers, for example Chrome, Samsung Internet; Other
	OS      string // Windows, macOS, iOS, Android, Linux, ChromeOS; Other
	Device  string // desktop, mobile, tablet, tv, console; Other
	Bot     bool   // a crawler, monitor, link preview or other program; all else is Other
}

// Other stands for what is none of the values.
const Other = "other"

// mozilla begins the user agents of nearly all browsers.
const mozilla = "mozilla/"

var (
	bot     = Families{Other, Other, Other, true}
	unknown = Families{Other, Other, Other, false}
)

// RulesTime is when the rules in the version of uap-go that go.mod names were last changed. It is
// that of the commit of uap-core that they were made of; the module does not say it.
var RulesTime = time.Date(2024, 9, 27, 14, 38, 21, 0, time.UTC)

const (
	// maxBytes is how much of a user agent is looked at and remembered. Real ones are shorter,
	// but for what apps append.
	maxBytes = 512
	// perSecond bounds how many are recognized a second, at some 5 µs each. Those that take the
	// rules are fewer: they take some 3 % of a core.
	perSecond, rulesPerSecond = 250, 20
	// burst is how many more there may be at once: those of a server that has just started.
	burst, rulesBurst = 5000, 500
)

// Parser recognizes user agents. It may be used by many at once.
type Parser struct {
	known   *cache
	rules   func() *uaparser.Parser
	all     budget // of user agents to recognize
	byRules budget // of those that take the rules
}

// New returns a Parser.
func New() *Parser {
	return &Parser{
		known: newCache(), rules: sync.OnceValue(rules),
		all: newBudget(perSecond, burst), byRules: newBudget(rulesPerSecond, rulesBurst),
	}
}

// rules reads the built-in rules, without those for devices, which take most of the time and know
// models, not kinds.
func rules() *uaparser.Parser {
	// The built-in rules can be read, which is all that may fail. Its own cache would hold a lock
	// that all wait for.
	p, _ := uaparser.New(uaparser.WithCacheSize(1))
	p.Device = nil
	return p
}

// Quick returns what is known of a user agent within microseconds. slow is set when Recognize may
// know more, after a millisecond.
func (p *Parser) Quick(agent []byte) (f Families, ok, slow bool) {
	if len(agent) == 0 {
		return bot, true, false
	}
	agent = agent[:min(len(agent), maxBytes)]
	if f, ok = p.known.get(agent); ok {
		return f, true, false
	}
	if !p.all.take() {
		return unknown, false, false
	}
	line := string(agent)
	if f, ok = plain(strings.ToLower(line)); ok {
		p.known.put(line, f)
		return f, true, false
	}
	return unknown, false, p.byRules.left()
}

// Recognize returns what a user agent is. Beyond the bounds for new ones it is not known.
func (p *Parser) Recognize(agent []byte) (f Families, ok bool) {
	f, ok, slow := p.Quick(agent)
	if ok || !slow || !p.byRules.take() {
		return f, ok
	}
	line := string(agent[:min(len(agent), maxBytes)])
	f = byRules(p.rules(), line, strings.ToLower(line))
	p.known.put(line, f)
	return f, true
}

// byRules tells what a user agent is that does not say that it is a program. Browsers begin with
// Mozilla/, or are known.
func byRules(rules *uaparser.Parser, line, lower string) Families {
	f := Families{Browser: browserOf(rules, line, lower)}
	if f.Browser == Other && !strings.HasPrefix(lower, mozilla) && !isOldBrowser(lower) {
		return bot
	}
	f.OS = systemOf(rules.ParseOs(line).Family, lower)
	f.Device = deviceOf(f.OS, lower)
	return f
}

func has(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}
