package run

import (
	"testing"

	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/sim"
	"replog/internal/view"
)

// TestRecordingAtIsTheFold compares the picture of a seek with the one of a walk, at every mark and around keyframes.
func TestRecordingAtIsTheFold(t *testing.T) {
	t.Parallel()
	everyVariant(t, func(t *testing.T, p *plan.Plan) {
		r := NewRecording(p.Names)
		if err := sim.New(p, r).Run(); err != nil {
			t.Fatal(err)
		}
		walk := view.New(p.Names)
		for n := 1; n <= r.Len(); n++ {
			r.Forward(walk, n)
			near := n % keyframeEvery
			if !r.Log.At(n-1).Kind.Spec().Mark && near > 1 && near < keyframeEvery-1 {
				continue
			}
			seek := r.At(n)
			if seek.Seq() != walk.Seq() || seek.Tick() != walk.Tick() {
				t.Fatalf("after %d events the seek is at %d, the walk at %d", n, seek.Seq(), walk.Seq())
			}
			for id := range p.Partitions {
				for _, broker := range p.Partitions[id].Replicas {
					a, _ := seek.Replica(kafka.PartitionID(id), broker)
					b, _ := walk.Replica(kafka.PartitionID(id), broker)
					if a != b {
						t.Fatalf("after %d events partition %d broker %d: seek %+v, walk %+v", n, id, broker, a, b)
					}
				}
			}
		}
	})
}
