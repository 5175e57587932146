// Package view is what a person sees of a cluster: a fold of the events of a run, and nothing else. Applying the first n
// events gives the picture after event n; there is no undo, a step back is a clone of an earlier picture folded forward.
//
// Its one rule: a Cluster knows only what events told it, so what stands on the screen can be traced to one of them.
// It asks no simulator, decides nothing, and does not draw.
package view
