package importer

import (
	"context"

	"terse"
	"terse/internal/move/archive"
	"terse/internal/move/archive/table"
)

// trial tries the first rows of a table: a dry run of their links, without their clicks.
type trial struct {
	job  *job
	sum  table.Trial
	rows int   // how many were seen
	last int64 // the line of the last one
}

// newTrial returns a trial that spends nothing on passwords.
func newTrial(j job) *trial {
	j.DryRun, j.isTrial = true, true
	j.planned = map[string]terse.Link{}
	return &trial{job: &j}
}

// add tries a line of the table, if it is one of the first rows.
func (t *trial) add(ctx context.Context, line *archive.Line) error {
	if line.Number != t.last {
		t.last = line.Number
		t.rows++
	}
	switch {
	case t.rows > table.TrialRows:
		return nil
	case line.Err != nil:
		t.sum.Add("", line.Err.Error())
		return nil
	case line.Type != archive.TypeLink:
		return nil
	}
	task := t.job.parse(line)
	if task.link.Target != "" && !task.settled { // the link there may be further down
		t.sum.Add("", "")
		return nil
	}
	t.job.batch = append(t.job.batch, task)
	t.job.bytes += 2*len(line.Text) + linkBytes
	if len(t.job.batch) == batchLinks || t.job.bytes >= batchBytes {
		return t.settle(ctx)
	}
	return nil
}

// settle finds out what would become of the links of the batch.
func (t *trial) settle(ctx context.Context) error {
	if ctx.Err() != nil {
		return errStopped
	}
	batch := t.job.batch
	t.job.batch, t.job.bytes = nil, 0
	if err := t.job.settleLinks(ctx, batch); err != nil {
		return err
	}
	for _, task := range batch {
		t.sum.Add("", task.result.Error)
	}
	return nil
}

// doubt returns the error for a table that should not be imported as it is, or nil.
func (t *trial) doubt(ctx context.Context, rows *table.Reader) error {
	doubt := rows.Doubt()
	if doubt == nil {
		if err := t.settle(ctx); err != nil {
			return err
		}
		doubt = t.sum.Doubt()
	}
	if doubt == nil {
		return nil
	}
	return terse.Invalidf("map", "%s", doubt.Ask(asParameter, "guess=true"))
}
