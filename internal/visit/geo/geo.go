// Package geo finds the country of an address, and the region and city.
//
// It answers from memory: from data built into the binary, or from a MaxMind DB file that it
// rereads when the file changes. The built-in data needs no licence key. The package asks no server
// and remembers no address.
package geo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"os"
	"sync/atomic"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"
	"github.com/phuslu/iploc"

	"terse"
)

const (
	// pollInterval bounds how long a changed file goes unnoticed. A stat costs microseconds, and
	// works where notifications do not, for example on network file systems.
	pollInterval = 5 * time.Second

	// maxFileBytes bounds the memory for a file. City databases, which hold far more than is needed
	// here, have about 130 MB.
	maxFileBytes = 512 << 20

	// probedNetworks bounds the search for a first country.
	probedNetworks = 1000
)

// DB is a database of countries by address. Its methods may be called concurrently.
type DB struct {
	path   string // "" for the built-in data
	logger *slog.Logger

	// file is the last valid content of path; nil for the built-in data and after Close. Its bytes
	// are on the heap, not mapped, because a truncated mapping would crash the process.
	file atomic.Pointer[data]

	// seen describes path when it was last read, successfully or not; nil if it was missing. Only
	// Open and then Run use it.
	seen fs.FileInfo
}

// Open returns the database in a MaxMind DB file (.mmdb) whose records have country.iso_code, such
// as GeoLite2 or DB-IP Country and City. Regions and cities come from subdivisions and city. If
// path is "", it returns the built-in data (IP2Location LITE, from github.com/phuslu/iploc), which
// has only countries. Run uses the logger.
func Open(path string, logger *slog.Logger) (*DB, error) {
	db := &DB{path: path, logger: logger}
	if path == "" {
		return db, nil
	}
	if err := db.read(); err != nil {
		return nil, fmt.Errorf("open country database: %w", err)
	}
	return db, nil
}

// Country returns the country of an address, or terse.UnknownCountry if the data has none or the
// address is invalid, private, loopback or otherwise unassigned. An IPv4 address may be written as
// IPv6 (::ffff:192.0.2.1).
func (db *DB) Country(addr netip.Addr) terse.Country { return db.Place(addr).Country }

// Place returns an address's place, as far as the data has it. It does not allocate for a recently
// requested place.
func (db *DB) Place(addr netip.Addr) Place {
	addr = addr.Unmap()
	if !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return nowhere
	}
	if db.path == "" {
		return Place{Country: terse.ParseCountry(iploc.IPCountry(addr))}
	}
	file := db.file.Load()
	if file == nil {
		return nowhere
	}
	return file.placeIn(file.Lookup(addr))
}

// Run rereads the file within seconds of a change, until ctx ends, and returns nil. A file that is
// missing or invalid is logged once, and the old data stays. For the built-in data, Run unpacks the
// IPv6 part, which takes about 50 ms; only look-ups of IPv6 addresses wait for it.
func (db *DB) Run(ctx context.Context) error {
	if db.path == "" {
		iploc.IPCountry(netip.IPv6Unspecified())
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			db.refresh()
		}
	}
}

// Close frees a file's data; later look-ups return unknown. Call it after Run has returned.
func (db *DB) Close() error {
	db.file.Store(nil)
	return nil
}

// refresh rereads the file if it differs from the one last seen.
func (db *DB) refresh() {
	now, err := os.Stat(db.path)
	if err != nil {
		now = nil
	}
	if same(now, db.seen) {
		return
	}
	if err := db.read(); err != nil {
		db.logger.Error("country database not reread, keeping the old data", "path", db.path,
			"error", err)
		return
	}
	db.logger.Info("country database reread", "path", db.path,
		"built", time.Unix(int64(db.file.Load().Metadata.BuildEpoch), 0).UTC())
}

func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// read replaces the data by the file's. On failure it changes only seen.
func (db *DB) read() error {
	var err error
	// Stat before reading, so that a file that changes meanwhile is read again.
	if db.seen, err = os.Stat(db.path); err != nil {
		return err
	}
	if !db.seen.Mode().IsRegular() || db.seen.Size() > maxFileBytes {
		return fmt.Errorf("%s is not a file of at most %d bytes", db.path, maxFileBytes)
	}
	content, err := os.ReadFile(db.path)
	if err != nil {
		return err
	}
	reader, err := maxminddb.OpenBytes(content)
	if err != nil {
		return fmt.Errorf("read %s: %w", db.path, err)
	}
	if err := probe(reader); err != nil {
		return fmt.Errorf("read %s: %w", db.path, err)
	}
	db.file.Store(&data{Reader: reader})
	return nil
}

// probe fails for a database without countries, for example one of network owners. Otherwise every
// click would silently count as unknown.
func probe(reader *maxminddb.Reader) error {
	probed := 0
	for record := range reader.Networks() {
		if err := record.Err(); err != nil {
			return err
		}
		if text(record, "country", "iso_code") != "" {
			return nil
		}
		if probed++; probed == probedNetworks {
			break
		}
	}
	return errors.New("no record has country.iso_code")
}
