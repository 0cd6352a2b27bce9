package postgres_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"terse/internal/database/postgres"
	"terse/internal/database/postgres/rows"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// readsMore names the statements that may read more than they return, by a part of their text, with
// the reason.
var readsMore = map[string]string{
	// Lists that need all of an owner's links, or walk them in order.
	"SELECT id FROM links AS l WHERE l.created_by = $1": "An export needs the clicks of all of " +
		"an owner's links. Where most links are the owner's, it is quickest to read all.",
	"l.code < $4 AND l.created_by = $5 ORDER": "An export looks at the sizes of these first.",
	"SELECT id FROM links AS l ORDER BY id":   "An export of all owners needs the clicks of all.",
	// An admin lists what all have.
	"FROM tags GROUP BY tag, name":    "It adds up the tags of all owners.",
	"FROM link_ranges GROUP BY owner": "It returns all users with the numbers of their links.",
	"FROM tokens AS t ORDER BY":       "It returns the newest of all tokens.",
	"target = $3 AND actor = $4": "Of two filters of the audit, the server's statistics choose " +
		"the one that is looked up.",
	// Work that looks at everything now and then.
	"(SELECT count(*) FROM users)": "There are 20,000 at most, and seldom a new one.",
	"FROM users WHERE email =":     "There are 20,000 at most, and addresses seldom change.",
	"SELECT DISTINCT a FROM":       "The retention looks at the times of all rows, in the index.",
	"OVER (ORDER BY at DESC)":      "The sizes of all kept answers are added up after each 16 MiB.",
	"GROUP BY lower(code)":         "A start with IGNORE_CASE compares all codes.",
	"GROUP BY folded":              "A start with IGNORE_CASE compares all aliases.",
	"= a.folded AND l.id":          "A start with IGNORE_CASE compares all aliases with all codes.",
}

// TestPlainPlans explains each statement just before it runs, in tables with many rows that it does
// not want, as planned for its parameters and for any. None may read many more rows than it
// returns, nor walk an index because it does not know the index's first column, nor be compiled by
// the server. A statement that is quick in a small database, and planned well for its first
// parameters, is slow in a large one otherwise.
func TestPlainPlans(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	made, err := postgres.Open(t.Context(), postgres.WithTracer(postgres.Options{URL: url},
		&known)) // what makes the tables reads none
	must(t, err)
	must(t, made.Close())
	addStrangers(t, url)
	for _, ignoreCase := range []bool{false, true} {
		plans := &plans{
			firsts: firstColumns(t, url), seen: map[string]int{}, faults: map[string]string{},
		}
		useAll(t, url, ignoreCase, plans)
		for sql, fault := range plans.faults {
			t.Errorf("%s\n%s", fault, sql)
		}
		known.add(maps.Keys(plans.seen))
	}
}

// TestAllStatements has a store run each statement.
func TestAllStatements(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	for _, ignoreCase := range []bool{false, true} {
		useAll(t, url, ignoreCase, &known)
	}
}

// useAll has a store run each statement that it has, with a tracer.
func useAll(t *testing.T, url string, ignoreCase bool, tracer pgx.QueryTracer) {
	t.Helper()
	s, err := postgres.Open(t.Context(), postgres.WithTracer(postgres.Options{
		URL: url, Timeout: 5 * time.Minute, IgnoreCase: ignoreCase,
	}, tracer))
	must(t, err)
	if !ignoreCase {
		storetest.UseAll(t, s)
		useCertificates(t, s.Certificates())
		_, err = s.MoveDue(t.Context())
		must(t, err)
		must(t, s.Claim(t.Context(), "journal"))
		useRows(t, url, tracer)
	} else {
		storetest.UseAddresses(t, s)
	}
	must(t, s.Close())
}

// useRows uses the rows of clicks in all ways, with statements that are traced.
func useRows(t *testing.T, url string, tracer pgx.QueryTracer) {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	must(t, err)
	config.ConnConfig.Tracer = tracer
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	must(t, err)
	defer pool.Close()
	undo := errors.New("undo")
	err = rows.NewWriter(rows.Options{Pool: pool, Timeout: time.Minute}).Do(t.Context(),
		func(ctx context.Context, tx pgx.Tx, r *rows.Rows) error {
			storetest.UseRows(t, r, rows.NewReader(ctx, tx))
			must(t, r.Flush())
			return undo
		})
	if !errors.Is(err, undo) {
		t.Fatal(err)
	}
}

// Statements that useAll has run, and those that the stores of other tests have.
var known, ran statementSet

// TestMain fails if tests have run a statement that useAll, if it has run, has not.
func TestMain(m *testing.M) {
	// It runs only where the answer to a COMMIT was lost. Codes are a key.
	const afterLostCommit = "SELECT id FROM links WHERE code = ANY($1)"
	code := pgtest.Main(m)
	if len(known.all) > 0 {
		for sql := range ran.all {
			if _, ok := known.all[sql]; !ok && sql != afterLostCommit {
				fmt.Fprintf(os.Stderr, "TestPlainPlans does not know this statement: "+
					"storetest.UseAll has to make a store run it.\n%s\n", sql)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// statementSet is a set of statements. It is a tracer that adds those that run.
type statementSet struct {
	mu  sync.Mutex
	all map[string]struct{}
}

func (s *statementSet) add(all func(yield func(string) bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]struct{}{}
	}
	for sql := range all {
		if planned.MatchString(sql) {
			s.all[sql] = struct{}{}
		}
	}
}

// TraceQueryStart implements pgx.QueryTracer.
func (s *statementSet) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceQueryStartData,
) context.Context {
	s.add(slices.Values([]string{data.SQL}))
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*statementSet) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (s *statementSet) TraceBatchStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceBatchStartData,
) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		s.add(slices.Values([]string{q.SQL}))
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*statementSet) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*statementSet) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// planned matches statements that read or write tables.
var planned = regexp.MustCompile(`(?s)^\s*(SELECT\b.*\bFROM\b|INSERT\b|UPDATE\b|DELETE\b|WITH\b)`)

// addStrangers fills tables with rows of others: links of another owner with all that belongs to
// them, and clicks of links of no one.
func addStrangers(t *testing.T, url string) {
	t.Helper()
	const (
		some = " FROM generate_series(1, 20000) AS i"
		id   = "(1 << 30) + i"
	)
	run := func(sql string) {
		t.Helper()
		pgtest.Exec(t, url, sql)
	}
	run("INSERT INTO links (code, id, url, created_by, created_at, tags, status, open_until) " +
		"SELECT 'stranger' || i, " + id + ", 'https://example.org/' || i, " +
		"'stranger' || i % 3, 1600000000000000 + i, 'tag' || i % 100, " +
		"CASE i % 10 WHEN 0 THEN 'disabled' ELSE '' END, 9e18 " +
		"FROM generate_series(1, 100000) AS i")
	fillRanges(t, url)
	run("INSERT INTO link_ranges SELECT 'stranger' || i, i, 0, 1, 0, 0" + some)
	run("INSERT INTO aliases SELECT 'their/' || i, 'their/' || i, " + id + some)
	run("INSERT INTO former_codes SELECT " + id + ", 'theirs' || i" + some)
	run("INSERT INTO link_changes SELECT 'stranger' || i / 5, (1 << 30) + i / 5, i, '', '', '{}'" +
		some)
	run("INSERT INTO shares (code, link_id, share, hash, owner) SELECT 'stranger' || i, " + id +
		", sha256(i::text::bytea), sha256(sha256(i::text::bytea)), 'stranger' || i / 100" + some)
	run("INSERT INTO answers SELECT sha256(i::text::bytea), " +
		"(extract(epoch FROM now()) * 1e6)::bigint, '', 200, '', ''" + some)
	run("INSERT INTO unknown_codes SELECT 50000 + i / 10, i, ''" + some) // days to come
	run("INSERT INTO audit (at, actor, via, token, action, target, details, address, request_id) " +
		"SELECT (extract(epoch FROM now()) - 600) * 1e6 + i, 'stranger' || i % 3, '', '', " +
		"'link.update', 'stranger' || i, '', '', ''" + some)
	run("INSERT INTO tags SELECT 'stranger', 'tag' || i, 'tag' || i, 1" + some)
	run("INSERT INTO owner_numbers (owner) VALUES ('authenticated-user'), ('*') " +
		"ON CONFLICT DO NOTHING")
	run("INSERT INTO owner_numbers (owner) SELECT 'stranger' || i" + some)
	run("INSERT INTO users (identity, role, issuer, subject, created_at) SELECT 'stranger' || i, " +
		"'viewer', 'https://id.example', 'them' || i, 0 FROM generate_series(0, 15000) AS i")
	run("INSERT INTO tokens SELECT 'theirs' || i, sha256(i::text::bytea), 'stranger' || i % 200, " +
		"i, 'viewer', '', i, '', 0, 0" + some)
	run("INSERT INTO sessions SELECT sha256(i::text::bytea), 'stranger' || i % 200, " +
		"'theirs' || i, i, 8e18" + some)
	run("INSERT INTO tombstones (link_id, code, deleted, applied, number, random, at) SELECT " +
		id + ", 'theirs' || i, i % 2 = 0, true, i + 1, i, 9e18" + some)
	for _, of := range []struct {
		tables string
		bits   int // from A to the region
	}{
		{"level0", 0},
		{"totals level1 visitor_hashes_even visitor_hashes_odd", 4},
		{"level2 day_counts month_counts dropped_counts", 12},
	} {
		for table := range strings.FieldsSeq(of.tables) {
			// Ten rows of each A, whose clicks are of the far future.
			run(fmt.Sprintf(`INSERT INTO %[1]s SELECT (a >> %[2]d) %% 32, a, i %% 10, 8e18, 8e18,
					decode(repeat('00', 200), 'hex')
				FROM (SELECT i, (1::bigint << (30 + %[2]d)) +
					i / 10 * greatest(1 << %[2]d >> 2, 1) AS a%[3]s) AS strangers`,
				table, of.bits, some))
		}
	}
	run("ANALYZE")
}

// firstColumns returns the first column of each index, as it is in conditions.
func firstColumns(t *testing.T, url string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(t.Context())
	found, err := conn.Query(t.Context(), `SELECT c.relname, pg_get_indexdef(c.oid, 1, true)
		FROM pg_class AS c WHERE c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace`)
	must(t, err)
	firsts := map[string]string{}
	var index, first string
	_, err = pgx.ForEachRow(found, []any{&index, &first}, func() error {
		firsts[index], _, _ = strings.Cut(first, "(") // a column, or a function's name
		return nil
	})
	must(t, err)
	return firsts
}

// plans is a tracer that explains statements before they run.
type plans struct {
	firsts map[string]string // the first column of each index

	mu     sync.Mutex
	seen   map[string]int    // how often each was explained
	faults map[string]string // the first one of each statement
}

// mostExplained bounds how often a statement is explained: the first times in full, then for ever
// larger parameters.
const mostExplained = 12

// TraceQueryStart implements pgx.QueryTracer.
func (p *plans) TraceQueryStart(ctx context.Context, conn *pgx.Conn,
	data pgx.TraceQueryStartData,
) context.Context {
	p.explain(ctx, conn, data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*plans) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (p *plans) TraceBatchStart(ctx context.Context, conn *pgx.Conn,
	data pgx.TraceBatchStartData,
) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		p.explain(ctx, conn, q.SQL, q.Arguments)
	}
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (*plans) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (*plans) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (p *plans) explain(ctx context.Context, conn *pgx.Conn, sql string, args []any) {
	if !planned.MatchString(sql) {
		return
	}
	p.mu.Lock()
	p.seen[sql]++
	n := p.seen[sql]
	p.mu.Unlock()
	if n > mostExplained && n&(n-1) != 0 {
		return
	}
	for len(args) > 0 {
		if _, option := args[0].(pgx.QueryExecMode); !option {
			break
		}
		args = args[1:]
	}
	for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
		fault, err := p.faultOf(ctx, conn, mode, sql, args)
		if err != nil {
			fault = err.Error()
		}
		if fault != "" {
			p.mu.Lock()
			p.faults[sql] = cmp.Or(p.faults[sql], mode+": "+fault)
			p.mu.Unlock()
		}
	}
}

// faultOf runs a statement in a transaction that is taken back, and returns what is wrong with how
// it is done.
func (p *plans) faultOf(ctx context.Context, conn *pgx.Conn, mode, sql string, args []any) (
	fault string, err error,
) {
	const name = "explained"
	prepared, err := conn.Prepare(ctx, name, sql)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Deallocate(ctx, name)) }()
	var texts []string
	elements := 1
	for i, arg := range args {
		text, err := conn.TypeMap().Encode(prepared.ParamOIDs[i], pgtype.TextFormatCode, arg, nil)
		switch {
		case err != nil:
			return "", err
		case text == nil:
			texts = append(texts, "NULL")
		default:
			texts = append(texts, "'"+strings.ReplaceAll(string(text), "'", "''")+"'")
		}
		if v := reflect.ValueOf(arg); v.Kind() == reflect.Slice && v.Type().Elem().Kind() !=
			reflect.Uint8 {
			elements = max(elements, v.Len())
		}
	}
	begin, end := "BEGIN", "ROLLBACK"
	if conn.PgConn().TxStatus() == 'T' {
		begin, end = "SAVEPOINT explained", "ROLLBACK TO explained; RELEASE explained"
	}
	run := "EXECUTE " + name
	if len(texts) > 0 {
		run += "(" + strings.Join(texts, ", ") + ")"
	}
	results, err := conn.PgConn().Exec(ctx, begin+"; SET LOCAL plan_cache_mode = "+mode+
		"; EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "+run+"; "+end).ReadAll()
	if err != nil {
		if conn.PgConn().TxStatus() == 'E' {
			_, err = conn.PgConn().Exec(ctx, end).ReadAll()
		}
		return "", err // the statement fails by itself, too, or after another of its batch
	}
	var plan []struct {
		Plan node
		JIT  json.RawMessage // what was compiled
	}
	if err := json.Unmarshal(results[2].Rows[0][0], &plan); err != nil {
		return "", err
	}
	top := &plan[0].Plan
	returned, read, blocks := top.rows(), 0, top.Hit+top.Read
	if top.Type == "ModifyTable" {
		returned = 0
		for i := range top.Plans {
			returned = max(returned, top.Plans[i].rows())
		}
	}
	top.each(func(n *node) {
		if n.Relation != "" && n.Type != "ModifyTable" {
			read += int(n.Loops * (n.Rows + n.Filtered + n.Rechecked))
		}
		first := p.firsts[n.Index]
		if n.Condition != "" && !strings.Contains(n.Condition, first) {
			fault = fmt.Sprintf("walks all of the index %s, whose first column is %s, for %s",
				n.Index, first, n.Condition)
		}
	})
	for part := range readsMore {
		if strings.Contains(sql, part) {
			return "", nil
		}
	}
	// For a key in a hundred or so, it is quicker to read all rows.
	switch most := 4*returned + 128*elements + 200; {
	case fault != "":
	case plan[0].JIT != nil:
		fault = "is compiled, which takes longer than it runs: " + string(plan[0].JIT)
	case read > most:
		fault = fmt.Sprintf("reads %d rows for %d, of %d keys", read, returned, elements)
	case blocks > 4*most:
		fault = fmt.Sprintf("reads %d pages for %d rows, of %d keys", blocks, returned, elements)
	}
	if fault != "" && os.Getenv("TERSE_TEST_PLANS") != "" {
		fault += "\n" + string(results[2].Rows[0][0])
	}
	return fault, nil
}

// node is a node of a plan.
type node struct {
	Type      string  `json:"Node Type"`
	Relation  string  `json:"Relation Name"`
	Index     string  `json:"Index Name"`
	Condition string  `json:"Index Cond"`
	Rows      float64 `json:"Actual Rows"`
	Loops     float64 `json:"Actual Loops"`
	Filtered  float64 `json:"Rows Removed by Filter"`
	Rechecked float64 `json:"Rows Removed by Index Recheck"`
	Hit       int     `json:"Shared Hit Blocks"`
	Read      int     `json:"Shared Read Blocks"`
	Plans     []node
}

func (n *node) rows() int { return int(n.Rows * n.Loops) }

func (n *node) each(f func(*node)) {
	f(n)
	for i := range n.Plans {
		n.Plans[i].each(f)
	}
}
