package main

import (
	"testing"
	"time"
)

func TestAgeOfUserAgentRules(t *testing.T) {
	t.Parallel()
	i := start(t)
	at := time.Unix(int64(i.metric(t, "terse_user_agent_rules_timestamp_seconds")), 0)
	if at.Year() < 2024 || at.After(time.Now()) {
		t.Errorf("the rules are of %v", at)
	}
}
