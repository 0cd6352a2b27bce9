//go:build !linux

package polite

import "runtime"

// Yield lets others go first now.
func Yield() { runtime.Gosched() }
