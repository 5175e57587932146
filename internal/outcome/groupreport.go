package outcome

import (
	"strconv"

	"replog/internal/kafka"
)

// GroupReport is what a consumer group came to, as reports print it.
type GroupReport struct {
	Group          string                 `json:"group"`
	EffectsTwice   []string               `json:"effects_twice"`
	EffectsByTwo   []string               `json:"effects_by_two"`
	EffectsRefused []string               `json:"effects_refused"`
	Reread         []string               `json:"reread"`
	PassedOver     []string               `json:"passed_over"`
	Cut            []string               `json:"read_then_cut"`
	Unread         []string               `json:"unread"`
	Done           int                    `json:"done"`
	Idle           []string               `json:"idle"` // members without a partition
	Rebalances     int                    `json:"rebalances"`
	Fenced         int                    `json:"fenced"`
	CommitsRefused int                    `json:"commits_refused"`
	CommitsFailed  int                    `json:"commits_failed"`
	Partitions     []GroupPartitionReport `json:"partitions"`
}

// GroupPartitionReport is GroupPartition with names.
type GroupPartitionReport struct {
	Partition string       `json:"partition"`
	Owner     string       `json:"owner,omitempty"` // none: nobody reads it
	Moved     int          `json:"moved"`
	Stops     int          `json:"standstills"`
	StandMs   float64      `json:"standstill_ms"`
	End       kafka.Offset `json:"end"` // the high watermark
	Committed LagReport    `json:"committed"`
	Position  LagReport    `json:"position"`
	Unread    int          `json:"unread"`
}

// LagReport is a Lag in records and milliseconds; without an offset there is no lag.
type LagReport struct {
	Offset *kafka.Offset `json:"offset"`
	Lag    int64         `json:"lag"`
	LagMs  float64       `json:"lag_ms"`
}

func (o *Outcome) groups() []GroupReport {
	var reports []GroupReport
	for i := range o.Groups {
		g := &o.Groups[i]
		r := GroupReport{
			Group: o.Names.ConsumerGroup(g.ID), EffectsTwice: o.recordNames(g.EffectsTwice), EffectsByTwo: o.recordNames(g.EffectsByTwo),
			EffectsRefused: o.recordNames(g.EffectsRefused), Reread: o.recordNames(g.Reread), PassedOver: o.recordNames(g.PassedOver),
			Cut: o.recordNames(g.Cut), Unread: o.recordNames(g.Unread),
			Rebalances: g.Rebalances, Fenced: g.Fenced, CommitsRefused: g.CommitsRefused, CommitsFailed: g.CommitsFailed,
			Done: g.Done, Idle: []string{}, Partitions: []GroupPartitionReport{},
		}
		for _, m := range g.Idle {
			r.Idle = append(r.Idle, o.Names.Node(m))
		}
		for _, p := range g.Partitions {
			one := GroupPartitionReport{
				Partition: o.Names.Partition(p.Partition), Moved: p.Moved, Stops: p.Stops, StandMs: o.ms(p.Standing), End: p.End, Unread: p.Unread,
				Committed: o.lagReport(p.Committed), Position: o.lagReport(p.Position),
			}
			if p.Owner != kafka.NoNode {
				one.Owner = o.Names.Node(p.Owner)
			}
			r.Partitions = append(r.Partitions, one)
		}
		reports = append(reports, r)
	}
	return reports
}

func (o *Outcome) lagReport(l Lag) LagReport {
	if l.Offset == kafka.NoOffset {
		return LagReport{}
	}
	return LagReport{Offset: &l.Offset, Lag: l.Records, LagMs: o.ms(l.Time)}
}

// idleGroups says of which records the groups have not read yet, and who is to read them.
func (f *Fold) idleGroups(groups []Group) []string {
	var sentences []string
	for i := range groups {
		var owners []kafka.NodeID
		unread := map[kafka.NodeID]int{}
		where := map[kafka.NodeID][]kafka.PartitionID{}
		for _, p := range groups[i].Partitions {
			if p.Unread == 0 {
				continue
			}
			if unread[p.Owner] == 0 {
				owners = append(owners, p.Owner)
			}
			unread[p.Owner] += p.Unread
			where[p.Owner] = append(where[p.Owner], p.Partition)
		}
		for _, owner := range owners {
			who := f.names.Node(owner)
			if owner == kafka.NoNode {
				who = "nobody"
			}
			records := " records"
			if unread[owner] == 1 {
				records = " record"
			}
			sentences = append(sentences, "group "+f.names.ConsumerGroup(groups[i].ID)+" has "+strconv.Itoa(unread[owner])+records+
				" to read, of partitions that "+who+" has ("+f.partitionNames(where[owner])+")")
		}
	}
	return sentences
}
