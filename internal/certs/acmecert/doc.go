// Package acmecert keeps certificates by ACME (RFC 8555): it orders one for each host, answers the
// challenges by which an authority verifies a host (HTTP-01 and TLS-ALPN-01), and renews each in
// time.
//
// A [Keeper] looks at all its certificates again and again. An authority that supports renewal
// information (RFC 9773) says when a certificate is renewed; without it that is after two thirds of
// its lifetime. Nothing is ordered because of a handshake.
//
// What outlives a process is in a [Storage], for one server a [Folder]: certificates with their
// keys, the account, the last failure, and the challenge under way. Nodes that share a storage have
// one among them that orders; all answer challenges, and all notice new certificates.
//
// The package does not listen: a server asks it for certificates, and passes challenges on. It
// stands on acmez, which speaks the protocol. certmagic, built on the same, brings schedules,
// prompts on standard input, global state and zap, which would have to be kept from working, and
// adds 2.1 MB to the server instead of 0.4.
package acmecert
