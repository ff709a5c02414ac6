package simtpass

import (
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// hopper is the only architecture with tensor maps, which producers need.
var hopper = target.ArchitectureOf(target.Hopper)

// How many registers threads have whose roles have numbers of their own, multiples of 8.
const (
	mostRegisters  = 240
	leastRegisters = 24
	clusterCopies  = 40 // of a thread that copies for its cluster, too: with 32 ptxas spills them
	spareRegisters = 48 // together with the accumulators
)

// registers divides the registers between the roles of a kernel: the producer needs few, which leaves more to the
// consumers. As many workgroups as there is room for, up to 256 threads or to the number that the schedule asks for, share a multiprocessor.
func registers(r *Context) {
	k := r.Kernel
	if k.Producers == 0 {
		return
	}
	sums := 0 // that cannot leave the registers
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind == simt.GroupWait {
			sums = max(sums, 4*len(op.Out))
		}
	})
	start := func(workgroups int) int { return hopper.Registers / workgroups / k.LaunchThreads() / 8 * 8 }
	workgroups := k.Resident
	if workgroups == 0 {
		workgroups = max(1, 256/k.ConsumerThreads())
	}
	for workgroups > 1 && (start(workgroups) < sums+spareRegisters || workgroups*(k.SharedBytes()+target.SystemShared) > hopper.Shared) {
		workgroups--
	}
	few := leastRegisters
	if copiesTogether(k) {
		few = clusterCopies
	}
	all := min(start(workgroups), mostRegisters) * k.LaunchThreads()
	k.Resident = workgroups
	if k.Producers >= simt.WarpgroupMMA.Threads { // a warpgroup has to agree on its registers
		k.Registers = simt.Registers{Producer: few, Consumer: min((all-few*k.Producers)/k.ConsumerThreads()/8*8, mostRegisters)}
	}
}
