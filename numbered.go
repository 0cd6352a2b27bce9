package terse

import "math"

// NumberedClicks are clicks on their way from a journal to a store. There may be hundreds of
// thousands, so they have no pointers: each distinct text is kept once, and values are its number.
// Use NewClicks or ClicksOf to make them; the zero NumberedClicks takes no clicks.
type NumberedClicks struct {
	List   []NumberedClick
	common Texts // numbered from 1 on, the same in each dimension
	texts  [NumDimensions]Texts
}

// NumberedClick is a Click whose Values are numbers in NumberedClicks.
type NumberedClick struct {
	Link      LinkID
	Code      Code
	Time      int64
	Visitor   uint64
	Values    [NumDimensions]uint32 // 0: Unknown
	Untracked bool
}

// NewClicks returns NumberedClicks with room for n. The common texts are numbered from 1 on in each
// dimension.
func NewClicks(n int, common ...string) *NumberedClicks {
	c := &NumberedClicks{List: make([]NumberedClick, 0, n)}
	for _, text := range common {
		c.common.Number([]byte(text), len(common))
	}
	return c
}

// ClicksOf numbers the values of clicks.
func ClicksOf(clicks ...Click) NumberedClicks {
	c := NewClicks(len(clicks))
	for i := range clicks {
		click := &clicks[i]
		numbered := NumberedClick{
			Link: click.Link, Code: click.Code, Time: click.Time, Visitor: click.Visitor,
			Untracked: click.Untracked,
		}
		for d, text := range click.Values {
			numbered.Values[d] = c.Number(Dimension(d), []byte(text))
		}
		c.List = append(c.List, numbered)
	}
	return *c
}

// Number returns the number of a text in a dimension, and adds it if it is new.
func (c *NumberedClicks) Number(d Dimension, text []byte) uint32 {
	if len(text) == 0 {
		return 0
	}
	number, _ := c.texts[d].Number(text, math.MaxInt)
	return c.firstOwn() + number
}

// firstOwn is the first number of texts that are not common ones.
func (c *NumberedClicks) firstOwn() uint32 { return 1 + uint32(c.common.Len()) }

// Numbers returns the range of numbers in a dimension that are not common texts, without end.
func (c *NumberedClicks) Numbers(d Dimension) (first, end uint32) {
	return c.firstOwn(), c.firstOwn() + uint32(c.texts[d].Len())
}

// Text returns the text with a number. It is valid until Reset.
func (c *NumberedClicks) Text(d Dimension, number uint32) []byte {
	switch own := c.firstOwn(); {
	case number == 0:
		return nil
	case number < own:
		return c.common.At(number - 1)
	default:
		return c.texts[d].At(number - own)
	}
}

// Click returns the click at index i with its texts.
func (c *NumberedClicks) Click(i int) Click {
	n := &c.List[i]
	click := Click{
		Link: n.Link, Code: n.Code, Time: n.Time, Visitor: n.Visitor, Untracked: n.Untracked,
	}
	for d, number := range n.Values {
		click.Values[d] = string(c.Text(Dimension(d), number))
	}
	return click
}

// Reset forgets the clicks and their texts, and keeps their memory.
func (c *NumberedClicks) Reset() {
	c.List = c.List[:0]
	for d := range c.texts {
		c.texts[d].Reset()
	}
}
