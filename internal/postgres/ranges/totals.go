package ranges

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"terse/internal/linkset"
	"terse/internal/postgres/dialect"
)

// Clicks are clicks of a link.
type Clicks struct{ Link, Number int64 }

// rangesAtOnce bounds the totals that are in memory, at some megabytes.
const rangesAtOnce = 1024

// AddClicks adds to the totals of links, which are in the order of their IDs. It locks them until
// the end of the transaction.
func AddClicks(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, added []Clicks) error {
	for len(added) > 0 {
		n, numbers := 0, []int64(nil)
		for ; n < len(added); n++ {
			if r := Of(added[n].Link); len(numbers) == 0 || numbers[len(numbers)-1] != r {
				if len(numbers) == rangesAtOnce {
					break
				}
				numbers = append(numbers, r)
			}
		}
		if err := addToRanges(ctx, tx, d, numbers, added[:n]); err != nil {
			return err
		}
		added = added[n:]
	}
	return nil
}

// ForgetClicks forgets the totals of links, some of which may have none.
func ForgetClicks(ctx context.Context, tx pgx.Tx, d *dialect.Dialect, ids []int64) error {
	slices.Sort(ids)
	var less []Clicks
	for _, id := range ids {
		less = append(less, Clicks{id, math.MinInt64})
	}
	return AddClicks(ctx, tx, d, less)
}

func addToRanges(
	ctx context.Context, tx pgx.Tx, d *dialect.Dialect, numbers []int64, added []Clicks,
) error {
	packed, err := lock(ctx, tx, numbers)
	if err == nil && len(packed) < len(numbers) {
		_, err = d.Insert(ctx, tx, "click_totals (id_range)", "ON CONFLICT DO NOTHING", numbers)
		if err == nil {
			packed, err = lock(ctx, tx, numbers)
		}
	}
	if err != nil {
		return err
	}
	var clicks [size]int64
	for i, number := range numbers {
		if err := unpack(packed[i], &clicks); err != nil {
			return err
		}
		for ; len(added) > 0 && Of(added[0].Link) == number; added = added[1:] {
			total := &clicks[added[0].Link&(size-1)]
			*total = max(0, *total+added[0].Number)
		}
		packed[i] = pack(&clicks)
	}
	_, err = d.Insert(ctx, tx, "click_totals (id_range, clicks)",
		"ON CONFLICT (id_range) DO UPDATE SET clicks = excluded.clicks", numbers, packed)
	return err
}

// lock reads the totals of ranges that have some, and locks them.
func lock(ctx context.Context, tx pgx.Tx, numbers []int64) ([][]byte, error) {
	rows, _ := tx.Query(ctx, `SELECT clicks FROM click_totals WHERE id_range = ANY($1)
		ORDER BY id_range FOR UPDATE`, numbers)
	return pgx.CollectRows(rows, pgx.RowTo[[]byte])
}

func pack(clicks *[size]int64) []byte {
	n := size
	for n > 0 && clicks[n-1] == 0 {
		n--
	}
	b := make([]byte, 0, 2*n)
	for _, total := range clicks[:n] {
		b = binary.AppendUvarint(b, uint64(total))
	}
	return b
}

var errTotals = errors.New("totals of a range are damaged")

// small has the bits that are not set in totals of one byte.
const small = 0x8080808080808080

func unpack(b []byte, clicks *[size]int64) error {
	rest := clicks[:]
	for len(b) > 0 && len(rest) > 0 {
		if len(b) >= 8 && len(rest) >= 8 && binary.LittleEndian.Uint64(b)&small == 0 { // usually
			for i := range 8 {
				rest[i] = int64(b[i])
			}
			b, rest = b[8:], rest[8:]
			continue
		}
		total, bytes := binary.Uvarint(b)
		if bytes <= 0 {
			return errTotals
		}
		rest[0] = int64(total)
		b, rest = b[bytes:], rest[1:]
	}
	if len(b) > 0 {
		return errTotals
	}
	clear(rest)
	return nil
}

// Totals calls f for the clicks of ranges that have some, in descending order of their numbers, and
// maybe for others between them.
func Totals(
	ctx context.Context, tx pgx.Tx, numbers []int64, f func(first int64, clicks []int64),
) error {
	where, args := "id_range = ANY($1)", []any{numbers}
	if n := len(numbers); n > 0 && numbers[0]-numbers[n-1] < int64(2*n) { // few are between
		where, args = "id_range BETWEEN $1 AND $2", []any{numbers[n-1], numbers[0]}
	}
	rows, _ := tx.Query(ctx, "SELECT id_range, clicks FROM click_totals WHERE "+where+
		" ORDER BY id_range DESC", args...)
	var number int64
	var packed pgtype.DriverBytes
	var clicks [size]int64
	_, err := pgx.ForEachRow(rows, []any{&number, &packed}, func() error {
		err := unpack(packed, &clicks)
		if err == nil {
			f(number<<linkset.RangeBits, clicks[:])
		}
		return err
	})
	return err
}
