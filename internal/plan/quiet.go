package plan

import "replog/internal/kafka"

// QuietUntil is up to when nothing but loads and timers of the brokers happens. Some rounds before the first fault the
// polls are real again, so that it meets them where they would be. A latency that is drawn makes every message count: then
// no poll may be left out.
func (p *Plan) QuietUntil() kafka.Tick {
	if p.Broker.IdlePolling || p.Latency.Min != p.Latency.Max {
		return 0
	}
	for i := range p.Brokers {
		if p.Brokers[i].DeadFromStart {
			return 0
		}
	}
	if len(p.Faults) == 0 {
		return kafka.Never
	}
	wait := p.Broker.ReplicaFetchWait
	for i := range p.Readers {
		wait = max(wait, p.Readers[i].Config.FetchWait)
	}
	return max(0, p.Faults[0].At-4*(wait+2*p.Latency.Max))
}
