package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go4.org/netipx"

	"terse"
	"terse/internal/cli"
	"terse/internal/database/postgres"
	"terse/internal/httpapi"
	"terse/internal/link/hosts"
	"terse/internal/link/weburl"
	"terse/internal/logging"
	"terse/internal/visit/ratelimit/redis"
	"terse/internal/visit/redirect"
	"terse/internal/visit/redirect/urls"
)

// rawSettings are the server's settings as given. They are strings, so that all invalid ones can be
// reported together, by the names of their variables.
//
// docs/settings.md is generated from this struct, like --help. A help text that ends in "; default
// …" describes the behaviour without a value.
//
//go:generate go test -run TestSettingsDocument -update .
type rawSettings struct {
	BaseURL         string `name:"base-url" help:"Public base URL of short links, such as https://sho.rt or https://example.com/go; default http://localhost:<port>, https with TLS." group:"Addresses"`
	Domains         string `help:"More hosts of short links beside that of BASE_URL, without port and path, separated by commas; up to 100. Links of a host that is taken away are kept, and not served." group:"Addresses"`
	IgnoreCase      string `help:"Whether addresses that differ only in case are the same. All nodes need the same value." default:"false" complete:"true,false" group:"Addresses"`
	RootRedirectURL string `name:"root-redirect-url" help:"Where / redirects, an http or https URL; default the dashboard." group:"Addresses"`

	ServerPort     string `help:"Port to listen on, 0 takes a free one; default 8080, or $$PORT, or 80 with TLS." group:"Network and TLS"`
	Port           string `help:"Port to listen on when SERVER_PORT is not set." hidden:"" group:"Network and TLS"`
	ListenHost     string `help:"Address to listen on; default all." group:"Network and TLS"`
	rawTLS         `embed:"" group:"Network and TLS"`
	TrustedProxies string `help:"Addresses or CIDR blocks whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas." group:"Network and TLS"`
	AllowedOrigins string `help:"Origins that browsers may call the API from, separated by commas; * for any." group:"Network and TLS"`

	BlockedTargets string `help:"A file of hosts to which no link may lead, one per line: a host with all its subdomains, =host for that host alone, an address, a CIDR block, or a line of a hosts file; up to 1,000,000 lines and 64 MiB. It is reread when it changes; default none." complete:"files" group:"Links"`
	RedirectCache  string `help:"How long browsers may keep a redirect: seconds, or a time, up to 24h. Meanwhile their further visits are not counted, and changes of the link do not reach them. Redirects of links with max_clicks, a password, rules or an earlier end are never kept." default:"0" group:"Links"`
	Robots         string `help:"What crawlers are told of redirects and of pages for visitors, in X-Robots-Tag: all, index, follow, none, noindex, nofollow, noarchive, nosnippet, noimageindex and notranslate, separated by commas; default nothing." group:"Links"`
	CacheSize      string `help:"Memory for cached links, 1MiB to 1024GiB, in bytes or with KiB, MiB, GiB." default:"256MiB" group:"Links"`

	Tracking           string `help:"full; anonymous: visitors are not distinguished; off: clicks are counted by UTC day, and nothing else is kept of them." default:"full" complete:"full,anonymous,off" group:"Clicks and privacy"`
	UntrackedAddresses string `help:"Addresses or CIDR blocks whose visits are redirected and are no clicks, separated by commas; up to 1,000." group:"Clicks and privacy"`
	ClickRetention     string `help:"off, or how long single clicks are kept: whole days such as 90d, or a time from 1s. Their counts by UTC day stay." default:"off" group:"Clicks and privacy"`
	ClickSync          string `help:"Longest time until a click is on disk, from 1ms to 1h, not counting at most two syncs; always: before its redirect is answered." default:"100ms" group:"Clicks and privacy"`
	GeoipDatabase      string `help:"An mmdb file with countries, and with regions and cities if it has them. It is reread when it changes; default the built-in data, which has countries." complete:"files" group:"Clicks and privacy"`
	GeoipHeader        string `help:"Header with the client's country, such as CF-IPCountry. It is believed from trusted proxies and wins over the data." group:"Clicks and privacy"`

	APIRateLimitPerMinute      string `name:"api-rate-limit-per-minute" help:"API requests of a client in any 60 s; 0 for no limit." default:"60" group:"Limits"`
	RedirectRateLimitPerMinute string `help:"Redirects of a client in any 60 s; 0 for no limit." default:"120" group:"Limits"`
	RedisURL                   string `name:"redis-url" help:"One Redis or Valkey server, through which several nodes count a client's requests, and its attempts at passwords, together: redis://user:password@host:6379/0, rediss://… or unix:///path?db=0." secret:"" group:"Limits"`
	MaxConnsPerClient          string `help:"Open connections of one address, trusted proxies excepted; 0 for no limit." default:"1024" group:"Limits"`

	// set but empty is an error
	AuthTokens     *string `help:"Accepted tokens, separated by commas; default a token created at the first start." secret:"" group:"Sign-in"`
	AuthToken      string  `help:"One accepted token, used when AUTH_TOKENS is not set." secret:"" group:"Sign-in"`
	OIDC           rawOIDC `embed:"" prefix:"oidc-" group:"Sign-in"`
	AuditRetention string  `help:"How long entries of the audit are kept: whole days such as 90d, or a time from 24h. 0: there is no audit, and what there was is deleted. All nodes need the same." default:"90d" group:"Sign-in"`

	DataDir         string `help:"Directory of database, click journal and token, created with mode 0700. It serves one server." default:"./data" complete:"files" group:"Storage and backups"`
	DatabaseURL     string `name:"database-url" help:"A path, sqlite:<path>, or postgres://user:password@host/database for several nodes. Several hosts with target_session_attrs=read-write, sslmode, pool_max_conns and the like work as for libpq and pgxpool; default terse.db in DATA_DIR." secret:"" group:"Storage and backups"`
	DBTimeout       string `name:"db-timeout" help:"Longest wait for the database, up to 1h." default:"5s" group:"Storage and backups"`
	StartTimeout    string `help:"Longest wait at the start for a PostgreSQL server that does not answer yet, up to 1h." default:"30s" group:"Storage and backups"`
	ShutdownTimeout string `help:"Longest time for a graceful shutdown, up to 1h." default:"10s" group:"Storage and backups"`
	BackupDir       string `help:"Folder for backups of the SQLite database, created with mode 0700. It serves one server; default none." complete:"files" group:"Storage and backups"`
	BackupInterval  string `help:"Time from one backup to the next, from 1m." default:"24h" group:"Storage and backups"`
	BackupKeep      string `help:"How many of these backups are kept, 1 to 1000. The oldest is deleted when a newer one has been verified." default:"7" group:"Storage and backups"`

	WebhookAllowedNetworks string `help:"Addresses or CIDR blocks that webhooks may be sent to although they are not public, by http as well, separated by commas; up to 1,000." group:"Webhooks"`

	LogLevel           string `help:"debug, info, warn or error." default:"info" complete:"debug,info,warn,error" group:"Logs and metrics"`
	LogFormat          string `help:"json or pretty; default json, on a terminal pretty." complete:"json,pretty" group:"Logs and metrics"`
	LogStackTraces     string `help:"Whether a panic's log record has its stack trace." default:"true" complete:"true,false" group:"Logs and metrics"`
	MetricsAuthEnabled string `help:"Whether /metrics requires a token." default:"false" complete:"true,false" group:"Logs and metrics"`
}

// settings are the server's settings, parsed.
type settings struct {
	listen          string // host:port
	tls             tlsSettings
	baseURL         string // "": the default, which needs the listener's port
	domains         []string
	ignoreCase      bool
	rootRedirect    string // "": the dashboard
	blockedTargets  string // path; "": nothing is blocked
	redirectCache   time.Duration
	robots          string // the value of X-Robots-Tag; "": none
	dataDir         string
	databasePath    string // of SQLite
	postgresURL     string // used instead if not empty
	dbTimeout       time.Duration
	backupDir       string // "": no backups
	backupInterval  time.Duration
	backupKeep      int
	tokens          []string // empty: generate one and keep it
	metricsAuth     bool
	allowedOrigins  []string
	signIn          signInSettings
	apiLimit        int
	redirectLimit   int
	redis           *redis.Server // nil: count alone
	maxConns        int
	trustedProxies  []netip.Prefix
	geoDatabase     string
	geoHeader       string
	tracking        redirect.Tracking
	untracked       netipx.IPSet
	webhookNetworks netipx.IPSet
	retention       time.Duration // 0: forever
	auditRetention  time.Duration // 0: no audit
	cacheBytes      int
	clickSync       time.Duration // 0: before the answer
	startTimeout    time.Duration
	shutdownTimeout time.Duration
	logLevel        slog.Level
	logFormat       logging.Format
	stackTraces     bool
}

// problems collects errors in the settings.
type problems struct{ errs []error }

// add reports a variable, its value and what it must be. It shows the value, apart from a user and
// a password in a URL, so it is not for secrets.
func (p *problems) add(variable, value, want string) {
	if scheme, at := strings.Index(value, "//"), strings.LastIndexByte(value, '@'); scheme >= 0 &&
		at > scheme {
		value = value[:scheme+2] + "…" + value[at:]
	}
	p.errs = append(p.errs, fmt.Errorf("%s is %q; it must be %s", variable, value, want))
}

// parse returns the settings, or one error with every problem.
func (raw *rawSettings) parse() (settings, error) {
	p := &problems{}
	if name := raw.firstDomain(); raw.BaseURL == "" && name != "" {
		raw.BaseURL = "https://" + name
	}
	s := settings{
		listen:          p.listen(raw),
		baseURL:         p.baseURL(raw.BaseURL),
		domains:         p.otherHosts(raw),
		ignoreCase:      p.boolean("IGNORE_CASE", raw.IgnoreCase),
		rootRedirect:    p.rootRedirect(raw.RootRedirectURL),
		blockedTargets:  raw.BlockedTargets,
		redirectCache:   p.maxAge("REDIRECT_CACHE", raw.RedirectCache, maxRedirectCache),
		robots:          p.robots(raw.Robots),
		dataDir:         raw.DataDir,
		dbTimeout:       p.duration("DB_TIMEOUT", raw.DBTimeout),
		backupDir:       raw.BackupDir,
		backupInterval:  p.backupInterval(raw.BackupInterval),
		backupKeep:      p.backupKeep(raw.BackupKeep),
		tokens:          p.tokens(raw),
		metricsAuth:     p.boolean("METRICS_AUTH_ENABLED", raw.MetricsAuthEnabled),
		allowedOrigins:  p.origins(raw.AllowedOrigins),
		signIn:          p.signIn(&raw.OIDC, raw.BaseURL),
		apiLimit:        p.count("API_RATE_LIMIT_PER_MINUTE", raw.APIRateLimitPerMinute),
		redirectLimit:   p.count("REDIRECT_RATE_LIMIT_PER_MINUTE", raw.RedirectRateLimitPerMinute),
		redis:           p.redis(raw.RedisURL),
		maxConns:        p.count("MAX_CONNS_PER_CLIENT", raw.MaxConnsPerClient),
		trustedProxies:  p.prefixes("TRUSTED_PROXIES", raw.TrustedProxies),
		geoDatabase:     raw.GeoipDatabase,
		geoHeader:       p.header(raw.GeoipHeader),
		tracking:        p.tracking(raw.Tracking),
		untracked:       p.blocks("UNTRACKED_ADDRESSES", raw.UntrackedAddresses),
		webhookNetworks: p.blocks("WEBHOOK_ALLOWED_NETWORKS", raw.WebhookAllowedNetworks),
		retention:       p.retention(raw.ClickRetention),
		auditRetention:  p.auditRetention(raw.AuditRetention),
		cacheBytes:      p.bytes("CACHE_SIZE", raw.CacheSize),
		clickSync:       p.clickSync(raw.ClickSync),
		startTimeout:    p.duration("START_TIMEOUT", raw.StartTimeout),
		shutdownTimeout: p.duration("SHUTDOWN_TIMEOUT", raw.ShutdownTimeout),
		logLevel:        p.level(raw.LogLevel),
		logFormat:       p.format(raw.LogFormat),
		stackTraces:     p.boolean("LOG_STACK_TRACES", raw.LogStackTraces),
	}
	s.tls = p.tls(raw, s.listen)
	s.databasePath, s.postgresURL = p.database(raw.DatabaseURL, raw.DataDir)
	if s.backupDir != "" && s.postgresURL != "" {
		p.errs = append(p.errs, fmt.Errorf("BACKUP_DIR: %w", errOnlySQLite))
	}
	if len(p.errs) > 0 {
		return settings{}, cli.SettingsError{Err: errors.Join(p.errs...)}
	}
	return s, nil
}

// listen returns where the server listens for HTTP.
func (p *problems) listen(raw *rawSettings) string {
	variable, port := "SERVER_PORT", raw.ServerPort
	if port == "" && raw.Port != "" {
		variable, port = "PORT", raw.Port
	}
	switch {
	case port != "":
	case raw.tlsOn():
		port = "80"
	default:
		port = "8080"
	}
	if strings.ContainsAny(raw.ListenHost, "/ ") {
		p.add("LISTEN_HOST", raw.ListenHost, "an address or a host name")
	}
	return p.listenOn(raw.ListenHost, variable, port)
}

func (p *problems) listenOn(host, variable, port string) string {
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		p.add(variable, port, "a port from 0 to 65535")
	} else {
		port = strconv.FormatUint(n, 10)
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

func (p *problems) baseURL(value string) string {
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.RawQuery != "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(value, "?#") ||
		!opens(value) {
		p.add("BASE_URL", value, "an http or https URL without user, query and fragment")
		return ""
	}
	base := strings.TrimRight(value, "/")
	path := weburl.Path(base)
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case !basePath.MatchString(path):
		p.add("BASE_URL", value, "a URL whose path has only letters, digits, - . _ ~ and single "+
			"slashes, such as https://example.com/go")
	case path != "" && slices.Contains(httpapi.Reserved(), first):
		// A proxy may cut the path off, and what is left may begin with the same word.
		p.add("BASE_URL", value, "a URL whose path does not begin with /"+first+
			", which the server uses itself")
	}
	return base
}

// otherHosts returns the hosts beside that of BASE_URL. A host that is given twice, or is that of
// BASE_URL, is none more.
func (p *problems) otherHosts(raw *rawSettings) (all []string) {
	if raw.Domains == "" {
		return nil
	}
	base, _ := weburl.Split(raw.BaseURL)
	own, _ := hosts.Parse(base.Host)
	if weburl.Path(raw.BaseURL) != "" {
		p.errs = append(p.errs, errors.New("DOMAINS: BASE_URL must have no path then"))
	}
	return p.hosts("DOMAINS", raw.Domains, own, terse.MaxDomains)
}

// hosts returns the hosts that a setting names, but for one; most is how many there may be.
func (p *problems) hosts(variable, list, but string, most int) []string {
	all, bad := hosts.ParseNames(list)
	if len(all)+len(bad) == 0 {
		bad = []string{list}
	}
	for _, text := range bad {
		p.add(variable, text, "names of hosts such as go.example, separated by commas, without "+
			"schemes, ports and wildcards; an address is no name")
	}
	all = slices.DeleteFunc(all, func(host string) bool { return host == but })
	if len(all) > most {
		p.errs = append(p.errs, fmt.Errorf("%s has %d hosts; at most %d are allowed", variable,
			len(all), most))
	}
	return all
}

// basePath matches paths that have one spelling, and need no escaping in headers, pages and
// scripts. A segment that begins with a dot could be . or .., which browsers resolve.
var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$`)

// opens reports whether browsers can open a URL.
func opens(value string) bool {
	_, err := weburl.Parse(value)
	return err == nil
}

func (p *problems) rootRedirect(value string) string {
	if value == "" {
		return ""
	}
	target, err := weburl.Parse(value)
	if err != nil {
		p.add("ROOT_REDIRECT_URL", value, "an http or https URL")
	}
	return urls.Location(target)
}

// maxRedirectCache bounds for how long a changed or blocked link leads visitors where it did, in
// days.
const maxRedirectCache = 1

// maxAge parses an age that browsers are told, in whole seconds.
func (p *problems) maxAge(variable, value string, maxDays int) time.Duration {
	age, err := parseAge(value)
	if seconds, notNumber := strconv.ParseUint(value, 10, 32); notNumber == nil {
		age, err = time.Duration(seconds)*time.Second, nil
	}
	if err != nil || age < 0 || age > time.Duration(maxDays)*24*time.Hour ||
		age%time.Second != 0 {
		p.add(variable, value, fmt.Sprintf(
			"seconds, whole days such as 1d, or a time such as 24h; at most %dd", maxDays))
	}
	return age
}

// robotsRules are what crawlers know, without rules that have values.
var robotsRules = []string{
	"all", "index", "follow", "none", "noindex", "nofollow", "noarchive", "nosnippet",
	"noimageindex", "notranslate",
}

func (p *problems) robots(value string) string {
	rules := fields(strings.ToLower(value))
	for _, rule := range rules {
		if !slices.Contains(robotsRules, rule) {
			p.add("ROBOTS", rule, "one of "+strings.Join(robotsRules, ", ")+
				", or several separated by commas")
		}
	}
	return strings.Join(rules, ", ")
}

// database parses a path, sqlite:path, or the URL of a PostgreSQL database. The value may contain a
// password, so errors don't show it.
func (p *problems) database(value, dataDir string) (path, postgresURL string) {
	scheme, rest, hasScheme := strings.Cut(value, ":")
	switch {
	case value == "":
		return filepath.Join(dataDir, "terse.db"), ""
	case !hasScheme || strings.ContainsAny(scheme, "/."):
		return value, ""
	case scheme == "sqlite" && strings.TrimPrefix(rest, "//") != "":
		return strings.TrimPrefix(rest, "//"), ""
	case scheme == "postgres" || scheme == "postgresql":
		if err := postgres.CheckURL(value); err != nil {
			p.errs = append(p.errs, fmt.Errorf("DATABASE_URL %w", err))
		}
		return "", value
	}
	p.errs = append(p.errs, fmt.Errorf(
		"DATABASE_URL has the scheme %q; it must be a path, sqlite:<path> or postgres://…", scheme))
	return "", ""
}

func (p *problems) duration(variable, value string) time.Duration {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 || d > time.Hour {
		p.add(variable, value, "a time above 0 and up to 1h, such as 5s")
	}
	return d
}

func (p *problems) backupInterval(value string) time.Duration {
	d, err := time.ParseDuration(value)
	if err != nil || d < time.Minute {
		p.add("BACKUP_INTERVAL", value, "a time from 1m, such as 24h")
	}
	return d
}

func (p *problems) backupKeep(value string) int {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 1000 {
		p.add("BACKUP_KEEP", value, "a whole number from 1 to 1000")
	}
	return n
}

func (p *problems) tracking(value string) redirect.Tracking {
	switch strings.ToLower(value) {
	case "full":
	case "anonymous":
		return redirect.TrackAnonymous
	case "off":
		return redirect.TrackOff
	default:
		p.add("TRACKING", value, "full, anonymous or off")
	}
	return redirect.TrackFull
}

// maxRetention is a hundred years. Longer means forever.
const maxRetention = 36525 * 24 * time.Hour

func (p *problems) retention(value string) time.Duration {
	if strings.EqualFold(value, "off") {
		return 0
	}
	age, err := parseAge(value)
	if err != nil || age < time.Second || age > maxRetention {
		p.add("CLICK_RETENTION", value, "off, whole days such as 90d, or a time from 1s")
	}
	return age
}

func (p *problems) auditRetention(value string) time.Duration {
	if value == "0" {
		return 0
	}
	age, err := parseAge(value)
	if err != nil || age < 24*time.Hour || age > maxRetention {
		p.add("AUDIT_RETENTION", value, "0, whole days such as 90d, or a time from 24h")
	}
	return age
}

// parseAge parses whole days or a time.
func parseAge(value string) (time.Duration, error) {
	value = strings.ToLower(value)
	days, err := strconv.ParseUint(strings.TrimSuffix(value, "d"), 10, 16)
	if err != nil || !strings.HasSuffix(value, "d") {
		return time.ParseDuration(value)
	}
	return time.Duration(days) * 24 * time.Hour, nil
}

func (p *problems) clickSync(value string) time.Duration {
	if value == "always" {
		return 0
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < time.Millisecond || d > time.Hour {
		p.add("CLICK_SYNC", value, "always, or a time from 1ms to 1h")
	}
	return d
}

// tokens returns nil if neither variable is set. Errors don't show values.
func (p *problems) tokens(raw *rawSettings) []string {
	list := raw.AuthTokens
	if list == nil {
		if raw.AuthToken == "" {
			return nil
		}
		return []string{strings.TrimSpace(raw.AuthToken)}
	}
	tokens := fields(*list)
	if len(tokens) == 0 {
		p.errs = append(p.errs, errors.New(
			"AUTH_TOKENS is set but holds no token; it must be a list separated by commas"))
	}
	return tokens
}

// fields splits at commas, trims, and drops blank and repeated fields.
func fields(list string) []string {
	var out []string
	seen := map[string]bool{}
	for field := range strings.SplitSeq(list, ",") {
		if field = strings.TrimSpace(field); field != "" && !seen[field] {
			seen[field] = true
			out = append(out, field)
		}
	}
	return out
}

func (p *problems) boolean(variable, value string) bool {
	b, err := strconv.ParseBool(strings.ToLower(value))
	if err != nil {
		p.add(variable, value, "true or false")
	}
	return b
}

func (p *problems) count(variable, value string) int {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 0 {
		p.add(variable, value, "a whole number from 0 to "+strconv.Itoa(math.MaxInt32))
	}
	return int(n)
}

// redis parses a URL, which may contain a password, so errors don't show it.
func (p *problems) redis(value string) *redis.Server {
	if value == "" {
		return nil
	}
	server, err := redis.ParseURL(value)
	if err != nil {
		p.errs = append(p.errs, fmt.Errorf("REDIS_URL %w", err))
	}
	return &server
}

func (p *problems) bytes(variable, value string) int {
	number, factor := value, uint64(1)
	for unit, size := range map[string]uint64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if rest, ok := strings.CutSuffix(value, unit); ok {
			number, factor = strings.TrimSpace(rest), size
		}
	}
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil || n > (1<<40)/factor || n*factor < redirect.MinCacheBytes {
		p.add(variable, value, "from 1MiB to 1024GiB, in bytes or with KiB, MiB or GiB")
	}
	return int(n * factor)
}

// maxBlocks bounds the blocks of a setting. The look-up could handle more, but nobody has so many
// networks of their own.
const maxBlocks = 1000

func (p *problems) blocks(variable, list string) netipx.IPSet {
	if n := len(fields(list)); n > maxBlocks {
		p.errs = append(p.errs, fmt.Errorf("%s has %d blocks; it must have at most %d", variable, n,
			maxBlocks))
		return netipx.IPSet{}
	}
	var blocks netipx.IPSetBuilder
	for _, block := range p.prefixes(variable, list) {
		blocks.AddPrefix(block)
	}
	set, err := blocks.IPSet()
	if err != nil {
		p.errs = append(p.errs, fmt.Errorf("%s: %w", variable, err))
		return netipx.IPSet{}
	}
	return *set
}

func (p *problems) prefixes(variable, list string) []netip.Prefix {
	var out []netip.Prefix
	for _, field := range fields(list) {
		prefix, err := netip.ParsePrefix(field)
		if err != nil {
			var addr netip.Addr
			if addr, err = netip.ParseAddr(field); err == nil {
				prefix = netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen())
			}
		}
		if err != nil {
			p.add(variable, field, "addresses or CIDR blocks, separated by commas")
			continue
		}
		if prefix, err = unmapped(prefix); err != nil {
			p.add(variable, field,
				"an IPv4 block such as 10.0.0.0/8, or at least 96 bits long when it is mapped to "+
					"IPv6")
			continue
		}
		out = append(out, prefix.Masked())
	}
	return out
}

// unmapped returns a block of mapped addresses (::ffff:10.0.0.0/104) as the IPv4 block it stands
// for: clients have plain IPv4 addresses. It fails if the block reaches beyond IPv4.
func unmapped(prefix netip.Prefix) (netip.Prefix, error) {
	if !prefix.Addr().Is4In6() {
		return prefix, nil
	}
	return prefix.Addr().Unmap().Prefix(prefix.Bits() - 96)
}

func (p *problems) origins(list string) []string {
	origins := fields(list)
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if origin != "*" && (err != nil || u.Scheme == "" || u.Host == "" ||
			u.Scheme+"://"+u.Host != origin) {
			p.add("ALLOWED_ORIGINS", origin,
				"* or origins such as https://app.example, separated by commas")
		}
	}
	return origins
}

func (p *problems) header(name string) string {
	for _, c := range name {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
			p.add("GEOIP_HEADER", name, "a header's name, such as CF-IPCountry")
			break
		}
	}
	return name
}

func (p *problems) level(value string) slog.Level {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo,
		"warn": slog.LevelWarn, "warning": slog.LevelWarn, "error": slog.LevelError,
	}
	level, ok := levels[strings.ToLower(value)]
	if !ok {
		p.add("LOG_LEVEL", value, "debug, info, warn or error")
	}
	return level
}

func (p *problems) format(value string) logging.Format {
	if value == "" {
		return logging.JSON
	}
	format := logging.Format(strings.ToLower(value))
	if format != logging.JSON && format != logging.Pretty {
		p.add("LOG_FORMAT", value, "json or pretty")
	}
	return format
}
