// Package fastpath serves plain redirects, which are nearly all that arrives, straight from the
// bytes of a connection. It saves a redirect net/http, and a goroutine for each connection.
//
// It knows one form of request: a GET of HTTP/1.1 without a body, whole in one read, for a path
// that the control plane does not route. Any other request, well-formed or not, goes with its
// connection to the host, which decides what it is: so what the fast path does not understand, it
// can't get wrong. Some time after the host has answered, the connection comes back.
//
// On Linux the connections are served by loops. Each is one goroutine that asks the kernel which of
// its connections have something to read (epoll), and answers those in turn. A goroutine for each
// connection would cost a redirect a third more: to be parked and woken, and to ask for input that
// is not there yet. All connections of a loop wait while it waits for anything but the kernel. So
// it waits for the store only briefly; otherwise other goroutines do that, after which the
// connection comes back. Elsewhere every connection goes to the host at once.
//
// A connection of TLS begins with the host, in whose goroutine the handshake waits. Then the loop
// decrypts what arrives: crypto/tls reads from its file descriptor, and at the end of what there is
// gets an error that it calls temporary, after which it goes on at the next read.
//
//   - parse.go reads a request, respond.go answers those of one connection.
//   - loop_linux.go is the loop, jobs_linux.go what it leaves to other goroutines, conn_linux.go
//     how connections come and go, syscall_linux.go the system calls that bypass the runtime.
//   - secure.go is the handshake, secure_linux.go TLS in a loop.
//   - host.go is all that it needs of the server around it.
//
// The package does not decide on a redirect, count, log requests, or know a header field by name
// except those that decide who answers. It imports nothing of this module but package redirect, for
// its types.
//
// Nothing else depends on it being there. The commit that deletes it removes this folder, package
// server's fast.go and fast_test.go, and cmd/terse's processors.go with the options Loops, Synced
// and RemoteLinks. It has Server.Serve and Shutdown use a listener that enters connections into
// connTable, moves Accept and Handshake into secure.go beside it, takes goesBack out of stay.go,
// and the entry out of archtest.
package fastpath
