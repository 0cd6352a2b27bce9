package storetest

import (
	"testing"

	"terse"
)

// unknownCodes stores the unknown codes of two nodes, and deletes old days.
func unknownCodes(t *testing.T, s Store) {
	keep := func(node string, day terse.Day, codes terse.UnknownCodes) terse.UnknownCodes {
		t.Helper()
		must(t, s.KeepUnknown(t.Context(), node, day, codes))
		return codes
	}
	some := func(total int64, codes ...string) terse.UnknownCodes {
		u := terse.UnknownCodes{Total: total, Rest: total / 10}
		for i, c := range codes {
			u.Codes = append(u.Codes, terse.UnknownCode{
				Code: code(t, c), Count: total - int64(i), Error: int64(i),
			})
		}
		return u
	}
	want := func(day terse.Day, nodes map[string]terse.UnknownCodes) {
		t.Helper()
		got, err := s.Unknown(t.Context(), day)
		must(t, err)
		wantEqual(t, "unknown codes of "+day.String(), got, nodes)
	}
	const today terse.Day = 20_000
	want(today, map[string]terse.UnknownCodes{})
	keep("a", today, some(7, "abc"))
	a, b := keep("a", today, some(1<<50, "abc", "ABCDEFGHIJ0123456789")), keep("b", today, some(3))
	oldest := keep("a", today-terse.UnknownDays, some(5, "old"))
	keep("a", today-terse.UnknownDays-1, some(6, "gone"))
	keep("b", today-terse.UnknownDays-1, some(6, "gone"))
	keep("a", today, a)
	want(today, map[string]terse.UnknownCodes{"a": a, "b": b})
	want(today-1, map[string]terse.UnknownCodes{})
	want(today-terse.UnknownDays, map[string]terse.UnknownCodes{"a": oldest})
	want(today-terse.UnknownDays-1, map[string]terse.UnknownCodes{})
}
