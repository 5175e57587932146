package player

import "replog/internal/view"

// stride is how many events lie between two pictures that are kept near the playhead. A step back folds at most so many.
const stride = 128

// kept bounds the pictures near the playhead.
const kept = 64

// pictures makes the pictures of a tape. What it has handed out never changes, so a caller may keep it.
type pictures struct {
	tape *Tape
	// near are pictures at whole numbers of strides, the newest last.
	near []nearby
}

type nearby struct {
	at      int
	picture *view.Cluster
}

// at is the picture after n events.
func (p *pictures) at(n int) *view.Cluster {
	base := n - n%stride
	picture := p.base(base)
	if n == base {
		return picture
	}
	picture = picture.Clone()
	p.tape.Forward(picture, n)
	return picture
}

// base is the picture at a whole number of strides. On the way to it from a keyframe the others in between are kept, for
// who goes back will want them next.
func (p *pictures) base(at int) *view.Cluster {
	before := -1
	for i := range p.near {
		if near := p.near[i].at; near == at {
			return p.near[i].picture
		} else if near < at && (before < 0 || near > p.near[before].at) {
			before = i
		}
	}
	var picture *view.Cluster
	from := max(0, at-(kept/2)*stride)
	if before >= 0 && p.near[before].at >= from {
		from, picture = p.near[before].at, p.near[before].picture
	} else {
		picture = p.tape.At(from)
		p.keep(from, picture)
	}
	for from < at {
		from += stride
		picture = picture.Clone()
		p.tape.Forward(picture, from)
		p.keep(from, picture)
	}
	return picture
}

func (p *pictures) keep(at int, picture *view.Cluster) {
	if len(p.near) >= kept {
		p.near = append(p.near[:0], p.near[kept/4:]...)
	}
	p.near = append(p.near, nearby{at, picture})
}
