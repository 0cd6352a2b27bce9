//go:build !linux

package polite

import "runtime"

func yield() { runtime.Gosched() }
