package screen

import (
	"strconv"
	"strings"
)

// textRoom is the width of the text of a box: not wider than is good to read.
func (p *painter) textRoom(most int) int { return max(min(most, p.w-6), 1) }

func (o *Help) lay(p *painter) {
	s := sheet{width: p.textRoom(74)}
	group := ""
	for i := range o.Keys {
		k := &o.Keys[i]
		if k.Group != group {
			if i > 0 {
				s.blank()
			}
			group = k.Group
			s.add(strong, 0, -1, "", group)
		}
		s.lines = append(s.lines, helpLine(k, s.width)...)
	}
	s.show(p.box(s.width, len(s.lines), "keys"), o.Top, -1)
}

const keyRoom = 18

// helpLine is a key and what it does; the key stands where a mark would, so the text is indented behind it.
func helpLine(k *KeyHelp, width int) []sheetLine {
	var s sheet
	s.width = width
	s.add(plain, keyRoom, -1, "", k.Long)
	s.lines[0].key = k.Key
	return s.lines
}

func (o *Page) lay(p *painter) {
	s := sheet{width: p.textRoom(96)}
	if o.Intro != "" {
		s.add(plain, 0, -1, "", o.Intro)
		s.blank()
	}
	for i := range o.Parts {
		part := &o.Parts[i]
		s.add(plain, 2, -1, "·", part.Plain)
		s.term(part)
		if i < len(o.Parts)-1 {
			s.blank()
		}
	}
	s.show(p.box(s.width, len(s.lines), o.Title), o.Top, -1)
}

// term is the real name of a part, and its place on the screen in the same line or in the next.
func (s *sheet) term(part *Part) {
	if 4+textWidth(part.Term)+2+textWidth(part.Where) <= s.width {
		s.lines = append(s.lines, sheetLine{mark: "→", text: part.Term, tail: part.Where, style: accent, indent: 4, index: -1})
		return
	}
	s.add(accent, 4, -1, "→", part.Term)
	s.add(dim, 4, -1, "", part.Where)
}

func (o *Why) lay(p *painter) {
	s := sheet{width: max(p.w-6, 1)}
	indent := 4
	for i := range o.Links {
		indent = max(indent, textWidth(clean(o.Links[i].Clock))+4)
	}
	for i := range o.Links {
		link := &o.Links[i]
		from := len(s.lines)
		s.add(plain, indent, i, "", link.Text)
		if from < len(s.lines) {
			s.lines[from].key = link.Clock
		}
		if i == o.Cursor && link.Rule != "" {
			s.add(dim, indent, i, "", link.Rule)
		}
	}
	in := p.dock(len(s.lines), o.Title)
	s.show(in, s.around(o.Cursor, in.h), o.Cursor)
}

func (o *Question) lay(p *painter) {
	s := sheet{width: p.textRoom(110)}
	s.add(strong, 0, -1, "", o.Text)
	s.blank()
	for i := range o.Choices {
		o.choice(&s, i)
	}
	if o.Solved && len(o.Verdict) > 0 {
		s.blank()
		for _, v := range o.Verdict {
			s.add(plain, 2, -1, "", v)
		}
	}
	in := p.dock(len(s.lines), o.Heading)
	chosen := o.Cursor
	if o.Solved {
		chosen = -1
	}
	s.show(in, s.around(o.Cursor, in.h), chosen)
}

// choice is one answer: its letter, and when the question is solved whether it is right, and why.
func (o *Question) choice(s *sheet, i int) {
	c := &o.Choices[i]
	style, mark := plain, ""
	switch {
	case o.Solved && c.Right:
		style, mark = fine, "✓"
	case o.Solved && i == o.Picked:
		style, mark = lost, "×"
	case i == o.Picked:
		style, mark = accent, "▸"
	}
	from := len(s.lines)
	s.add(style, 6, i, "", c.Text)
	s.lines[from].mark, s.lines[from].key = mark, "  "+string(rune('a'+i))
	if o.Solved && c.Word != "" {
		s.add(dim, 6, i, "", c.Word)
	}
}

func (o *Notes) lay(p *painter) {
	s := sheet{width: p.textRoom(100)}
	for _, line := range paragraphs(o.Text) {
		s.add(plain, 0, -1, "", line)
	}
	s.show(p.dock(len(s.lines), "notes for the instructor"), o.Top, -1)
}

// paragraphs joins the lines of a text that belong together; an empty line stays one.
func paragraphs(text string) []string {
	var list []string
	for i, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			list = append(list, "")
		}
		list = append(list, strings.Join(strings.Fields(block), " "))
	}
	return list
}

func (o *Picker) lay(p *painter) {
	s := sheet{width: p.textRoom(110)}
	name := 0
	for i := range o.Entries {
		name = max(name, textWidth(clean(o.Entries[i].Scenario)))
	}
	last := ""
	for i := range o.Entries {
		e := &o.Entries[i]
		l := sheetLine{text: e.Variant, style: plain, indent: min(name, s.width/3) + 2, index: i, tail: e.Line, tailAt: tailIndent}
		if e.Scenario != last {
			l.key = e.Scenario
			last = e.Scenario
		}
		s.lines = append(s.lines, l)
	}
	title := o.Title
	if o.Filter != "" || o.Typing {
		title += "  /" + o.Filter
	}
	if o.Typing {
		title += "_"
	}
	in := p.box(s.width, max(len(s.lines), 3), title)
	if len(s.lines) == 0 {
		in.text(0, 0, dim, "nothing has that in its name")
	}
	s.show(in, s.around(o.Cursor, in.h), o.Cursor)
}

func (o *Command) lay(p *painter) {
	_, foot := p.bottom(1)
	row := p.within(foot)
	row.hit = 0
	row.wipe()
	at := row.pen(1, 0).put(accent, o.Prompt)
	start := at.x
	at.put(plain, o.Text)
	cursor := start + textWidth(clean(firstRunes(o.Text, o.At)))
	if cursor >= at.x {
		row.glyph(cursor, 0, plain, " ")
		at.to(cursor + 1)
	}
	row.tint(cursor, cursor+1, 0, marked)
	if o.Error != "" {
		at.gap(2).put(lost, "! ").put(lost, o.Error)
	} else {
		at.gap(2).put(dim, o.Hint)
	}
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

func (o *Menu) lay(p *painter) {
	s := sheet{width: p.textRoom(86)}
	if o.Intro != "" {
		s.add(dim, 0, -1, "", o.Intro)
		s.blank()
	}
	for i := range o.Items {
		item := &o.Items[i]
		from := len(s.lines)
		s.add(plain, 2, i, "", item.Label)
		s.lines[from].right = item.Value
		if i == o.Cursor {
			s.lines[from].mark = "▸"
			if item.Note != "" {
				s.add(dim, 4, i, "", item.Note)
			}
		}
	}
	in := p.box(s.width, len(s.lines), o.Title)
	s.show(in, s.around(o.Cursor, in.h), o.Cursor)
}

func (o *Score) lay(p *painter) {
	s := sheet{width: p.textRoom(86)}
	s.lines = append(s.lines, sheetLine{style: strong, index: -1, text: scoreText(o.Right, o.Of)})
	s.blank()
	for i, line := range o.Lines {
		s.add(plain, 2, i, "", line)
	}
	s.show(p.box(s.width, len(s.lines), "score"), 0, -1)
}

func (o *Message) lay(p *painter) {
	s := sheet{width: p.textRoom(100)}
	title := o.Title
	if o.Mistake {
		title = "! " + title
	}
	s.add(plain, 0, -1, "", strings.TrimRight(o.Text, "\n"))
	s.show(p.box(s.width, len(s.lines), title), 0, -1)
}

func scoreText(right, of int) string {
	return strconv.Itoa(right) + " of " + strconv.Itoa(of) + " right"
}
