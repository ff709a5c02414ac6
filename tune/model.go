package tune

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/weftgpu/weft/target"
)

// Work is what a config makes a machine do, as far as it can be known before it is compiled. The zero
// value of a field stands for nothing of it.
type Work struct {
	Programs int // workgroups
	Threads  int // of each; 0 counts as 128
	// Registers and Shared limit how many programs run on a multiprocessor at a time: 32-bit
	// registers of a thread, and bytes of shared memory of a program.
	Registers int
	Shared    int

	Memory  float64 // bytes that come from and go to memory, each once however often it is used nearby
	Cache   float64 // bytes that programs ask of the second-level cache, each time they do
	Staged  float64 // bytes that cross shared memory
	Flops   float64 // operations, a multiplication and addition being two, on ordinary units
	Matrix  float64 // operations on matrix units, where the device has them for the type
	Access  int     // bytes of one access of a thread to memory; 0 counts as 16
	Flight  int     // bytes that a thread loads at a time, before it waits; 0 counts as two accesses
	Chain   int     // loads that a program waits for one after the other
	Passes  int     // launches; 0 counts as 1
	Penalty float64 // a factor on the whole for what is nowhere else; 0 counts as 1
}

// Machine is what the model knows of a kind of devices. Rates are per second. What counts is how they
// compare, since a model ranks configs: they are those of a large GPU where the
// device does not tell its own.
type Machine struct {
	Multiprocessors int
	Resident        int     // threads of a multiprocessor at a time
	Registers       int     // of a multiprocessor
	Shared          int     // bytes of a multiprocessor, 0 where programs have none
	Memory, Cache   float64 // bytes
	Staged          float64
	Flops, Matrix   float64
	Latency         float64 // seconds of a load
	Launch          float64 // seconds of a launch, and of starting a program
	Program         float64
}

// MachineFor is the machine behind capabilities.
//
// The GPU is an H200 (NVIDIA H200 data sheet; latencies and the bandwidth of its second-level cache as
// measured by Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU Architecture via
// Microbenchmarking, 2024, rounded). The CPU is one whose programs are goroutines of the interpreter.
func MachineFor(caps target.Caps) Machine {
	switch {
	case caps.Language == target.TileIR:
		return Machine{Multiprocessors: runtime.GOMAXPROCS(0), Resident: 1, Memory: 20e9, Cache: 100e9, Staged: 100e9, Flops: 20e9, Matrix: 100e9,
			Latency: 2e-7, Launch: 2e-6, Program: 3e-6}
	case caps.Registers > 0 && caps.Registers < 64: // a driver on the host: threads are vector lanes
		return Machine{Multiprocessors: 8, Resident: 256, Registers: 256 * caps.Registers, Shared: caps.SharedBytes,
			Memory: 20e9, Cache: 50e9, Staged: 50e9, Flops: 50e9, Matrix: 50e9, Latency: 1e-7, Launch: 2e-5, Program: 2e-6}
	}
	m := Machine{Multiprocessors: 132, Resident: 2048, Registers: 1 << 16, Shared: 228 << 10,
		Memory: 4.4e12, Cache: 8e12, Staged: 30e12, Flops: 55e12, Matrix: 55e12, Latency: 8e-7, Launch: 2e-6, Program: 2e-7}
	if caps.Language == target.CUDA {
		m.Matrix = 400e12
	}
	return m
}

// Seconds estimates how long the work takes: as long as the slowest of the machine's parts needs
// (Williams et al., Roofline, 2009), where a machine that is not full, in the last wave of programs or
// in all of them, is slower by as much as is idle, and loads that nothing hides come on top.
func (m Machine) Seconds(w Work) float64 {
	w = w.withDefaults()
	if w.Programs <= 0 {
		return m.Launch
	}
	resident := m.resident(w)
	slots := resident * m.Multiprocessors
	waves := math.Ceil(float64(w.Programs) / float64(slots))
	busy := float64(w.Programs) / (waves * float64(slots)) // of the slots, while it lasts

	// A few programs use as much of the memory as they have loads in flight.
	inFlight := float64(min(w.Programs, slots)*w.Threads) * m.flight(w)
	reach := min(1, inFlight/(m.Memory*m.Latency))
	occupancy := float64(min(w.Programs, slots)*w.Threads) / float64(m.Multiprocessors*m.Resident)
	arithmetic := min(1, busyProcessors(w.Programs, slots, resident, m.Multiprocessors)) * min(1, 0.4+4*occupancy)

	memory := w.Memory / (m.Memory * reach * width(w.Access))
	cache := w.Cache / (m.Cache * min(1, 2*reach) * width(w.Access))
	staged := w.Staged / (m.Staged * arithmetic)
	flops := (w.Flops/m.Flops + w.Matrix/m.Matrix) / arithmetic
	parts := []float64{memory, cache, staged, flops}
	slices.Sort(parts)
	// What is not the longest is hidden but in part.
	longest := parts[3] + 0.15*(parts[0]+parts[1]+parts[2])
	tail := max(0.5+0.5/max(busy, 0.05), 1)
	if float64(w.Programs) < float64(slots) { // one wave, whose idle slots are counted above
		tail = 1
	}
	latency := waves * float64(w.Chain) * m.Latency / min(float64(resident)*float64(w.Threads)/128, 8)
	start := waves * float64(resident) * m.Program / 4
	return (longest*tail + latency + start + float64(w.Passes)*m.Launch) * w.Penalty
}

func (w Work) withDefaults() Work {
	for _, f := range []struct {
		field *int
		value int
	}{{&w.Threads, 128}, {&w.Access, 16}, {&w.Passes, 1}, {&w.Chain, 1}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	if w.Penalty == 0 {
		w.Penalty = 1
	}
	return w
}

// flight is how many bytes a thread has in flight.
func (m Machine) flight(w Work) float64 {
	switch {
	case m.Resident == 1:
		return 1 << 20 // a program of the interpreter copies whole tiles
	case w.Flight > 0:
		return float64(min(w.Flight, 8*w.Access))
	}
	return float64(2 * w.Access)
}

// resident is how many programs a multiprocessor runs at a time.
func (m Machine) resident(w Work) int {
	n := max(1, m.Resident/w.Threads)
	if m.Resident == 1 {
		return 1
	}
	if w.Registers > 0 && m.Registers > 0 {
		n = min(n, m.Registers/(w.Registers*w.Threads))
	}
	if w.Shared > 0 && m.Shared > 0 {
		n = min(n, m.Shared/w.Shared)
	}
	return max(1, min(n, 32))
}

// busyProcessors is the part of the multiprocessors that have a program, on the average of the waves.
func busyProcessors(programs, slots, resident, processors int) float64 {
	if programs >= slots {
		return 1
	}
	// A program runs faster where it is alone: programs spread over multiprocessors first.
	return float64(min(programs, processors)) / float64(processors)
}

// width is what narrow accesses reach of a bandwidth.
func width(access int) float64 {
	switch {
	case access >= 8:
		return 1
	case access >= 4:
		return 0.9
	case access >= 2:
		return 0.6
	}
	return 0.35
}

// Rank lists the legal configs for a problem, those first that should be the fastest.
func (s *Space[P, C]) Rank(caps target.Caps, p P) []C {
	type ranked struct {
		config  C
		seconds float64
	}
	machine := MachineFor(caps)
	var list []ranked
	seen := map[C]bool{}
	for c := range s.List(caps, p) {
		if seen[c] || s.legal(caps, p, c) != nil {
			continue
		}
		seen[c] = true
		r := ranked{config: c}
		if s.Work != nil {
			r.seconds = machine.Seconds(s.Work(caps, p, c))
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.seconds, b.seconds) })
	configs := make([]C, len(list))
	for i, r := range list {
		configs[i] = r.config
	}
	return configs
}
