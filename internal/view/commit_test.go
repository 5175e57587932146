package view_test

import (
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
	"replog/internal/view/history"
)

// TestWhyAGroupComesToAnOffsetAgain: each history commits offset 5 first; then offset 3 is read again.
func TestWhyAGroupComesToAnOffsetAgain(t *testing.T) {
	expire := func(g *history.Group) {
		g.Add(event.Event{Kind: event.OffsetExpired, Node: 1, Offset: 5})
	}
	load := func(g *history.Group, offset kafka.Offset) {
		g.Hosted(2, 2)
		if offset != kafka.NoOffset {
			g.Add(event.Event{Kind: event.OffsetLoaded, Node: 2, Offset: offset})
		}
	}
	for _, test := range []struct {
		name string
		then func(g *history.Group)
		want view.Again
	}{
		{"it is committed", func(*history.Group) {}, view.AgainByItself},
		{"the commit expires", expire, view.AgainExpired},
		{"it expires, and another broker coordinates", func(g *history.Group) { expire(g); load(g, kafka.NoOffset) }, view.AgainExpired},
		{"a commit goes back", func(g *history.Group) { g.Commit(two, 0, 2, 5) }, view.AgainOverwritten},
		{"it goes back, and another broker coordinates", func(g *history.Group) { g.Commit(two, 0, 2, 5); load(g, 2) }, view.AgainOverwritten},
		{"another broker never had it", func(g *history.Group) { load(g, 2) }, view.AgainLost},
		{"another broker has nothing", func(g *history.Group) { load(g, kafka.NoOffset) }, view.AgainLost},
		{"another broker has it", func(g *history.Group) { load(g, 5) }, view.AgainByItself},
	} {
		g := grouped()
		g.Commit(one, 0, 5, kafka.NoOffset)
		test.then(g)
		p, _ := groupsOf(g.History).Partition(0, 0)
		if got := p.WhyAgain(3); got != test.want {
			t.Errorf("%s: %d, want %d; %+v", test.name, got, test.want, p.Commit)
		}
		if got := p.WhyAgain(5); got != view.AgainUncommitted {
			t.Errorf("%s: nobody had committed offset 5, and it is read again for %d", test.name, got)
		}
	}
}
