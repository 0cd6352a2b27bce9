//go:build !linux

package yield

import "runtime"

// Now yields at once.
func Now() { runtime.Gosched() }
