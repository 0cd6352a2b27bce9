package counter

import (
	"github.com/jackc/pgx/v5"

	"terse"
	"terse/internal/clickread"
)

// maxSummed is the last day whose month is added up, in the year 2149. No click is from after it,
// or from before 1970, in earnest.
const maxSummed terse.Day = 1<<16 - 1

// changeMonths has the months of days that were written added up anew, and those before them now,
// where days have their first clicks.
func (a *attempt) changeMonths(days []day) error {
	var changed, begun monthColumns
	for _, d := range days {
		if d.day < 0 || d.day > maxSummed {
			continue
		}
		changed.add(d.key, terse.MonthOf(d.day))
		if d.begins {
			begun.add(d.key, terse.MonthOf(d.day))
		}
	}
	_, err := a.dialect.Insert(a.ctx, a.tx, "click_months (code, link_id, month)",
		`ON CONFLICT (code, link_id, month) DO UPDATE SET counts = NULL
			WHERE click_months.counts IS NOT NULL`, changed.codes, changed.ids, changed.months)
	if err != nil || len(begun.codes) == 0 {
		return err
	}
	return a.sumMonths(&begun)
}

// monthColumns are keys of click_months.
type monthColumns struct {
	codes  []string
	ids    []int64
	months []int32
}

// add adds a month of a link, unless it was the last to be added.
func (c *monthColumns) add(k key, m terse.Month) {
	if n := len(c.codes) - 1; n < 0 || c.months[n] != int32(m) || c.ids[n] != k.id ||
		c.codes[n] != k.code {
		c.codes, c.ids = append(c.codes, k.code), append(c.ids, k.id)
		c.months = append(c.months, int32(m))
	}
}

// summedAtOnce bounds the months that are added up with a batch, each in some milliseconds. Those
// that are left have their turn when another day begins.
const summedAtOnce = 64

// sumMonths adds up months of links before others.
func (a *attempt) sumMonths(others *monthColumns) error {
	rows, _ := a.tx.Query(a.ctx, `SELECT DISTINCT c.code, c.link_id, c.month
		FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS n(code, link_id, month)
		JOIN click_months AS c ON `+a.dialect.SameCode+` AND c.link_id = n.link_id
			AND c.month < n.month
		WHERE c.counts IS NULL ORDER BY c.month DESC LIMIT $4`,
		others.codes, others.ids, others.months, summedAtOnce)
	var unsummed monthColumns
	var k key
	var month int32
	if _, err := pgx.ForEachRow(rows, []any{&k.code, &k.id, &month}, func() error {
		unsummed.add(k, terse.Month(month))
		return nil
	}); err != nil {
		return err
	}
	for i, month := range unsummed.months {
		k := key{unsummed.codes[i], unsummed.ids[i]}
		if err := a.sumMonth(k, terse.Month(month)); err != nil {
			return err
		}
	}
	return nil
}

func (a *attempt) sumMonth(of key, m terse.Month) error {
	rows, _ := a.tx.Query(a.ctx, `SELECT day, counts FROM click_days
		WHERE code = $1 AND link_id = $2 AND day BETWEEN $3 AND $4`,
		of.code, of.id, int32(m.First()), int32((m+1).First()-1))
	sum := clickread.NewMonth()
	err := EachBlob(rows, func(day int32, counts []byte) error {
		a.turn.Yield()
		return sum.Add(terse.Day(day), counts)
	})
	if err != nil {
		return err
	}
	const where = " WHERE code = $1 AND link_id = $2 AND month = $3"
	if counts := sum.Pack(); counts != nil {
		_, err = a.tx.Exec(a.ctx, "UPDATE click_months SET counts = $4"+where,
			of.code, of.id, int32(m), counts)
	} else {
		_, err = a.tx.Exec(a.ctx, "DELETE FROM click_months"+where, of.code, of.id, int32(m))
	}
	return err
}

// forgetMonth has the month of a day added up anew. It makes no row: the link may be gone.
func (d *drop) forgetMonth(day terse.Day) error {
	return d.exec(`UPDATE click_months SET counts = NULL
		WHERE code = $1 AND link_id = $2 AND month = $3 AND counts IS NOT NULL`,
		int32(terse.MonthOf(day)))
}
