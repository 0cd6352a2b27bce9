// Package cli contains the commands that talk to a server over its API. Each has a file, and a row
// in Commands. Commands get what they need from Env and never read flags or the environment;
// cmd/terse fills in their fields from both. Output goes through internal/cli/console, because it
// may contain what others wrote.
package cli

import "terse/internal/cli/console"

// Commands are the rows of the command line, in the order of its help. A command's method Run takes
// any of context.Context, Env and, if the command embeds clientFlags, the *remote that they name.
type Commands struct {
	Login     loginCommand     `cmd:"" help:"Keep a server's URL and token for the commands below."`
	Logout    logoutCommand    `cmd:"" help:"Forget the server's URL and token."`
	Me        meCommand        `cmd:"" help:"Show who your token belongs to, and what it may do."`
	Create    createCommand    `cmd:"" help:"Shorten URLs."`
	List      listCommand      `cmd:"" aliases:"ls" help:"List links, newest first."`
	Show      showCommand      `cmd:"" help:"Show everything about a link."`
	Edit      editCommand      `cmd:"" help:"Change where a link leads, and its options."`
	Archive   archiveCommand   `cmd:"" help:"Leave links out of lists. They work on."`
	Unarchive unarchiveCommand `cmd:"" help:"Take links out of the archive."`
	Tag       tagCommand       `cmd:"" help:"List, add, remove, rename and delete tags."`
	Bulk      bulkCommand      `cmd:"" help:"Create, change and delete the links of a file."`
	History   historyCommand   `cmd:"" help:"Show who changed what of a link."`
	Stats     statsCommand     `cmd:"" help:"Show the clicks of a link."`
	Overview  overviewCommand  `cmd:"" aliases:"top" help:"Show the clicks of all links, and the links with the most."`
	Unknown   unknownCommand   `cmd:"" help:"List the codes that visitors requested and no link has."`
	Events    eventsCommand    `cmd:"" help:"List single clicks, of a link or of all."`
	Export    exportCommand    `cmd:"" help:"Write all links with their clicks to a file."`
	Import    importCommand    `cmd:"" help:"Create links, with their clicks, from a file."`
	Check     checkCommand     `cmd:"" help:"Compare where short URLs lead before and after an import."`
	Open      openCommand      `cmd:"" help:"Open a short URL, or a link's page in the dashboard."`
	QR        qrCommand        `cmd:"" name:"qr" help:"Draw a link's QR code."`
	Share     shareCommand     `cmd:"" help:"Share statistics, of a link or more, with people without a token."`
	Unshare   unshareCommand   `cmd:"" help:"Stop sharing statistics."`
	Shares    sharesCommand    `cmd:"" help:"List what is shared."`
	Clear     clearCommand     `cmd:"" help:"Delete the statistics of a link."`
	Delete    deleteCommand    `cmd:"" help:"Delete a link with its clicks."`
	Domain    domainCommand    `cmd:"" help:"List the hosts of links, and change where they lead."`
	MCP       mcpCommand       `cmd:"" name:"mcp" help:"Let programs with a language model use the server (Model Context Protocol)."`
	User      userCommand      `cmd:"" help:"List, change and delete those who may own links."`
	Webhook   webhookCommand   `cmd:"" help:"Have addresses told what happens to links, signed and with retries."`
}

// Env is a command's environment.
type Env = console.Env
