package run

import (
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
	"replog/internal/view"
)

// aboutGroup reports an event of a consumer group, of a member of one, or of a broker that may coordinate one.
func aboutGroup(e event.Event) bool {
	return e.Kind >= event.GroupsLoaded && e.Kind <= event.EffectRefused || e.Kind == event.RecordsRead || e.Kind == event.OffsetReset ||
		e.Kind == event.BecameFollower || e.Kind == event.ReplicaOffline || e.Kind == event.BrokerCrashed || e.Kind == event.BrokerStopped
}

// compareGroups holds the groups of the fold against what their coordinators and their members know.
func (w *watcher) compareGroups() {
	for _, g := range w.picture.Groups().List() {
		if g.Host != kafka.NoNode {
			w.compareGroup(g)
		}
	}
	for i := range w.plan.Consumers {
		w.compareMember(w.plan.Consumers[i].ID)
	}
}

func (w *watcher) compareGroup(g view.Group) {
	hosted := w.cluster.Broker(g.Host).Groups(w.plan.Names.GroupHome(g.ID))
	if hosted == nil {
		w.t.Errorf("tick %d: the fold says that broker %d coordinates group %d, and it does not", w.cluster.Now(), g.Host, g.ID)
		return
	}
	truth, listed, told := hosted.Look(g.ID), []kafka.NodeID{}, w.picture.Groups().Members(g.ID)
	for _, m := range told {
		if m.Listed {
			listed = append(listed, m.ID)
		}
	}
	slices.Sort(truth.Members)
	if !slices.Equal(slices.Compact(truth.Members), listed) {
		w.t.Errorf("tick %d group %d: the fold has the members %v, the coordinator %v", w.cluster.Now(), g.ID, listed, truth.Members)
	}
	if g.Epoch != kafka.NoEpoch && int32(g.Epoch) != truth.Epoch && (len(listed) > 0 || truth.Epoch != 0) { // 0: forgotten
		w.t.Errorf("tick %d group %d: the fold is at generation or epoch %d, the coordinator at %d", w.cluster.Now(), g.ID, g.Epoch, truth.Epoch)
	}
	if truth.State != "" && truth.State != g.State.String() {
		w.t.Errorf("tick %d group %d: the fold says %v, the coordinator %s", w.cluster.Now(), g.ID, g.State, truth.State)
	}
	offsets := 0
	for _, p := range w.picture.Groups().Partitions(g.ID) {
		if o, is := truth.Offsets[p.Partition]; is {
			offsets++
			if o != p.Committed {
				w.t.Errorf("tick %d group %d partition %d: committed is %d, the fold says %d", w.cluster.Now(), g.ID, p.Partition, o, p.Committed)
			}
		} else if p.Committed != kafka.NoOffset {
			w.t.Errorf("tick %d group %d partition %d: nothing is committed, the fold says %d", w.cluster.Now(), g.ID, p.Partition, p.Committed)
		}
	}
	w.comparePending(g.ID, truth.Pending)
	if offsets != len(truth.Offsets) {
		w.t.Errorf("tick %d group %d: the fold has %d of the committed offsets %v", w.cluster.Now(), g.ID, offsets, truth.Offsets)
	}
}

func (w *watcher) comparePending(id kafka.GroupID, truth map[kafka.PartitionID][]kafka.Offset) {
	for _, p := range w.picture.Groups().Partitions(id) {
		var told []kafka.Offset
		for _, o := range p.Pending {
			told = append(told, o.Offset)
		}
		if !slices.Equal(told, truth[p.Partition]) {
			w.t.Errorf("tick %d group %d partition %d: pending are %v, the fold says %v", w.cluster.Now(), id, p.Partition, truth[p.Partition], told)
		}
		delete(truth, p.Partition)
	}
	if len(truth) > 0 {
		w.t.Errorf("tick %d group %d: the fold has none of the pending offsets %v", w.cluster.Now(), id, truth)
	}
}

// compareMember holds what a process believes to have, and where it stands, against the fold.
func (w *watcher) compareMember(id kafka.NodeID) {
	truth := w.cluster.Consumer(id)
	told, group, _ := w.picture.Groups().Member(id)
	if up := w.cluster.Up(id); up != (told.Process == view.ProcessUp || told.Process == view.ProcessFailed) {
		w.t.Errorf("tick %d: consumer %d is up=%v, the fold says %v", w.cluster.Now(), id, up, told.Process)
	}
	var claims []kafka.PartitionID
	for _, c := range w.picture.Groups().Claims(group) {
		if c.Member == id {
			claims = append(claims, c.Partition)
		}
	}
	if !slices.Equal(truth.Owned(), claims) {
		w.t.Errorf("tick %d: consumer %d has %v, the fold says %v", w.cluster.Now(), id, truth.Owned(), claims)
	}
	for _, p := range claims {
		// Without a position it is asking where to go on.
		if at := truth.Position(p); at != kafka.NoOffset && at != w.behindMarkers(p, w.picture.Position(id, p), at) {
			w.t.Errorf("tick %d: consumer %d stands at %d of partition %d, the fold says %d", w.cluster.Now(), id, at, p, w.picture.Position(id, p))
		}
	}
}

// behindMarkers is a position that the fold has, moved on over the transaction markers that follow, at most up to an offset: that a
// client reads over those nothing tells.
func (w *watcher) behindMarkers(p kafka.PartitionID, at, limit kafka.Offset) kafka.Offset {
	leader := w.picture.Partition(p).Leader
	for at != kafka.NoOffset && at < limit && w.picture.Logs().RecordAt(p, leader, at) == kafka.NoRecord {
		at++
	}
	return at
}
