// Package bindings compares Go's cgo-free ways to SQLite by what terse's store asks of them most:
// looking up a link, creating links and counting clicks in durable transactions, and reading many
// rows. It is in the benchmarks' module, so that the server depends on one binding only.
//
//	go test -bench . -count 5
package bindings
