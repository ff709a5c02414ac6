package tune

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
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
	Extra   float64 // operations on ordinary units in addition to those, as far as they can be guessed: addresses, conversions
	Matrix  float64 // operations on matrix units, where the device has them for the type, as so many of F16
	Access  int     // bytes of one access of a thread to memory; 0 counts as 16
	Flight  int     // bytes that a thread loads at a time, before it waits; 0 counts as two accesses
	Chain   int     // loads that a program waits for one after the other
	Async   bool    // whether loads are asynchronous copies, which go on while the arithmetic does
	Passes  int     // launches; 0 counts as 1
	Penalty float64 // a factor on the whole for what is nowhere else; 0 counts as 1
}

// Machine is what the model knows of a kind of devices. Rates are per second, and sustained: what long kernels reach.
type Machine struct {
	Name            string // whose facts these are
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
	Tells           Meaning // what estimates with these facts are, at best
}

// Meaning says what an estimated time is.
type Meaning uint8

const (
	// Expected is the time that a launch should take.
	Expected Meaning = iota
	// Bound is the least time on the machine whose facts are known: on others, in languages that say less of how
	// a device is used, and where launching takes longest, it may take much longer.
	Bound
	// Ranking is no time, but a number by which configs compare.
	Ranking
)

var meanings = [...]string{"expected", "bound", "ranking"}

// MarshalText prints "expected", "bound" or "ranking".
func (m Meaning) MarshalText() ([]byte, error) { return []byte(meanings[m]), nil }

// UnmarshalText reads what MarshalText prints.
func (m *Meaning) UnmarshalText(text []byte) error {
	i := slices.Index(meanings[:], string(text))
	if i < 0 {
		return fault.New(fault.ErrArgument, "tune", "the meaning of an estimate is %q, want one of %s", text, strings.Join(meanings[:], ", "))
	}
	*m = Meaning(i)
	return nil
}

// MachineFor is the machine behind capabilities.
//
// The GPU is target.Reference, with what is sustained of its rates. The CPU is one whose programs are goroutines of the interpreter.
func MachineFor(caps target.Caps) Machine {
	switch {
	case caps.Language == target.TileIR:
		return Machine{Name: "a CPU", Multiprocessors: runtime.GOMAXPROCS(0), Resident: 1, Memory: 20e9, Cache: 100e9, Staged: 100e9, Flops: 20e9, Matrix: 100e9,
			Latency: 2e-7, Launch: 2e-6, Program: 3e-6, Tells: Ranking}
	case caps.Registers > 0 && caps.Registers < 64: // a driver on the host: threads are vector lanes
		return Machine{Name: "a software driver", Multiprocessors: 8, Resident: 256, Registers: 256 * caps.Registers, Shared: caps.SharedBytes,
			Memory: 20e9, Cache: 50e9, Staged: 50e9, Flops: 50e9, Matrix: 50e9, Latency: 1e-7, Launch: 2e-5, Program: 2e-6, Tells: Ranking}
	}
	r := &target.Reference
	m := Machine{Name: r.Name, Multiprocessors: r.Multiprocessors, Resident: r.Resident, Registers: r.Registers, Shared: r.Shared,
		Memory: r.MemorySustained * r.Memory, Cache: r.Cache, Staged: r.Staged, Flops: r.FlopsSustained * r.Flops, Matrix: r.FlopsSustained * r.Flops,
		Latency: r.Latency, Launch: r.Launch, Program: r.Program}
	if caps.Language == target.CUDA {
		m.Matrix = r.MatrixSustained * r.Matrix
	}
	if caps.Language != target.CUDA || !caps.WarpGroups { // on another GPU, or on one that is not known
		m.Tells = Bound
	}
	return m
}

// Estimate is what the model makes of a config.
type Estimate struct {
	Seconds float64
	// Least is what memory and arithmetic need at the data sheet's rates.
	Least   float64
	Meaning Meaning
	// Waves is how often the multiprocessors are filled with programs, 2.1 being two times and a tenth of a third.
	Waves float64
	// Resident is how many programs a multiprocessor runs at a time.
	Resident int
	// Limit is what takes longest: "memory", "cache", "shared memory", "arithmetic", or "launch" where launching is more
	// than a third of the time.
	Limit string
}

// Seconds is how long the work takes by Estimate.
func (m Machine) Seconds(w Work) float64 { return m.Estimate(w).Seconds }

// exposed is what is not hidden of the parts that do not take longest, where threads wait for what they load.
const exposed = 0.15

// Estimate estimates how long the work takes: as long as the slowest of the machine's parts needs
// (Williams et al., Roofline, 2009), where a machine that is not full, in the last wave of programs or
// in all of them, is slower by as much as is idle, and loads that nothing hides are added.
func (m Machine) Estimate(w Work) Estimate {
	w = w.withDefaults()
	if w.Programs <= 0 {
		return Estimate{Seconds: m.Launch, Meaning: max(m.Tells, Bound), Limit: "launch"}
	}
	resident := m.resident(w)
	slots := resident * m.Multiprocessors
	waves := math.Ceil(float64(w.Programs) / float64(slots))
	parts := m.parts(w, resident, slots)
	e := Estimate{Meaning: m.Tells, Waves: float64(w.Programs) / float64(slots), Resident: resident}
	longest, sum := 0.0, 0.0
	for _, p := range parts {
		sum += p.seconds
		if p.seconds > longest {
			longest, e.Limit = p.seconds, p.name
		}
	}
	if !w.Async {
		longest += exposed * (sum - longest)
	}
	tail := 1.0 // of one wave the idle slots are counted in its parts
	if w.Programs >= slots {
		tail = max(0.5+0.5/max(e.Waves/waves, 0.05), 1)
	}
	together := min(resident, (w.Programs+m.Multiprocessors-1)/m.Multiprocessors) // on one multiprocessor
	latency := waves * float64(w.Chain) * m.Latency / max(min(float64(together)*float64(w.Threads)/128, 8), 1)
	launch := float64(w.Passes) * m.Launch
	r := &target.Reference
	e.Least = max(w.Memory/m.Memory*r.MemorySustained, w.Flops/m.Flops*r.FlopsSustained+w.Matrix/m.Matrix*r.MatrixSustained)
	e.Seconds = (longest*tail + latency + launch) * w.Penalty
	if launch > e.Seconds/3 {
		e.Limit, e.Meaning = "launch", max(m.Tells, Bound)
	}
	return e
}

// part is the time that one part of a machine needs.
type part struct {
	name    string
	seconds float64
}

// parts are the times that work takes on each part of the machine alone.
func (m Machine) parts(w Work, resident, slots int) []part {
	// A few programs use as much of the memory as they have loads in flight.
	threads := float64(min(w.Programs, slots) * w.Threads)
	reach := min(1, threads*m.flight(w)/(m.Memory*m.Latency))
	least := 0.4
	if w.Async {
		least = 0.5 // two warpgroups of a multiprocessor keep its matrix units busy
	}
	occupancy := threads / float64(m.Multiprocessors*m.Resident)
	arithmetic := busyProcessors(w.Programs, slots, m.Multiprocessors) * min(1, least+4*occupancy)
	waves := math.Ceil(float64(w.Programs) / float64(slots))
	return []part{
		{"memory", w.Memory / (m.Memory * reach * width(w.Access))},
		{"cache", w.Cache / (m.Cache * min(1, 2*reach) * width(w.Access))},
		{"shared memory", w.Staged / (m.Staged * arithmetic)},
		{"arithmetic", ((w.Flops+w.Extra)/m.Flops + w.Matrix/m.Matrix) / arithmetic},
		{"launch", waves * float64(resident) * m.Program / 4}, // of programs
	}
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
	case w.Async:
		return float64(w.Flight) // in shared memory
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
func busyProcessors(programs, slots, processors int) float64 {
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
