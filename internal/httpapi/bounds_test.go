package httpapi

import "time"

// BoundExports sets how long an export may take, and how long its reader may take nothing of it; 0
// means the usual.
func BoundExports(o *Options, most, stall time.Duration) { o.exportTime, o.stallTime = most, stall }
