package archive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"terse"
	"terse/internal/move/archive"
)

// A Sorter yields what was added in order, whether that fits into memory or not, and equal texts in
// the order in which they were added. After a reset it is empty.
func TestSorter(t *testing.T) {
	t.Parallel()
	type text struct {
		at   int64
		kind uint8
		text string
	}
	for _, memory := range []int{1, 1 << 10, 1 << 20} {
		t.Run(fmt.Sprint(memory), func(t *testing.T) {
			t.Parallel()
			files := 0
			s := archive.Sorter{Memory: memory, Create: func() (archive.File, error) {
				files++
				return os.CreateTemp(t.TempDir(), "")
			}}
			random := rand.New(rand.NewPCG(1, uint64(memory)))
			for round := range 3 {
				if !s.IsEmpty() {
					t.Fatalf("round %d: it is not empty", round)
				}
				var want, got []text
				for n := range 300 {
					add := text{
						int64(random.IntN(5)-2) * (11 * time.Hour).Microseconds(),
						uint8(random.IntN(3)), fmt.Sprint(n),
					}
					want = append(want, add)
					if err := s.Add(add.at, add.kind, []byte(add.text)); err != nil {
						t.Fatal(err)
					}
				}
				slices.SortStableFunc(want, func(a, b text) int {
					return slices.Compare(
						[]int64{int64(terse.DayOf(a.at)), int64(a.kind), a.at},
						[]int64{int64(terse.DayOf(b.at)), int64(b.kind), b.at})
				})
				if err := s.Each(func(at int64, kind uint8, line []byte) error {
					got = append(got, text{at, kind, string(line)})
					return nil
				}); err != nil || !slices.Equal(got, want) {
					t.Errorf("round %d: %v\n%v, want\n%v", round, err, got, want)
				}
				if err := s.Reset(); err != nil {
					t.Error(err)
				}
			}
			if inMemory := memory == 1<<20; inMemory != (files == 0) {
				t.Errorf("%d files", files)
			}
		})
	}
}

// By their texts alone they are sorted whatever their times are, and may be read twice.
func TestSorterByText(t *testing.T) {
	t.Parallel()
	for _, memory := range []int{1, 1 << 10, 1 << 20} {
		s := archive.Sorter{ByText: true, Memory: memory, Create: func() (archive.File, error) {
			return os.CreateTemp(t.TempDir(), "")
		}}
		random := rand.New(rand.NewPCG(2, uint64(memory)))
		for round := range 2 {
			var want []string
			for range 300 {
				text := fmt.Sprint(random.IntN(150))
				want = append(want, text)
				err := s.Add(random.Int64N(1<<50), uint8(random.IntN(3)), []byte(text))
				if err != nil {
					t.Fatal(err)
				}
			}
			slices.Sort(want)
			for range 2 {
				var got []string
				if err := s.Each(func(_ int64, _ uint8, text []byte) error {
					got = append(got, string(text))
					return nil
				}); err != nil || !slices.Equal(got, want) {
					t.Errorf("%d, round %d: %v\n%v, want\n%v", memory, round, err, got, want)
				}
			}
			if err := s.Reset(); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What f and files return is returned.
func TestSorterFails(t *testing.T) {
	t.Parallel()
	failure := errors.New("the disk is full")
	s := archive.Sorter{Create: func() (archive.File, error) { return nil, failure }}
	err := s.Add(0, 0, []byte("a"))
	if err == nil {
		err = s.Add(0, 0, []byte("b"))
	}
	if !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	if err := s.Each(func(int64, uint8, []byte) error { return failure }); err != failure {
		t.Errorf("error %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
