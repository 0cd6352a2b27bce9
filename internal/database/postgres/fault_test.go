package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"terse"
	"terse/internal/database/postgres"
	"terse/internal/database/storetest"
	"terse/internal/tests/pgtest"
)

// TestNodesStartTogether opens stores on an empty database at the same time.
func TestNodesStartTogether(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var starting sync.WaitGroup
	for i := range 8 {
		starting.Go(func() {
			s, err := postgres.Open(t.Context(), postgres.Options{URL: url})
			if err == nil {
				_, err = s.Create(t.Context(), me, terse.NewLink{
					Code: code(t,
						fmt.Sprintf("code%d", i)), URL: "https://example.org/",
					CreatedBy: terse.Identity,
				})
				err = errors.Join(err, s.Close())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	later, latin := pgtest.URL(t), pgtest.URL(t)
	must(t, openAt(t, later).Close())
	pgtest.Exec(t, later, "INSERT INTO terse_migrations VALUES (99, 0)")
	pgtest.Exec(t, latin, "CREATE DATABASE latin ENCODING latin1 LOCALE 'C' TEMPLATE template0")
	t.Cleanup(func() { pgtest.Exec(t, latin, "DROP DATABASE latin WITH (FORCE)") })
	taken := pgtest.URL(t)
	pgtest.Exec(t, taken, "CREATE TABLE links (url text)")
	name := latin[strings.LastIndex(latin, "/")+1 : strings.LastIndex(latin, "?")]
	for url, want := range map[string]string{
		later:                                    "later version",
		strings.Replace(latin, name, "latin", 1): "UTF8",
		taken:                                    `"links" already exists`,
		strings.Replace(latin, name, "none", 1):  "does not exist",
		"postgres://secret:secret@host:port/d":   "no address",
	} {
		s, err := postgres.Open(t.Context(), postgres.Options{URL: url})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want it to tell of %q", err, want)
		}
	}
	if n := count(t, later, "SELECT max(version) FROM terse_migrations"); n != 99 {
		t.Errorf("version %d", n)
	}
	if n := count(t, taken,
		"SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"); n != 1 {
		t.Errorf("what was refused has %d tables and the like, there was one", n)
	}
}

// TestOpenWaits opens a store before its server runs.
func TestOpenWaits(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	must(t, server.Stop())
	starting := make(chan error, 1)
	log := slog.New(slog.NewTextHandler(told(func(line string) {
		if strings.Contains(line, "does not answer yet") {
			starting <- server.Start()
		}
	}), nil))
	s, err := postgres.Open(t.Context(), postgres.Options{URL: server.URL("postgres"), Logger: log})
	must(t, err)
	must(t, <-starting)
	must(t, s.Check(t.Context()))
	must(t, s.Close())
}

// told is called with each line of a log.
type told func(line string)

func (f told) Write(line []byte) (int, error) {
	f(string(line))
	return len(line), nil
}

// TestDropTriedAgain fails the first commit of a drop: the second drops its clicks.
func TestDropTriedAgain(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	link := create(t, s, "link")
	addClicks(t, s, "j", 0, clicksOf([]terse.Link{link}, 3000)...)
	pgtest.Exec(t, url, "CREATE SEQUENCE commits")
	pgtest.Exec(t, url, `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('commits') = 1 THEN RAISE EXCEPTION 'fault' USING ERRCODE = '40001'; END IF;
		RETURN NULL;
	END $$`)
	pgtest.Exec(t, url, `CREATE CONSTRAINT TRIGGER fault AFTER UPDATE OR DELETE ON level0
		DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fault()`)
	must(t, s.DropClicks(t.Context(), time.Now().AddDate(1, 0, 0)))
	if n := count(t, url, "SELECT last_value FROM commits"); n < 2 {
		t.Errorf("no commit was tried again: %d rows changed", n)
	}
	for _, level := range []string{"level0", "level1", "level2"} {
		wantCount(t, url, "SELECT count(*) FROM "+level, 0)
	}
	wantClicks(t, s, link.Ref(), 3000)
}

// TestTriedAgain fails statements twice, with transient errors and with others.
func TestTriedAgain(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	pgtest.Exec(t, url, "CREATE SEQUENCE faults")
	pgtest.Exec(t, url, `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('faults') <= 2 THEN
			RAISE EXCEPTION 'fault' USING ERRCODE = (SELECT code FROM fault); END IF;
		RETURN NULL;
	END $$`)
	pgtest.Exec(t, url, "CREATE TABLE fault (code text)")
	pgtest.Exec(t, url, "INSERT INTO fault VALUES ('00000')")
	for _, table := range []string{"links", "totals"} {
		pgtest.Exec(t, url, "CREATE TRIGGER fault BEFORE INSERT OR UPDATE OR DELETE ON "+table+
			" FOR EACH STATEMENT EXECUTE FUNCTION fault()")
	}
	set := func(code string) {
		pgtest.Exec(t, url, "UPDATE fault SET code = $1", code)
		pgtest.Exec(t, url, "SELECT setval('faults', 1, false)")
	}
	for i, again := range []string{
		"25006", "40001", "40P01", "53300", "57P01", "57P02", "57P03",
		"08006",
	} {
		set(again)
		link := create(t, s, "again")
		set(again)
		addClicks(t, s, "j", int64(i), clicksOf([]terse.Link{link}, 10)...)
		wantClicks(t, s, link.Ref(), 10)
		set(again)
		must(t, s.Delete(t.Context(), me, link))
	}
	const enough = 1 << 20
	pgtest.Exec(t, url, "SELECT setval('faults', $1)", enough)
	link := create(t, s, "kept")
	for _, never := range []string{"23514", "53100", "XX001"} {
		for name, f := range map[string]func() error{
			"Create": func() error {
				_, err := s.Create(t.Context(), me, terse.NewLink{
					Code: code(t, "never"),
					URL:  "https://example.org/",
				})
				return err
			},
			"AddClicks": func() error {
				return s.AddClicks(t.Context(),
					storetest.Batch("k", 0, clicksOf([]terse.Link{link}, 10)...))
			},
			"Delete": func() error { return s.Delete(t.Context(), me, link) },
		} {
			set(never)
			err := f()
			if tries := count(t, url, "SELECT last_value FROM faults"); err == nil ||
				!strings.Contains(err.Error(), "fault") || tries != 1 {
				t.Errorf("%s, which failed with %s: %v, tried %d times", name, never, err, tries)
			}
		}
	}
}

// TestNothingTriedAgain fails the first try of calls that find nothing to delete: the second try
// finds nothing either, and does not mistake others' work for its own.
func TestNothingTriedAgain(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	link := create(t, s, "link")
	pgtest.Exec(t, url, "CREATE SEQUENCE faults")
	pgtest.Exec(t, url, `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('faults') = 1 THEN RAISE EXCEPTION 'fault' USING ERRCODE = '40001'; END IF;
		RETURN NULL;
	END $$`)
	pgtest.Exec(t, url, "CREATE TRIGGER fault BEFORE DELETE ON shares "+
		"FOR EACH STATEMENT EXECUTE FUNCTION fault()")
	none := terse.Link{ID: link.ID + 1, Code: code(t, "none")}
	ctx := t.Context()
	for what, f := range map[string]struct {
		do   func() error
		want error
	}{
		"unshare of no link": {
			func() error { return s.Unshare(ctx, me, terse.ShareOf(none.Ref())) },
			terse.ErrNotFound,
		},
		"unshare of an unshared link": {
			func() error { return s.Unshare(ctx, me, terse.ShareOf(link.Ref())) },
			terse.ErrShareNotFound,
		},
	} {
		pgtest.Exec(t, url, "SELECT setval('faults', 1, false)")
		err := f.do()
		if tries := count(t, url, "SELECT last_value FROM faults"); tries < 2 ||
			!errors.Is(err, f.want) {
			t.Errorf("%s: %v after %d tries", what, err, tries)
		}
	}
}

// TestBatchTooLarge: a batch that would make a transaction too long is refused.
func TestBatchTooLarge(t *testing.T) {
	t.Parallel()
	s := open(t, pgtest.URL(t))
	if err := s.AddClicks(t.Context(),
		storetest.Batch("j", 0, make([]terse.Click, 1<<20+1)...)); err == nil {
		t.Error("a batch of more than 1,048,576 clicks is counted")
	}
}

// TestConnectionsLost: the server ends a store's idle connections.
func TestConnectionsLost(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	s := open(t, url)
	link, gone := create(t, s, "link"), create(t, s, "gone")
	for name, f := range map[string]func() error{
		"Create": func() error { create(t, s, "another"); return nil },
		"Delete": func() error { return s.Delete(t.Context(), me, gone) },
		"Link":   func() error { _, err := s.Link(t.Context(), link.Code); return err },
		"Links": func() error {
			_, err := s.Links(t.Context(), terse.LinkQuery{Owner: terse.Identity, Limit: 1})
			return err
		},
		"Clicks": func() error { _, err := s.Clicks(t.Context(), link.Ref()); return err },
		"Series": func() error {
			_, err := s.Series(t.Context(), link.Ref(), terse.SeriesQuery{Range: terse.AllTime})
			return err
		},
		"JournalPosition": func() error {
			_,
				err := s.JournalPosition(t.Context(), "j")
			return err
		},
		"AddClicks": func() error {
			return s.AddClicks(t.Context(),
				storetest.Batch("j", 0, clicksOf([]terse.Link{link}, 10)...))
		},
	} {
		must(t, s.Check(t.Context())) // there is a connection
		if count(t, url,
			"SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE datname "+
				"= current_database() AND application_name = 'terse'") == 0 {
			t.Error("no connection is called terse")
		}
		if err := f(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadOnlyConnections: a server has become read-only for its connections, like a former
// primary: they must be closed.
func TestReadOnlyConnections(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(*postgres.Store) error{
		"Check": func(s *postgres.Store) error { return s.Check(t.Context()) },
		"Delete": func(s *postgres.Store) error {
			return s.Delete(t.Context(), me, terse.Link{ID: 1, Code: code(t, "none")})
		},
	} {
		url := pgtest.URL(t)
		must(t, openAt(t, url).Close())
		setting := func(to string) {
			pgtest.Exec(t, url,
				"SET transaction_read_only = off; DO $$ BEGIN EXECUTE format('ALTER DATABASE %I "+
					"SET default_transaction_read_only = "+to+"', current_database()); END $$")
		}
		s, err := postgres.Open(t.Context(), postgres.Options{
			URL:     url,
			Timeout: 300 * time.Millisecond,
		})
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		setting("on")
		count(t, url,
			"SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE datname "+
				"= current_database() AND application_name = 'terse'")
		await(t, name+" to be refused", func() bool {
			err := f(s)
			return err != nil &&
				strings.Contains(err.Error(), "read-only")
		})
		setting("off")
		await(t, name+" to go well again", func() bool {
			err := f(s)
			return err == nil || errors.Is(err, terse.ErrNotFound)
		})
	}
}

// TestClosed: calls after Close fail, and say why.
func TestClosed(t *testing.T) {
	t.Parallel()
	s := openAt(t, pgtest.URL(t))
	link := create(t, s, "abc")
	must(t, s.Claim(t.Context(), "j"))
	must(t, s.Close())
	must(t, s.Close())
	_, create := s.Create(t.Context(), me, terse.NewLink{
		Code: code(t, "def"),
		URL:  "https://example.org/",
	})
	_, look := s.Link(t.Context(), link.Code)
	for name, err := range map[string]error{
		"Create": create, "Link": look, "Delete": s.Delete(t.Context(), me, link),
		"Check": s.Check(t.Context()),
		"AddClicks": s.AddClicks(t.Context(), terse.ClickBatch{
			Journal: "j", To: 1,
			Clicks: terse.ClicksOf([]terse.Click{{Link: link.ID, Code: link.Code}}...),
		}),
	} {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A database that does not answer any more when another node has the journal hides that no more
// than one that does.
func TestClaimWhileDatabaseHangs(t *testing.T) {
	t.Parallel()
	url := pgtest.Start(t).URL("postgres")
	a, b := open(t, url), open(t, url)
	must(t, a.Claim(t.Context(), "j"))
	claimed := make(chan error)
	go func() { claimed <- b.Claim(t.Context(), "j") }()
	process := 0
	await(t, "an answer to the second claim", func() bool {
		process = count(t, url, `SELECT coalesce(max(pid), 0) FROM pg_stat_activity
			WHERE state = 'idle' AND query LIKE '%pg_try_advisory_lock%'
			AND pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`)
		return process != 0
	})
	must(t, unix.Kill(process, unix.SIGSTOP))
	defer func() { must(t, unix.Kill(process, unix.SIGCONT)) }()
	if err := <-claimed; err == nil || !strings.Contains(err.Error(), "another node") {
		t.Error(err)
	}
}

// TestServerStops stops the server while a store is in use, and starts it again: all acknowledged
// writes exist, and nothing is counted twice.
func TestServerStops(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.URL("postgres")
	s := open(t, url)
	w := watch(t, s)
	withFaults(t, s, func() {
		for i := range 2 {
			must(t, server.Stop())
			short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			began := time.Now()
			if err := s.Check(short); err == nil {
				t.Error("a server that is stopped is ready")
			}
			cancel()
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("that took %v", took)
			}
			must(t, server.Start())
			w.awaitAll(t, i+2)
			await(t, "the store to be ready", func() bool { return s.Check(t.Context()) == nil })
		}
	})
}

// withFaults creates links and counts clicks while faults happen, and checks all acknowledged
// writes.
func withFaults(t *testing.T, s *postgres.Store, faults func()) {
	t.Helper()
	hot := create(t, s, "hot")
	stop := make(chan struct{})
	made := []terse.Link{hot}
	total := int64(0)
	var working sync.WaitGroup
	working.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			link, err := s.Create(t.Context(), me, terse.NewLink{Code: code(t,
				fmt.Sprintf("code%d", i)), URL: "https://example.org/", CreatedBy: terse.Identity})
			if err == nil {
				made = append(made, link)
			} else if errors.Is(err, terse.ErrCodeTaken) {
				t.Errorf("code%d is said to be taken", i)
			}
		}
	})
	working.Go(func() {
		for at := int64(0); ; {
			select {
			case <-stop:
				return
			default:
			}
			if err := s.AddClicks(t.Context(),
				storetest.Batch("j", at, clicksOf([]terse.Link{hot}, 500)...)); err == nil {
				at++
				total += 500
				continue
			}
			var now int64
			await(t, "the position", func() bool {
				var err error
				now, err = s.JournalPosition(t.Context(), "j")
				return err == nil
			})
			total += 500 * (now - at)
			at = now
		}
	})
	faults()
	close(stop)
	working.Wait()
	wantClicks(t, s, hot.Ref(), total)
	for _, link := range made {
		if found, err := s.Link(t.Context(), link.Code); err != nil || found.ID != link.ID {
			t.Errorf("link %v, which was acknowledged: %v", link.Code, err)
		}
	}
}

// TestReplicaIsPromoted: the primary fails, and its replica takes over.
func TestReplicaIsPromoted(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	replica := primary.Replica(t)
	// So that nothing that is acknowledged is lost with the primary.
	pgtest.Exec(t, primary.URL("postgres"), "ALTER SYSTEM SET synchronous_standby_names = '*'")
	pgtest.Exec(t, primary.URL("postgres"), "SELECT pg_reload_conf()")
	address := func(s *pgtest.Server) string {
		url := s.URL("postgres")
		return url[strings.Index(url, "@")+1 : strings.LastIndex(url, "/")]
	}
	s := open(t,
		fmt.Sprintf("postgres://postgres@%s,%s/postgres?sslmode=disable"+
			"&target_session_attrs=read-write", address(primary), address(replica)))
	withFaults(t, s, func() {
		create(t, s, "before")
		must(t, primary.Stop())
		pgtest.Exec(t, replica.URL("postgres"), "SELECT pg_promote()")
		await(t, "the store to be ready", func() bool { return s.Check(t.Context()) == nil })
		create(t, s, "after")
	})
	if _, err := s.Link(t.Context(), code(t, "before")); err != nil {
		t.Error(err)
	}
}

// TestReadOnly: the server refuses writes for a while, like a former primary.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.URL("postgres")
	var log strings.Builder
	s, err := postgres.Open(t.Context(), postgres.Options{
		URL: url, Timeout: 300 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	must(t, s.Check(t.Context()))
	pgtest.Exec(t, url, "ALTER TABLE links RENAME TO hidden")
	if s.Check(t.Context()) == nil {
		t.Error("a store without links is ready")
	}
	pgtest.Exec(t, url, "ALTER TABLE hidden RENAME TO links")
	set := func(value string) {
		pgtest.Exec(t, url, "ALTER SYSTEM SET default_transaction_read_only = "+value)
		pgtest.Exec(t, url, "SELECT pg_reload_conf()")
	}
	set("on")
	await(t, "the store not to be ready", func() bool { return s.Check(t.Context()) != nil })
	if _, err := s.Create(t.Context(), me, terse.NewLink{
		Code: code(t, "abc"),
		URL:  "https://example.org/",
	}); err == nil {
		t.Error("a link is made by a read-only server")
	}
	pgtest.Exec(t, url+"&options=-c%20default_transaction_read_only%3Doff",
		"ALTER SYSTEM RESET default_transaction_read_only")
	pgtest.Exec(t, url, "SELECT pg_reload_conf()")
	await(t, "the store to be ready", func() bool { return s.Check(t.Context()) == nil })
	create(t, s, "abc")
}
