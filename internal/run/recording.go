package run

import (
	"sort"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// keyframeEvery is how many events lie between two kept pictures. A seek folds at most so many.
const keyframeEvery = 2048

// Recording is a run that one can look at from any point: all its events, and a picture every few thousand of them.
// There is no undo, so stepping back cannot be wrong: it is a fold from the picture before. It is an event.Sink.
type Recording struct {
	Log       event.Log
	Names     *kafka.Names
	now       *view.Cluster
	keyframes []*view.Cluster // keyframes[i] shows the first i*keyframeEvery events
}

// NewRecording is an empty recording.
func NewRecording(names *kafka.Names) *Recording {
	return &Recording{Names: names, now: view.New(names), keyframes: []*view.Cluster{view.New(names)}}
}

// Consume implements event.Sink.
func (r *Recording) Consume(step *event.Step) {
	for i := range step.Events {
		e := &step.Events[i]
		r.Add(e, step.Records(e))
	}
}

// Add records one event and the records it speaks of.
func (r *Recording) Add(e *event.Event, ids []kafka.RecordID) {
	r.now.Apply(e, r.Log.Append(e, ids))
	if r.Log.Len()%keyframeEvery == 0 {
		r.keyframes = append(r.keyframes, r.now.Clone())
	}
}

// Len is the number of events.
func (r *Recording) Len() int { return r.Log.Len() }

// At is the picture after the first n events.
func (r *Recording) At(n int) *view.Cluster {
	n = max(0, min(n, r.Len()))
	from := n / keyframeEvery
	picture := r.keyframes[from].Clone()
	for _, e := range r.Log.Span(from*keyframeEvery, n) {
		picture.Apply(e, r.Log.Records(e))
	}
	return picture
}

// Forward folds the picture of some point on to the first n events; n must not lie before it.
func (r *Recording) Forward(picture *view.Cluster, n int) {
	for _, e := range r.Log.Span(int(picture.Seq()), n) {
		picture.Apply(e, r.Log.Records(e))
	}
}

// Find is the number of events up to and including the tick.
func (r *Recording) Find(t kafka.Tick) int {
	return sort.Search(r.Len(), func(i int) bool { return r.Log.At(i).At > t })
}
