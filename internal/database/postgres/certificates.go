package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// certificatesLock is the advisory lock of the session of the node that orders certificates:
// "terscert" in ASCII.
const certificatesLock int64 = 0x7465727363657274

// leadCheck is how often the node that orders certificates checks that it still does.
const leadCheck = 5 * time.Second

// Certificates are values that nodes with certificates by ACME share. They have private keys.
type Certificates struct{ s *Store }

// Certificates returns the store's certificates.
func (s *Store) Certificates() Certificates { return Certificates{s} }

// Load returns a value, nil if there is none.
func (c Certificates) Load(ctx context.Context, name string) ([]byte, error) {
	value, err := read(ctx, func() (value []byte, err error) {
		err = c.s.pool.QueryRow(ctx, "SELECT value FROM certificates WHERE name = $1", name).
			Scan(&value)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, nil
		}
		return value, err
	})
	return value, wrap(err, "read %s", name)
}

// Store replaces a value.
func (c Certificates) Store(ctx context.Context, name string, value []byte) error {
	err := again(ctx, func() error {
		_, err := c.s.pool.Exec(ctx, "INSERT INTO certificates (name, value, version) "+
			"VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE "+
			"SET value = excluded.value, version = excluded.version", name, value, rand.Int64())
		return err
	})
	return wrap(err, "store %s", name)
}

// Delete removes a value, if there is one.
func (c Certificates) Delete(ctx context.Context, name string) error {
	err := again(ctx, func() error {
		_, err := c.s.pool.Exec(ctx, "DELETE FROM certificates WHERE name = $1", name)
		return err
	})
	return wrap(err, "delete %s", name)
}

// Versions returns all names, each with a text that changes when its value does.
func (c Certificates) Versions(ctx context.Context) (map[string]string, error) {
	versions, err := read(ctx, func() (map[string]string, error) {
		rows, err := c.s.pool.Query(ctx, "SELECT name, version FROM certificates")
		if err != nil {
			return nil, err
		}
		versions := map[string]string{}
		var name string
		var version int64
		_, err = pgx.ForEachRow(rows, []any{&name, &version}, func() error {
			versions[name] = strconv.FormatInt(version, 10)
			return nil
		})
		return versions, err
	})
	return versions, wrap(err, "list certificates")
}

// Lead calls run unless another node runs it, and reports whether it did. The context of run ends
// when the database no longer answers: it may have given the lock to another node. A node that
// leads takes a connection out of the pool, because the lock is of a session.
func (c Certificates) Lead(ctx context.Context, run func(context.Context)) (led bool, err error) {
	conn, err := c.s.tryToLead(ctx)
	if conn == nil {
		return false, wrap(err, "lead")
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // the server notices either way
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	tick := time.NewTicker(leadCheck)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return true, nil
		case <-tick.C:
			if err := ping(ctx, conn); err != nil && ctx.Err() == nil {
				cancel()
				<-done
				return true, wrap(err, "lead")
			}
		}
	}
}

// tryToLead returns a connection that has the lock, nil if another node has it.
func (s *Store) tryToLead(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	var led bool
	err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", certificatesLock).Scan(&led)
	switch {
	case err != nil: // the answer may be lost, and the lock taken
		return nil, errors.Join(err, conn.Hijack().Close(context.WithoutCancel(ctx)))
	case !led:
		conn.Release()
		return nil, nil
	}
	return conn.Hijack(), nil
}

func ping(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, leadCheck)
	defer cancel()
	return conn.Ping(ctx)
}

// ReadCertificates returns values of a database that no Store is open on, and changes nothing.
func ReadCertificates(
	ctx context.Context, url string, names []string,
) (map[string][]byte, error) {
	s := &Store{}
	config, err := s.config(url)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.OnPgError = nil // it is for the pool
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, wrap(err, "open database")
	}
	defer func() { _ = conn.Close(ctx) }() // the server notices either way
	rows, err := conn.Query(ctx, "SELECT name, value FROM certificates WHERE name = ANY($1)", names)
	if err != nil {
		return nil, wrap(err, "read certificates")
	}
	found := map[string][]byte{}
	var name string
	var value []byte
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		found[name] = append([]byte(nil), value...)
		return nil
	})
	return found, wrap(err, "read certificates")
}
