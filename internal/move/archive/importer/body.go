package importer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"terse"
)

// Bounds of a body.
const (
	MaxBody  = 1 << 30  // bytes as sent
	maxPlain = 16 << 30 // bytes of its text
	// maxWindow bounds the memory for unpacking zstd. The zstd command uses no more by default.
	maxWindow = 8 << 20
	// spare is what a body leaves free of the disk, so that the journal of clicks and the database
	// can go on.
	spare = 32 << 20
)

// Failures to read a body.
var (
	ErrTooLong  = errors.New("request body must be at most 1 GiB, and its text at most 16 GiB")
	ErrEncoding = errors.New("Content-Encoding must be gzip or zstd")
	ErrNoRoom   = errors.New("no room for the body")
	errTooSoon  = terse.Invalidf("", "the body ends too soon")
	errNoEnd    = terse.Invalidf("", "the export has no end")
)

// Body is a body in a temporary file, as it was sent.
type Body struct {
	file     *os.File
	encoding string // "", "gzip" or "zstd"
	importer *Importer
}

// Receive keeps a body in a file until Close. encoding is its Content-Encoding. If from fails, or
// ctx ends meanwhile, the error wraps its error.
func (i *Importer) Receive(ctx context.Context, from io.Reader, encoding string,
) (_ *Body, err error) {
	switch encoding {
	case "", "gzip", "zstd":
	case "identity":
		encoding = ""
	case "x-gzip":
		encoding = "gzip"
	default:
		return nil, ErrEncoding
	}
	b := &Body{encoding: encoding, importer: i}
	if b.file, err = i.createFile(); err != nil {
		return nil, noRoom(err)
	}
	to := &sparing{file: b.file}
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, stopping{ctx, from},
		make([]byte, 256<<10))
	switch {
	case to.err != nil:
		err = noRoom(to.err)
	case err != nil:
		err = fmt.Errorf("%w: %w", errTooSoon, err)
	default:
		return b, nil
	}
	return nil, errors.Join(err, b.Close())
}

// Close removes the body.
func (b *Body) Close() error { return b.file.Close() }

// sparing writes to a file as long as spare is free on its disk.
type sparing struct {
	file    *os.File
	checked int64 // bytes that may be written before the disk is looked at again
	err     error
}

func (s *sparing) Write(p []byte) (n int, err error) {
	n, s.err = s.write(p)
	return n, s.err
}

func (s *sparing) ReadAt(p []byte, at int64) (int, error) { return s.file.ReadAt(p, at) }

func (s *sparing) Close() error { return s.file.Close() }

func (s *sparing) write(p []byte) (int, error) {
	if s.checked < int64(len(p)) {
		var disk unix.Statfs_t
		if err := unix.Fstatfs(int(s.file.Fd()), &disk); err != nil {
			return 0, fmt.Errorf("look at the disk: %w", err)
		}
		//nolint:unconvert // their types differ by system
		free := int64(disk.Bavail) * int64(disk.Bsize)
		if free < spare+int64(len(p)) {
			return 0, ErrNoRoom
		}
		s.checked = spare/4 + int64(len(p))
	}
	s.checked -= int64(len(p))
	return s.file.Write(p)
}

// noRoom returns ErrNoRoom for the errors of a full disk, and other errors as they are.
func noRoom(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return ErrNoRoom
	}
	return err
}

// stopping reads until ctx ends.
type stopping struct {
	ctx  context.Context //nolint:containedctx // for the time of one call
	from io.Reader
}

func (s stopping) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, errStopped
	}
	return s.from.Read(p)
}

// text is the text of a body, unpacked.
type text struct {
	from  io.Reader
	close func()
	read  int64
}

// open returns the text of the body from its beginning, until ctx ends. It may be opened again.
func (b *Body) open(ctx context.Context) (*text, error) {
	if _, err := b.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	// Many bytes of the file may have no text, such as empty members of gzip.
	file := stopping{ctx, b.file}
	t := &text{from: bufio.NewReaderSize(file, 64<<10), close: func() {}}
	switch b.encoding {
	case "gzip":
		gz, err := gzip.NewReader(t.from)
		if err == io.EOF { //nolint:errorlint // nothing was sent, in no member
			t.from = eof{}
			return t, nil
		}
		if err != nil {
			return nil, unpackError(err)
		}
		t.from = gz
	case "zstd":
		z, err := zstd.NewReader(t.from, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("unpack zstd: %w", err)
		}
		t.from, t.close = z, z.Close
	}
	t.from = stopping{ctx, t.from} // a few bytes of the file may have gigabytes of text
	return t, nil
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

func (t *text) Read(p []byte) (n int, err error) {
	n, err = t.from.Read(p)
	if t.read += int64(n); t.read > maxPlain {
		return 0, ErrTooLong
	}
	if err != nil && err != io.EOF { //nolint:errorlint // as io.Reader has it
		err = unpackError(err)
	}
	return n, err
}

// unpackError explains an error of unpacking.
func unpackError(err error) error {
	switch {
	case errors.Is(err, errStopped):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errTooSoon
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return terse.Invalidf("Content-Encoding", "the body needs a window of more than 8 MiB")
	}
	if _, ours := errors.AsType[*os.PathError](err); ours {
		return err
	}
	return terse.Invalidf("Content-Encoding", "the body can not be unpacked: %v", err)
}
