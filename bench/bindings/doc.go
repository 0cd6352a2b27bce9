// Package bindings compares Go's cgo-free bindings to SQLite by the most frequent operations of
// terse's store: looking up a link, creating links and counting clicks in durable transactions, and
// reading many rows. It is in the benchmarks' module, so that the server depends on only one
// binding.
//
//	go test -bench . -count 5
package bindings
