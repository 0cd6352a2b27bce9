// Package report draws what commands print of many links and clicks: tables and charts. They fit
// the terminal; a table for programs is whole, with tabs between its columns.
package report
