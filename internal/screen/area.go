package screen

import "strconv"

// area is a part of the grid. What is drawn into it is cut off at its edges; places are counted from its corner.
type area struct {
	g          *Grid
	x, y, w, h int
	hit        uint16
}

func (g *Grid) whole() area { return area{g: g, w: g.w, h: g.h} }

// part is a piece of the area, cut to it.
func (a area) part(x, y, w, h int) area {
	x, y = max(x, 0), max(y, 0)
	a.w, a.h = max(min(w, a.w-x), 0), max(min(h, a.h-y), 0)
	a.x, a.y = a.x+x, a.y+y
	return a
}

// top splits n rows off the top.
func (a area) top(n int) (upper, lower area) {
	n = max(min(n, a.h), 0)
	return a.part(0, 0, a.w, n), a.part(0, n, a.w, a.h-n)
}

// bottom splits n rows off the bottom.
func (a area) bottom(n int) (upper, lower area) {
	return a.top(a.h - max(min(n, a.h), 0))
}

// on makes a click on what is drawn hit something.
func (a area) on(h Hit) area {
	a.hit = a.g.target(h)
	return a
}

// claim makes a click anywhere in the area hit what it is on.
func (a area) claim() {
	for y := range a.h {
		from := (a.y+y)*a.g.w + a.x
		for i := range a.g.cells[from : from+a.w] {
			a.g.cells[from+i].hit = a.hit
		}
	}
}

// text draws a line and returns the place behind it, also where it was cut off.
func (a area) text(x, y int, style Style, s string) int {
	if y < 0 || y >= a.h {
		return x
	}
	for s = clean(s); len(s) > 0 && x < a.w; {
		var char string
		var width int
		char, width, s = character(s)
		if width == 0 {
			continue
		}
		if a.g.ascii {
			char, width = asciiOf(char), 1
		}
		if x >= 0 && x+width <= a.w {
			a.g.set(a.x+x, a.y+y, char, width, style, a.hit)
		}
		x += width
	}
	return x
}

// fitted draws a line into n cells; an ellipsis shows that it was cut.
func (a area) fitted(x, y, n int, style Style, s string) int {
	n = min(n, a.w-x)
	if n <= 0 {
		return x
	}
	if s = clean(s); textWidth(s) <= n {
		return a.text(x, y, style, s)
	}
	end := a.part(0, y, x+n-1, 1).text(x, 0, style, s)
	return a.text(min(end, x+n-1), y, style, "…")
}

// right draws a line that ends before x.
func (a area) right(x, y int, style Style, s string) {
	a.text(x-textWidth(s), y, style, s)
}

const digits = "0123456789"

// number draws a whole number without making a string of it, ending before x, and returns where it begins.
func (a area) number(x, y int, style Style, n int64) int {
	if n < 0 {
		a.right(x, y, style, strconv.FormatInt(n, 10))
		return x - len(strconv.FormatInt(n, 10))
	}
	for {
		x--
		a.glyph(x, y, style, digits[n%10:n%10+1])
		if n /= 10; n == 0 {
			return x
		}
	}
}

// glyph draws one character of width 1.
func (a area) glyph(x, y int, style Style, char string) {
	if x < 0 || y < 0 || x >= a.w || y >= a.h {
		return
	}
	if a.g.ascii {
		char = asciiOf(char)
	}
	a.g.set(a.x+x, a.y+y, char, 1, style, a.hit)
}

// line repeats a character from x up to, not including, end.
func (a area) line(x, end, y int, style Style, char string) {
	for ; x < end; x++ {
		a.glyph(x, y, style, char)
	}
}

// tint adds a style to what a row shows already, from x up to end.
func (a area) tint(x, end, y int, style Style) {
	if y < 0 || y >= a.h {
		return
	}
	for x = max(x, 0); x < min(end, a.w); x++ {
		a.g.cells[(a.y+y)*a.g.w+a.x+x].style |= style
	}
}

// wipe blanks the area, and what a click on it hits.
func (a area) wipe() {
	for y := range a.h {
		a.line(0, a.w, y, plain, " ")
	}
}

// asciiOf is the twin of a character on a terminal that has only ASCII.
func asciiOf(char string) string {
	if char[0] < 0x80 {
		return char[:1]
	}
	for i := range asciiTwins {
		if asciiTwins[i][0] == char {
			return asciiTwins[i][1]
		}
	}
	return "?"
}

var asciiTwins = [...][2]string{
	{"─", "-"}, {"━", "="}, {"│", "|"}, {"┃", "|"}, {"╌", "-"}, {"┄", "-"}, {"·", "."}, {"○", "o"}, {"●", "a"}, {"†", "t"},
	{"▸", ">"}, {"▶", ">"}, {"◆", "#"}, {"▲", "^"}, {"▼", "v"}, {"…", "~"}, {"→", ">"}, {"✓", "y"}, {"↑", "^"},
	{"┌", "+"}, {"┐", "+"}, {"└", "+"}, {"┘", "+"}, {"╭", "+"}, {"╮", "+"}, {"╰", "+"}, {"╯", "+"}, {"├", "+"}, {"┤", "+"},
	{"┬", "+"}, {"┴", "+"}, {"┼", "+"}, {"╴", "-"}, {"╶", "-"}, {"█", "#"}, {"▀", "\""}, {"▄", "_"}, {"–", "-"}, {"—", "-"}, {"‖", "|"}, {"×", "x"},
}
