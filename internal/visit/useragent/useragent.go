// Package useragent recognizes browsers, systems, kinds of devices and bots by their User-Agent.
//
// Most have one of a few forms and are recognized in microseconds. For the others there are the
// rules of the ua-parser project, which take a millisecond each, and 50 ms to load on first use. So
// results are cached, and the rate of recognition is bounded. For bots and devices we have our own
// rules.
package useragent

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ua-parser/uap-go/uaparser"
)

// Families describe a user agent, without versions.
type Families struct {
	Browser string // one of Browsers, for example Chrome, Samsung Internet; Other
	OS      string // Windows, macOS, iOS, Android, Linux, ChromeOS; Other
	Device  string // desktop, mobile, tablet, tv, console; Other
	Bot     bool   // a crawler, monitor, link preview or other program; the rest is Other
}

// Other is any other value.
const Other = "other"

// mozilla is the beginning of nearly all browsers' user agents.
const mozilla = "mozilla/"

var (
	bot     = Families{Other, Other, Other, true}
	unknown = Families{Other, Other, Other, false}
)

// RulesTime is when the rules in the version of uap-go in go.mod were last changed: the time of the
// commit of uap-core they were generated from, which the module does not contain.
var RulesTime = time.Date(2024, 9, 27, 14, 38, 21, 0, time.UTC)

const (
	// maxBytes is how much of a user agent is examined and cached. Real ones are shorter, except
	// for what apps append.
	maxBytes = 512
	// perSecond bounds how many are recognized a second, at about 5 µs each. rulesPerSecond is
	// lower: it takes about 3 % of a core.
	perSecond, rulesPerSecond = 250, 20
	// burst is how many more are allowed at once, for a server that has just started.
	burst, rulesBurst = 5000, 500
)

// Parser recognizes user agents. It may be used concurrently.
type Parser struct {
	known   *cache
	rules   func() *uaparser.Parser
	all     budget // all user agents
	byRules budget // user agents that need the rules
}

// New returns a Parser.
func New() *Parser {
	return &Parser{
		known: newCache(), rules: sync.OnceValue(rules),
		all: newBudget(perSecond, burst), byRules: newBudget(rulesPerSecond, rulesBurst),
	}
}

// rules loads the built-in rules, except those for devices, which are the slowest and know models,
// not kinds.
func rules() *uaparser.Parser {
	// Loading the built-in rules can't fail. The library's own cache would make all callers wait
	// for one lock.
	p, _ := uaparser.New(uaparser.WithCacheSize(1))
	p.Device = nil
	return p
}

// Quick returns what it can find out about a user agent within microseconds. slow means that
// Recognize may find more, in a millisecond.
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

// Recognize recognizes a user agent. ok is false beyond the bounds for new ones.
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

// Identify recognizes a user agent however many are new. It takes a millisecond.
func (p *Parser) Identify(agent []byte) Families {
	if len(agent) == 0 {
		return bot
	}
	line := string(agent[:min(len(agent), maxBytes)])
	if f, ok := p.known.get([]byte(line)); ok {
		return f
	}
	lower := strings.ToLower(line)
	f, ok := plain(lower)
	if !ok {
		f = byRules(p.rules(), line, lower)
	}
	p.known.put(line, f)
	return f
}

// byRules recognizes a user agent that does not say that it is a program. It is a browser if it
// begins with Mozilla/ or is known.
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
