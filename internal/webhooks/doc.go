// Package webhooks sends deliveries to the addresses that want to know what happens to links, as
// Standard Webhooks 1.0.0 says: signed, again after growing pauses, and only to where it is allowed
// to connect.
//
// What is sent, and when it is due, is in the store (terse.Webhooks): nothing here has to outlive a
// process. A Sender has the store make deliveries of what happened, takes those that are due for a
// limited time, tries each once, and stores what followed. A node that dies leaves deliveries that
// others take when that time is over, so one may arrive twice, with the same webhook-id.
//
// The package runs no SQL and writes no payload. It never logs a secret or the path of a URL, which
// is one at many receivers.
package webhooks
