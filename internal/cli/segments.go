package cli

import (
	"replog/internal/explain"
	"replog/internal/kafka"
	"replog/internal/player"
	"replog/internal/report"
)

// explainSegments tells why each segment of a partition is still there.
func (a *app) explainSegments(arg string, flags *explainFlags) error {
	t, err := a.tape(arg, &flags.choice)
	if err != nil {
		return err
	}
	disk := player.NewDisk(t)
	if disk == nil {
		return mistakef("name the scenario", "a trace does not tell the settings by which segments go")
	}
	p, err := partitionNamed(t.Names, flags.partition)
	if err != nil {
		return err
	}
	n, now := t.Len(), t.End
	if flags.at != "" {
		if n, err = startOf(t, "--at", flags.at); err != nil {
			return err
		}
		now = t.TickAt(n)
	}
	picture := t.At(n)
	moment := explain.Moment{Picture: picture, Log: &t.Log, Disk: disk.At(now)}
	broker := picture.Partition(p).Last
	a.printf("%s", report.Segments(moment.Segments(p, broker), p, broker, now, t.Names))
	return nil
}

// partitionNamed finds a partition by its name.
func partitionNamed(names *kafka.Names, name string) (kafka.PartitionID, error) {
	count := 0
	for _, topic := range names.Topics {
		count += topic.Partitions
	}
	for p := range kafka.PartitionID(count) {
		if names.Partition(p) == name {
			return p, nil
		}
	}
	return 0, mistakef("the partitions are "+names.Partition(0)+" to "+names.Partition(kafka.PartitionID(count-1)),
		"%s has no partition %s", names.Scenario, name)
}
