package ratelimit

// NewWithBudget returns a limiter with another memory budget than New's, in bytes.
var NewWithBudget = newLimiter
