// Package sim is the cluster: it owns the tick, the queue of inputs, the network and chance, gives each node one input
// at a time and carries out what the node asks for.
//
// Within a tick the order is fixed: faults of the scenario, then messages that arrive, then timers, then what
// applications do; within a class the order in which things were scheduled. The lowest class that has work always goes
// next, so a message without latency arrives in the tick in which it was sent. Ticks without work cost nothing.
package sim
