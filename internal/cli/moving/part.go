package moving

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"sort"

	"github.com/klauspost/compress/zstd"
)

// maxMemory is how much of a part is kept in memory. Only a day of a link with many clicks exceeds
// it.
const maxMemory = 4 << 20

// Part is lines in their order: the body of a request, or less.
type Part struct {
	file *os.File // the beginning of the text, if it is long
	kept int64    // bytes in file
	text []byte   // the rest

	packed *os.File // all of the text, for Body

	lines int64   // how many
	links []int64 // which of them are link lines, from 1
	jumps []jump
	notes []note // in the order of links
}

// note says what a row of a table has lost.
type note struct {
	link int64 // the source's number of the line of its link
	text string
}

// jump says that a line of the part is line to of the source, and those that follow, up to the next
// jump, are the lines that follow there, or the same line.
type jump struct {
	from, to int64
	same     bool
}

// line returns the source's number of a line of the part.
func (j jump) line(n int64) int64 {
	if j.same {
		return j.to
	}
	return j.to + n - j.from
}

// Len returns the length of the text in bytes.
func (p *Part) Len() int64 { return p.kept + int64(len(p.text)) }

// Lines returns the number of lines.
func (p *Part) Lines() int64 { return p.lines }

// Text returns a reader of the text from its beginning.
func (p *Part) Text() io.Reader {
	if p.file == nil {
		return bytes.NewReader(p.text)
	}
	return io.MultiReader(io.NewSectionReader(p.file, 0, p.kept), bytes.NewReader(p.text))
}

// Body returns the part as it is sent, and its encoding. A day with so many clicks that the text is
// in a file is packed: servers and proxies bound what they take.
func (p *Part) Body() (body io.ReadSeeker, encoding string, err error) {
	if p.file == nil {
		return bytes.NewReader(p.text), "", nil
	}
	if p.packed != nil {
		return p.packed, "zstd", nil
	}
	if p.packed, err = tempFile(); err != nil {
		return nil, "", err
	}
	to, err := zstd.NewWriter(p.packed, zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(1<<20), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err == nil {
		_, err = io.Copy(to, p.Text())
	}
	if err == nil {
		err = to.Close()
	}
	return p.packed, "zstd", err
}

// Close frees what the part keeps on disk.
func (p *Part) Close() (err error) {
	for _, f := range []*os.File{p.file, p.packed} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	return err
}

// add adds a line of the source.
func (p *Part) add(source int64, text []byte) error {
	p.lines++
	if len(p.jumps) == 0 {
		p.jumps = append(p.jumps, jump{p.lines, source, false})
	} else if last := p.jumps[len(p.jumps)-1]; last.line(p.lines) != source {
		p.jumps = append(p.jumps, jump{p.lines, source, last.line(p.lines-1) == source})
	}
	p.text = append(append(p.text, text...), '\n')
	return p.spill()
}

// addLink adds a link line.
func (p *Part) addLink(source int64, text []byte) error {
	p.links = append(p.links, p.lines+1)
	return p.add(source, text)
}

// spill moves the text to the file, if there is much of it.
func (p *Part) spill() (err error) {
	if len(p.text) < maxMemory {
		return nil
	}
	if p.file == nil {
		if p.file, err = tempFile(); err != nil {
			return err
		}
	}
	n, err := p.file.Write(p.text)
	p.kept += int64(n)
	p.text = p.text[:0]
	return err
}

// take appends all of another part, and empties it.
func (p *Part) take(other *Part) error {
	for _, link := range other.links {
		p.links = append(p.links, p.lines+link)
	}
	for _, j := range other.jumps {
		j.from += p.lines
		if n := len(p.jumps); n == 0 || p.jumps[n-1].same || j.same ||
			p.jumps[n-1].line(j.from) != j.to {
			p.jumps = append(p.jumps, j)
		}
	}
	p.notes = append(p.notes, other.notes...)
	p.lines += other.lines
	if other.file != nil {
		// Whatever the part has is small, in comparison.
		if _, err := other.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		for chunk := make([]byte, maxMemory); ; {
			n, err := other.file.Read(chunk)
			p.text = append(p.text, chunk[:n]...)
			if spilled := p.spill(); spilled != nil {
				return spilled
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
		}
	}
	p.text = append(p.text, other.text...)
	if err := other.Close(); err != nil {
		return err
	}
	*other = Part{
		text: other.text[:0], links: other.links[:0], jumps: other.jumps[:0],
		notes: other.notes[:0],
	}
	return p.spill()
}

// sourceLine returns the source's number of a line.
func (p *Part) sourceLine(line int64) int64 {
	i := sort.Search(len(p.jumps), func(i int) bool { return p.jumps[i].from > line })
	if i == 0 {
		return line
	}
	return p.jumps[i-1].line(line)
}

// notesOf returns what is noted of the link in a line of the source.
func (p *Part) notesOf(source int64) (texts []string) {
	at := sort.Search(len(p.notes), func(i int) bool { return p.notes[i].link >= source })
	for ; at < len(p.notes) && p.notes[at].link == source; at++ {
		texts = append(texts, p.notes[at].text)
	}
	return texts
}

// isLink reports whether a line is a link line.
func (p *Part) isLink(line int64) bool {
	_, found := slices.BinarySearch(p.links, line)
	return found
}
