// Package moving takes links and their clicks from files to a server. It divides what it reads into
// requests that can be sent again, and sums up what became of each link. Exports are read by
// package archive, tables by package archive/table. The server judges what they say.
package moving
