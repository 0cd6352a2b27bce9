// Package geo tells which country an address is in, and where there.
//
// It answers from memory: from data built into the binary, or from a MaxMind DB file that
// it rereads when the file changes. It asks no server and remembers no address.
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
	// pollInterval is how soon a changed file is noticed. Asking the file system costs
	// microseconds, and works where notifications do not, such as on network file systems.
	pollInterval = 5 * time.Second

	// maxFileBytes bounds what a file may take in memory. City databases, which hold far
	// more than is needed here, have some 130 MB.
	maxFileBytes = 512 << 20

	// probedNetworks is how many networks at most are looked at for a first country.
	probedNetworks = 1000
)

// DB is a database of countries by address. Its methods may be called from many
// goroutines.
type DB struct {
	path   string // "" for the built-in data
	logger *slog.Logger

	// file is what path held when it was last readable; nil for the built-in data and
	// after Close. Its bytes are on the heap, not mapped: a file that someone truncates
	// must not end the process.
	file atomic.Pointer[data]

	// seen is what path was when it was last tried, well or not; nil when it was missing.
	// Only Open and then Run use it.
	seen fs.FileInfo
}

// Open returns the database in a MaxMind DB file (.mmdb) whose records have
// country.iso_code, such as GeoLite2 or DB-IP Country and City, and the built-in data
// (IP2Location LITE, by github.com/phuslu/iploc), which has countries only, when path is "".
// Regions and cities are those in subdivisions and city. The logger hears from Run.
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

// Country returns the country of an address, and terse.UnknownCountry when the data does
// not say or the address is invalid, private, loopback or otherwise unassigned. An IPv4
// address may be written as IPv6 (::ffff:192.0.2.1).
func (db *DB) Country(addr netip.Addr) terse.Country { return db.Place(addr).Country }

// Place returns where an address is, as far as the data says. It does not allocate for a place that
// was asked for lately.
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

// Run rereads the file within seconds after it changed, until ctx ends. A file that is missing or
// cannot be used is logged once, and the data from before stays. Run returns nil. Of the built-in
// data it unpacks that of IPv6, which takes some 50 ms: a look-up of such an address before that
// waits for it, and no other does.
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

// Close lets go of a file's data; what is asked later is unknown. It is for when Run has
// returned.
func (db *DB) Close() error {
	db.file.Store(nil)
	return nil
}

// refresh reads the file again if it is another than the one last seen.
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

// read replaces the data by the file's, or fails and changes nothing but seen.
func (db *DB) read() error {
	var err error
	// Before the first byte: a file that changes while it is read is read again.
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

// probe fails for a database that says nothing of countries, such as one of networks'
// owners, rather than let every click count as unknown.
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
