//go:build !linux

package sqlite

// pace is for Linux only.
func pace() error { return nil }
