package screen

// painter draws one model.
type painter struct {
	m *Model
	area
}

// Draw puts a model into the grid, over whatever was there.
func Draw(g *Grid, m *Model) {
	g.theme, g.ascii = m.Theme, m.ASCII
	g.clear()
}
