package explain

import (
	"fmt"
	"slices"

	"replog/internal/event"
	"replog/internal/kafka"
)

// sentence tells what the events of a group have in common.
func (d *digest) sentence(g *group) string {
	names := d.names
	switch g.kind {
	case event.RunStarted:
		return fmt.Sprintf("the run begins; %s %s up.", count(int(g.first.Count), "broker"), verb(int(g.first.Count), "is", "are"))
	case event.FaultBegan:
		return names.Fault(g.first.Value) + "."
	case event.FaultEnded:
		return "this is over: " + names.Fault(g.first.Value) + "."
	case event.BrokerCrashed:
		return fmt.Sprintf("%s is dead: what it had not sent is lost, and its connections close.", names.Node(g.node))
	case event.BrokerStopped:
		return fmt.Sprintf("%s has stopped in good order.", names.Node(g.node))
	case event.ControlledShutdownBegan:
		return fmt.Sprintf("%s wants to stop; the controller takes it out of every ISR and leadership first.", names.Node(g.node))
	case event.ELRChanged:
		if g.joined == 0 {
			return fmt.Sprintf("%s needs no eligible leader replicas any more.", d.partitionList(g.partitions))
		}
		return fmt.Sprintf("%s may still lead %s, with all that was committed (ELR).", brokers(g.joined, d.names), d.partitionList(g.partitions))
	case event.LogTailLost:
		return fmt.Sprintf("%s loses the end of its log of %s: it had not reached the disk.", names.Node(g.node), d.partitionList(g.partitions))
	case event.ReplicaOffline:
		return fmt.Sprintf("%s loses what it had of %s, with the log directory; its other directories go on.", names.Node(g.node),
			d.partitionList(g.partitions))
	case event.LogDirReported:
		return fmt.Sprintf("the controller hears that a log directory of %s has failed.", names.Node(g.node))
	case event.BrokerRestarted:
		return fmt.Sprintf("%s starts again with the log on its disk.", names.Node(g.node))
	case event.BrokerFenced:
		return fmt.Sprintf("the controller notices and fences %s: no heartbeat since %s, and broker.session.timeout.ms has passed.",
			names.Node(g.node), names.Clock(kafka.Tick(g.first.Value)))
	case event.LeaderElected, event.PartitionOffline, event.ISRChanged, event.UncleanLeaderElected:
		return d.partitionSentence(g)
	case event.MessageHeld, event.MessageDropped, event.MessageDelayed, event.MessageDuplicated, event.ConnectionBroken:
		return d.messageSentence(g)
	case event.ConnectionSilenced:
		return fmt.Sprintf("the %s of %s to %s %s silent.", verb(g.events, "connection", "connections"), d.who(g),
			names.Node(g.node), verb(g.events, "goes", "go"))
	case event.ProducerRestarted:
		return fmt.Sprintf("%s %s anew, with another producer id.", d.who(g), verb(len(g.actors), "starts", "start"))
	case event.ProducerEpochBumped:
		return fmt.Sprintf("%s %s the producer epoch for %s: earlier batches can not be recognised any more.", d.who(g),
			verb(len(g.actors), "raises", "raise"), d.partitionList(g.partitions))
	case event.ProducerFailed:
		return fmt.Sprintf("%s %s in a fatal state after %v and %s no order any more.", d.who(g), verb(len(g.actors), "is", "are"),
			g.code, verb(len(g.actors), "takes", "take"))
	case event.AnswerRewritten:
		return fmt.Sprintf("a fault has %s answer %v for %s.", names.Node(g.node), g.code, d.partitionList(g.partitions))
	case event.LogTruncated:
		return fmt.Sprintf("%s cuts back %s, where its leader has something else.", names.Node(g.node), d.partitionList(g.partitions))
	case event.OffsetReset:
		return fmt.Sprintf("%s stands at an offset that %s does not have, and goes on elsewhere.",
			names.Node(g.node), d.partitionList(g.partitions))
	case event.ProduceRequestTimedOut:
		return fmt.Sprintf("%s waited for an answer of %s in vain.", d.who(g), names.Node(g.node))
	case event.AnswerOutOfTurn:
		return fmt.Sprintf("%s %s an answer of %s out of turn.", d.who(g), verb(len(g.actors), "gets", "get"), names.Node(g.node))
	}
	return d.recordSentence(g)
}

// recordSentence is for the groups that count records.
func (d *digest) recordSentence(g *group) string {
	ids := distinct(g.records)
	what := theOrders(ids, d.names)
	switch g.kind {
	case event.ProduceRetryScheduled:
		if g.code == kafka.NetworkException && len(ids) > 1 && 0 < g.stored && g.stored < len(ids) {
			return fmt.Sprintf("%s %s. %s; the others no broker had read yet. They will all be sent again.", d.who(g),
				unanswered(g, what), capital(verb(g.stored, fmt.Sprint(g.stored, " of them is stored"), fmt.Sprint(g.stored, " of them are stored"))))
		}
		return fmt.Sprintf("%s %s, and will send %s again.", d.who(g), unanswered(g, what), verb(len(ids), "it", "them"))
	case event.RecordsResent:
		return fmt.Sprintf("the application hands %s over again.", what)
	case event.RecordsFailed:
		return fmt.Sprintf("%s %s up %s (%v) and %s the application of a failure.",
			d.who(g), verb(len(g.actors), "gives", "give"), what, g.code, verb(len(g.actors), "tells", "tell"))
	case event.ProduceRefused:
		return fmt.Sprintf("%s %s %s: %v, nothing is written.", d.who(g), verb(len(g.actors), "refuses", "refuse"), what, g.code)
	case event.DuplicateRecognised:
		repeated := "the retries"
		if g.doubled {
			repeated = "the second arrival"
		}
		return fmt.Sprintf("%s %s %s of %s by producer id and sequence, and %s nothing a second time.",
			d.who(g), verb(len(g.actors), "recognises", "recognise"), repeated, what, verb(len(g.actors), "stores", "store"))
	case event.BatchAppended:
		why := "the producers sent again what they had no answer for"
		if !slices.ContainsFunc(g.peers, func(id kafka.NodeID) bool { return !isFed(d.names, id) }) {
			why = "a processor made " + verb(len(distinct(g.records)), "it", "them") + " again"
		}
		if g.doubled {
			why = "the requests arrived twice"
		}
		return fmt.Sprintf("%s %s a second copy of %s: %s.", d.who(g), verb(len(g.actors), "stores", "store"), what, why)
	case event.RecordsRead:
		return fmt.Sprintf("%s shows %s a second time.", d.names.Node(g.node), what)
	}
	if g.id != kafka.NoTransactionalID {
		return d.transactionSentence(g)
	}
	return d.groupSentence(g)
}

// unanswered says what several producers have instead of an answer that they can use.
func unanswered(g *group, what string) string {
	n := len(g.actors)
	switch g.code {
	case kafka.NetworkException:
		return verb(n, "loses its connection", "lose their connections") + " with " + what + " unanswered"
	case kafka.RequestTimedOut:
		return verb(n, "has", "have") + " no answer in time for " + what
	}
	return verb(n, "gets ", "get ") + g.code.String() + " for " + what
}

// partitionSentence tells of elections and ISRs.
func (d *digest) partitionSentence(g *group) string {
	list := d.partitionList(g.partitions)
	switch {
	case g.kind == event.PartitionOffline:
		return fmt.Sprintf("no live member of the ISR of %s is left: no leader.", list)
	case g.kind == event.UncleanLeaderElected:
		return fmt.Sprintf("no member of the ISR of %s is alive; an unclean election takes %s all the same, and gives up what it does not hold.",
			list, d.names.Node(g.node))
	case g.kind == event.LeaderElected && g.events == 1:
		return fmt.Sprintf("the controller makes %s%s the leader of %s, in leader epoch %d.", d.names.Node(g.node), g.odd, list, g.first.Epoch)
	case g.kind == event.LeaderElected:
		return fmt.Sprintf("the controller makes %s%s the leader of %s.", d.names.Node(g.node), g.odd, list)
	case g.joined == 0:
		return fmt.Sprintf("%s %s the ISR of %s.", brokers(g.left, d.names), verb(g.left.Len(), "leaves", "leave"), list)
	case g.left == 0:
		return fmt.Sprintf("%s%s %s the ISR of %s.", brokers(g.joined, d.names), g.odd, verb(g.joined.Len(), "joins", "join"), list)
	}
	return fmt.Sprintf("the ISR of %s changes.", list)
}

func (d *digest) messageSentence(g *group) string {
	messages := fmt.Sprintf("%d %s", g.events, g.about)
	if g.events > 1 {
		messages += "s"
	}
	from := "clients"
	if g.node != kafka.NoNode {
		from = d.names.Node(g.node)
	}
	switch g.kind {
	case event.MessageHeld:
		if g.events == 1 {
			return fmt.Sprintf("%s gets stuck inside %s.", messages, from)
		}
		return fmt.Sprintf("%s get stuck inside %s, the first of them now.", messages, from)
	case event.MessageDropped:
		return fmt.Sprintf("%s from %s %s lost on the way, and neither side learns of it.", messages, from, verb(g.events, "is", "are"))
	case event.ConnectionBroken:
		return fmt.Sprintf("%s from %s %s lost as %s.", messages, from, verb(g.events, "is", "are"),
			verb(g.events, "its connection breaks", "their connections break"))
	case event.MessageDelayed:
		return fmt.Sprintf("%s from %s %s longer.", messages, from, verb(g.events, "takes", "take"))
	}
	return fmt.Sprintf("%s from %s %s twice.", messages, from, verb(g.events, "arrives", "arrive"))
}

// who names the actors of a group: one by name, several as a number of their common group.
func (d *digest) who(g *group) string {
	if len(g.actors) == 1 {
		return d.names.Node(g.actors[0])
	}
	group := d.names.Group(g.actors[0])
	for _, id := range g.actors {
		if g.actors[0].IsBroker() {
			return count(len(g.actors), "broker")
		}
		if d.names.Group(id) != group {
			return count(len(g.actors), "producer")
		}
	}
	return fmt.Sprintf("%s of %s", count(len(g.actors), "producer"), group)
}

// maxPartitions is how many partitions a sentence names one by one.
const maxPartitions = 6

func (d *digest) partitionList(partitions []kafka.PartitionID) string {
	if len(partitions) > maxPartitions {
		return count(len(partitions), "partition")
	}
	var words []string
	for _, p := range partitions {
		words = append(words, d.names.Partition(p))
	}
	return series(words)
}

func distinct(ids []kafka.RecordID) []kafka.RecordID {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
