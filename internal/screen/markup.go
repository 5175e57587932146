package screen

// SVG is the grid as a picture for a page or a README.
func (g *Grid) SVG() string { return "" }

// HTML is the grid as a piece of a page: one pre element.
func (g *Grid) HTML() string { return "" }
