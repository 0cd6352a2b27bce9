package moving

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"terse/internal/cli/console"
)

// File is a file that is read, maybe more than once.
type File struct {
	Name string // for people
	Size int64  // in bytes, as it is on disk

	file *os.File
	kept bool         // by Keep
	from os.FileInfo  // the file of which it has the lines, if that is one
	read atomic.Int64 // of Size
}

// Open opens a file. "-" is in, which is copied to a temporary file first: an export that was cut
// off must not be sent.
func Open(ctx context.Context, in io.Reader, name string) (s *File, err error) {
	s = &File{Name: name}
	if name != "-" {
		if s.file, err = os.Open(name); err != nil {
			return nil, err
		}
	} else {
		s.Name = "standard input"
		if s.file, err = tempFile(); err != nil {
			return nil, err
		}
		_, err = console.Until(ctx, func() (int64, error) { return io.Copy(s.file, in) })
	}
	var info os.FileInfo
	if err == nil {
		info, err = s.file.Stat()
	}
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", name)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.Size = info.Size()
	return s, nil
}

// Is reports whether a name is that of the file, or of that which was read into it.
func (s *File) Is(name string) bool {
	one, err := s.file.Stat()
	if err != nil {
		return false
	}
	other, err := os.Stat(name)
	return err == nil && (os.SameFile(one, other) || s.from != nil && os.SameFile(s.from, other))
}

// ReadFrom says that the file has the lines of another one.
func (s *File) ReadFrom(other *File) (err error) {
	s.from, err = other.file.Stat()
	return err
}

// tempFile returns a file that is gone when it is closed, or the process ends.
func tempFile() (*os.File, error) {
	f, err := os.CreateTemp("", "terse-import-")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// Close closes the file.
func (s *File) Close() error { return s.file.Close() }

// Read returns how many bytes of Size were read by the last Text.
func (s *File) Read() int64 { return min(s.read.Load(), s.Size) }

// maxWindow bounds the memory that unpacking zstd takes.
const maxWindow = 128 << 20

// Text returns the text from its beginning, unpacked if it is packed by gzip or zstd, which it says
// by its first bytes.
func (s *File) Text() (io.Reader, error) {
	s.read.Store(0)
	text := bufio.NewReaderSize(&counted{io.NewSectionReader(s.file, 0, s.Size), &s.read}, 64<<10)
	start, err := text.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case string(start) == "PK\x03\x04":
		return nil, errors.New("it is an Excel or ZIP file; save it as CSV")
	case len(start) >= 2 && start[0] == 0x1f && start[1] == 0x8b:
		unpacked, err := gzip.NewReader(text)
		return packed{unpacked}, cutOff(err)
	case string(start) == "\x28\xb5\x2f\xfd":
		unpacked, err := zstd.NewReader(text, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return packed{unpacked}, nil
	}
	return text, nil
}

// packed is an unpacked text.
type packed struct{ io.Reader }

func (p packed) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	return n, cutOff(err)
}

// cutOff explains the error of unpacking a file that lacks its end.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the packed file was cut off")
	}
	return err
}

// counted counts what is read.
type counted struct {
	io.Reader
	read *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read.Add(int64(n))
	return n, err
}
