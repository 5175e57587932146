package run

import (
	"slices"
	"testing"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/plan"
	"replog/internal/sim"
	"replog/internal/view"
	"replog/scenarios"
)

// tooManyToKeep is the number of records from which on a test does not keep all events of a run.
const tooManyToKeep = 200_000

// everyVariant runs a test for each variant of each scenario that the program carries.
func everyVariant(t *testing.T, test func(t *testing.T, p *plan.Plan)) {
	for _, name := range scenarios.Paths() {
		file := load(t, name)
		for _, variant := range file.Variants() {
			t.Run(name+"/"+variant, func(t *testing.T) {
				p, err := file.Plan(variant, nil)
				if err != nil {
					t.Fatal(err)
				}
				if p.Names.RecordCount() > tooManyToKeep {
					t.Skip("its events would not fit; TestWeekOfOrders runs it")
				}
				test(t, p)
			})
		}
	}
}

// TestFoldIsWhatTheClusterKnows holds the fold of the events against the simulator: after each step the partitions that
// the step touched, every 4096 events and at the end everything.
func TestFoldIsWhatTheClusterKnows(t *testing.T) {
	t.Parallel()
	everyVariant(t, func(t *testing.T, p *plan.Plan) {
		picture := view.New(p.Names)
		w := &watcher{t: t, plan: p, picture: picture}
		w.cluster = sim.New(p, event.Sinks{picture, w})
		for w.cluster.Step() && !t.Failed() {
			w.look()
		}
		w.full()
	})
}

// watcher notes which partitions a step touched.
type watcher struct {
	t       *testing.T
	plan    *plan.Plan
	picture *view.Cluster
	cluster *sim.Cluster
	touched []kafka.PartitionID
	events  int
	groups  bool // some event since the last look was about a group
}

func (w *watcher) Consume(step *event.Step) {
	for i := range step.Events {
		if e := &step.Events[i]; e.Kind.Spec().Fields&event.Partition != 0 {
			w.touched = append(w.touched, e.Partition)
		}
	}
	w.events += len(step.Events)
	w.groups = w.groups || slices.ContainsFunc(step.Events, aboutGroup)
}

func (w *watcher) look() {
	if w.events >= 4096 {
		w.events = 0
		w.full()
	}
	slices.Sort(w.touched)
	for _, id := range slices.Compact(w.touched) {
		w.compare(id, false)
	}
	w.touched = w.touched[:0]
	if w.groups {
		w.groups = false
		w.compareGroups()
	}
}

func (w *watcher) full() {
	for id := range w.plan.Partitions {
		w.compare(kafka.PartitionID(id), true)
	}
	w.compareGroups()
	for _, b := range w.picture.Brokers() {
		if up := w.cluster.Up(b.ID); b.Up != up {
			w.t.Errorf("%v: the fold says up=%v, the cluster %v", w.cluster.Now(), b.Up, up)
		}
	}
}

func (w *watcher) compare(id kafka.PartitionID, records bool) {
	truth, told := w.cluster.Controller().Partition(id), w.picture.Partition(id)
	if truth.Leader != told.Leader || truth.ISR != told.ISR || truth.ELR != told.ELR || truth.LeaderEpoch != told.Epoch {
		w.t.Errorf("tick %d partition %d: the fold says %+v, the controller %+v", w.cluster.Now(), id, told, truth)
	}
	for _, broker := range w.plan.Partitions[id].Replicas {
		truth, there := w.cluster.Broker(broker).Replica(id)
		told, found := w.picture.Replica(id, broker)
		if !there && !found {
			continue // the topic has not got it yet
		}
		if !found || truth.LogStart != told.LogStart || truth.LogEnd != told.LogEnd || truth.HighWatermark != told.HighWater && w.cluster.Up(broker) {
			w.t.Errorf("tick %d partition %d broker %d: the fold says %+v, the broker %+v", w.cluster.Now(), id, broker, told, truth)
		}
		if stable := w.picture.LastStable(id, broker); truth.Leading && stable != truth.LastStable {
			w.t.Errorf("tick %d partition %d broker %d: last stable offset %d, the fold says %d", w.cluster.Now(), id, broker, truth.LastStable, stable)
		}
		if w.cluster.Up(broker) && (truth.Fetchers > 1 || truth.Fetchers > 0 && (truth.Leading || truth.Offline)) {
			w.t.Errorf("tick %d partition %d broker %d: a replica that leads (%v) is fetched from %d brokers (FetcherState)",
				w.cluster.Now(), id, broker, truth.Leading, truth.Fetchers)
		}
		if w.cluster.Up(broker) && truth.Offline != told.Offline {
			w.t.Errorf("tick %d partition %d broker %d: offline %v, the fold says %v", w.cluster.Now(), id, broker, truth.Offline, told.Offline)
		}
		if cleaned := w.picture.Logs().CleanedTo(id, broker); cleaned != truth.CleanedTo {
			w.t.Errorf("tick %d partition %d broker %d: cleaned to %d, the fold says %d", w.cluster.Now(), id, broker, truth.CleanedTo, cleaned)
		}
		if w.cluster.Up(broker) && truth.Leading != (told.Role == view.Leader) {
			w.t.Errorf("tick %d partition %d broker %d: leads %v, the fold says %v", w.cluster.Now(), id, broker, truth.Leading, told.Role)
		}
		if records {
			w.compareRecords(id, broker)
		}
	}
}

func (w *watcher) compareRecords(id kafka.PartitionID, broker kafka.NodeID) {
	var told []kafka.RecordID
	start, end := w.picture.Logs().Bounds(id, broker)
	for _, piece := range w.picture.Logs().Slices(id, broker, start, end) {
		told = append(told, piece...)
	}
	if truth := w.cluster.Broker(broker).Records(id); !slices.Equal(truth, told) {
		w.t.Errorf("tick %d partition %d broker %d: the fold's log differs from the broker's", w.cluster.Now(), id, broker)
	}
	segments := w.picture.Logs().Segments(id, broker, w.plan.Names)
	for i, truth := range w.cluster.Broker(broker).Segments(id) {
		if i >= len(segments) || segments[i].Base != truth.BaseOffset || segments[i].Size.Bytes() != truth.Bytes {
			w.t.Errorf("tick %d partition %d broker %d: the fold says %+v, the broker %+v", w.cluster.Now(), id, broker, segments, truth)
			return
		}
	}
}
