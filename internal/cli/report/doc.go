// Package report draws the commands' tables and charts of links and clicks. They fit the terminal;
// for programs, a table is whole, with tabs between its columns.
package report
