package importer

import (
	"encoding/binary"

	"terse"
)

// The form of a kept line is its number, and then:
//   - of a day: clicks and visitors
//   - of counts: the dimension, and of each value its clicks, people and firsts
//   - of a click: count, firsts, and the values that are known, each after its dimension
//
// Numbers are varints; texts stand behind their lengths.

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendDay(b []byte, line, clicks, visitors int64) []byte {
	for _, n := range []int64{line, clicks, visitors} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func appendCounts(b []byte, line int64, counts terse.PastCounts) []byte {
	b = binary.AppendUvarint(b, uint64(line))
	b = append(b, byte(counts.Dimension))
	for _, v := range counts.Values {
		b = appendText(b, v.Value)
		for _, n := range []int64{v.Clicks, v.People, v.Firsts} {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

func appendClick(b []byte, line int64, click *terse.PastClick) []byte {
	b = binary.AppendUvarint(b, uint64(line))
	b = binary.AppendUvarint(b, uint64(click.Count))
	b = binary.AppendUvarint(b, uint64(click.Firsts))
	for d, value := range click.Values {
		if value != "" {
			b = appendText(append(b, byte(d)), value)
		}
	}
	return b
}

// decoder reads a kept line.
type decoder struct {
	text  []byte
	texts texts
}

func (d *decoder) number() int64 {
	n, size := binary.Uvarint(d.text)
	d.text = d.text[size:]
	return int64(n)
}

func (d *decoder) dimension() terse.Dimension {
	of := terse.Dimension(d.text[0])
	d.text = d.text[1:]
	return of
}

func (d *decoder) string() string {
	n := d.number()
	text := d.texts.get(d.text[:n])
	d.text = d.text[n:]
	return text
}

// texts keeps one copy of each text.
type texts map[string]string

// maxTexts bounds them, at up to 1 KiB each.
const maxTexts = 8 << 10

func (t texts) get(text []byte) string {
	if kept, ok := t[string(text)]; ok {
		return kept
	}
	if len(t) >= maxTexts {
		clear(t)
	}
	kept := string(text)
	t[kept] = kept
	return kept
}
