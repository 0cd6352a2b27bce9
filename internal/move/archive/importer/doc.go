// Package importer puts links with their clicks into a store, from a body in one of the formats of
// package archive/formats. An import that ended early can be sent again: what is there already
// stays as it is.
//
// # Words
//
//   - body: what a request sent, in a temporary file (body.go).
//   - source: what yields the lines of a body. Its format opens it (source.go).
//   - task: a link line with the lines about its link below it.
//   - batch: the tasks that are worked through together.
//   - to settle a task: to decide what becomes of its link, and to do it.
//   - kept lines: what a task's lines say of days and clicks, sorted (kept.go, codec.go).
//   - part: as many of a link's clicks as one call of the store takes. It has whole instants, and
//     nearly always whole days.
//   - target: the link of this server to which a row of a table leads. The row's code becomes an
//     alias of that link.
//   - planned: what a dry run would have created.
//
// # The way of a body
//
//  1. Receive (body.go) writes the body to a file.
//  2. Check (check.go) reads it through. It refuses what is no export, or an incomplete one. Of a
//     table it tries the first rows (trial.go), and refuses it with a question if most would be
//     lost. With the conflict "fail" it looks for addresses that are taken.
//  3. Run (job.go) reads it again and collects batches. settleLinks (links.go) settles the links of
//     a batch, in short transactions, since others wait for the store. It hashes passwords between
//     them (secret.go).
//  4. clickBatch (past.go) reads the kept lines of each link in order, makes parts of them, and has
//     the store add what is new.
//  5. The results of the batch are sent. They are final: all is committed.
//  6. Rows with a target come last, in another reading of the body (target.go). Their targets may
//     stand further down.
//
// # Invariants
//
//   - Nothing is changed before Check has accepted the body.
//   - A result is sent after the commit of what it says. After an error there is no summary, and
//     the body should be sent again.
//   - Memory is bounded, whatever the body is: by the bounds of a batch (job.go), of the lines in
//     memory (kept.go), of a part (past.go), and of what a dry run remembers (dryrun.go).
//   - A dry run takes the same way. Its transactions are undone, and what it would have created is
//     planned, so that later lines meet it.
//
// The package knows no HTTP. The store decides which clicks of a link are new.
package importer
