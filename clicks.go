package terse

// Clicks are clicks on their way from a journal to a store. There may be hundreds of thousands, so
// they have no pointers: their values are numbers of texts, which are there once. NewClicks and
// ClicksOf make them; the zero Clicks takes none.
type Clicks struct {
	List  []NumberedClick
	texts [NumDimensions]texts
	// so many texts of each dimension have their numbers from the beginning
	common int
}

// NumberedClick is a Click whose Values are numbers of Clicks.
type NumberedClick struct {
	Link      LinkID
	Code      Code
	Time      int64
	Visitor   uint64
	Values    [NumDimensions]uint32 // 0: Unknown
	Untracked bool
}

// texts are the values of a dimension.
type texts struct {
	list    []string // by number; the first is that of Unknown
	numbers map[string]uint32
}

// maxNumbered bounds the texts that are found again. What follows has a number for each time that
// it comes, and takes the memory of a text, but none to be found.
const maxNumbered = 1 << 16

// NewClicks returns Clicks with room for n, and the texts that have the numbers from 1 on in each
// dimension.
func NewClicks(n int, common ...string) *Clicks {
	c := &Clicks{List: make([]NumberedClick, 0, n), common: len(common)}
	for d := range c.texts {
		c.texts[d].list = append([]string{""}, common...)
	}
	return c
}

// ClicksOf numbers the values of some clicks.
func ClicksOf(clicks ...Click) Clicks {
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

// Number returns a number for a text, of which there may be several.
func (c *Clicks) Number(d Dimension, text []byte) uint32 {
	if len(text) == 0 {
		return 0
	}
	t := &c.texts[d]
	if number, known := t.numbers[string(text)]; known { // the compiler makes no string
		return number
	}
	number, s := uint32(len(t.list)), string(text)
	t.list = append(t.list, s)
	if t.numbers == nil {
		t.numbers = map[string]uint32{}
	}
	if len(t.numbers) < maxNumbered {
		t.numbers[s] = number
	}
	return number
}

// Text returns the text that has a number.
func (c *Clicks) Text(d Dimension, number uint32) string {
	if number == 0 {
		return ""
	}
	return c.texts[d].list[number]
}

// Click returns a click with its texts.
func (c *Clicks) Click(i int) Click {
	n := &c.List[i]
	click := Click{
		Link: n.Link, Code: n.Code, Time: n.Time, Visitor: n.Visitor, Untracked: n.Untracked,
	}
	for d, number := range n.Values {
		click.Values[d] = c.Text(Dimension(d), number)
	}
	return click
}

// Reset forgets the clicks and their texts, and keeps the room.
func (c *Clicks) Reset() {
	c.List = c.List[:0]
	for d := range c.texts {
		t := &c.texts[d]
		if len(t.numbers) == maxNumbered { // a flood of texts is over, or goes on
			t.list, t.numbers = append([]string(nil), t.list[:1+c.common]...), nil
			continue
		}
		clear(t.numbers)
		clear(t.list[1+c.common:])
		t.list = t.list[:1+c.common]
	}
}
