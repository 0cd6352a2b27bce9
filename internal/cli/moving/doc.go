// Package moving takes links and their clicks from a file to a server. The server judges what the
// lines say.
//
// A file (file.go) is opened by its format (package archive/formats), which yields lines. The
// splitter (split.go) divides them into parts (part.go): requests below 1 MiB that can be sent
// again. The lines about a link are sorted by day first, because all that a server compares, the
// clicks of a link's day, must be in one request. Import.send (send.go) sends a part until the
// server has answered to all of it. Tally (tally.go) joins the results of a link from its parts,
// with line numbers of the file, and Report (report.go) writes what differs.
//
// A row of a table may lead to a link that is not there yet. Such rows are sent again at the end
// (later.go). Before a table is sent, its first rows are tried (doubt.go), and nothing is sent when
// most would be lost.
package moving
