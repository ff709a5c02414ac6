package tune

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// Work is an estimate of what a config makes a machine do, made before it is compiled. The zero
// value of a field stands for nothing of it.
type Work struct {
	Programs int // workgroups
	Threads  int // of each; 0 counts as 128
	// Registers and Shared limit how many programs run on a compute unit at a time: 32-bit
	// registers of a thread, and bytes of shared memory of a program.
	Registers int
	Shared    int

	Memory  float64 // bytes that come from and go to memory, each once however often it is used nearby
	Cache   float64 // bytes that programs ask of the second-level cache, each time they do
	Staged  float64 // bytes that cross shared memory
	Flops   float64 // operations, a multiplication and addition being two, on ordinary units
	Extra   float64 // operations on ordinary units in addition to those, an estimate: addresses, conversions
	Matrix  float64 // operations on matrix units, where the device has them for the type, as so many of F16
	Access  int     // bytes of one access of a thread to memory; 0 counts as 16
	Flight  int     // bytes that a thread loads at a time, before it waits; 0 counts as two accesses
	Chain   int     // loads that a program waits for one after the other
	Async   bool    // whether loads are asynchronous copies, which go on while the arithmetic does
	Passes  int     // launches; 0 counts as 1
	Penalty float64 // a factor on the whole for what is nowhere else; 0 counts as 1
}

// Model estimates what work takes on a machine.
type Model struct {
	Machine *target.Machine
	// Memory, Flops and Matrix are the machine's rates as long kernels reach them, Matrix that of F16, or Flops where kernels have no matrix instructions.
	Memory, Flops, Matrix float64
	Tells                 Meaning // what estimates are, at best

	matrix float64 // Matrix by the data sheet
}

// Meaning says what an estimated time is.
type Meaning uint8

const (
	// Expected is the time that a launch should take.
	Expected Meaning = iota
	// Bound is the least time on the machine: where nobody measured what is sustained of its rates, in languages that say less of how
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

// typical is what is sustained of rates where nobody measured that: what an H200 sustains.
var typical = struct{ Memory, Flops, Matrix float64 }{0.92, 0.82, 0.75}

// ModelFor is the model of what has the capabilities.
func ModelFor(caps target.Caps) Model {
	m := caps.Facts()
	sustained := m.Sustained
	switch {
	case m.Generic:
		sustained.Memory, sustained.Flops, sustained.Matrix = 1, 1, 1
	case sustained.Memory == 0:
		sustained = typical
	}
	model := Model{Machine: m, Memory: sustained.Memory * m.Memory, Flops: sustained.Flops * m.Flops}
	model.Matrix, model.matrix = model.Flops, m.Flops
	if m.Matrix.F16 > 0 && (caps.MatrixTypes() != 0 || caps.WholeTiles) {
		model.Matrix, model.matrix = sustained.Matrix*m.Matrix.F16, m.Matrix.F16
	}
	switch {
	case m.Generic:
		model.Tells = Ranking
	case m.Sustained.Memory == 0 || caps.Language != target.CUDA:
		model.Tells = Bound
	}
	return model
}

// Estimate is what the model makes of a config.
type Estimate struct {
	Seconds float64
	// Least is what memory and arithmetic need at the data sheet's rates.
	Least   float64
	Meaning Meaning
	// Waves is how often the compute units are filled with programs, 2.1 being two times and a tenth of a third.
	Waves float64
	// Resident is how many programs a compute unit runs at a time.
	Resident int
	// Limit is what takes longest: "memory", "cache", "shared memory", "arithmetic", or "launch" where launching is more
	// than a third of the time.
	Limit string
}

// Seconds is how long the work takes by Estimate.
func (m Model) Seconds(w Work) float64 { return m.Estimate(w).Seconds }

// exposed is what is not hidden of the parts that do not take longest, where threads wait for what they load.
const exposed = 0.15

// Estimate estimates how long the work takes: as long as the slowest of the machine's parts needs
// (Williams et al., Roofline, 2009), where a machine that is not full, in the last wave of programs or
// in all of them, is slower by as much as is idle, and loads that nothing hides are added.
func (m Model) Estimate(w Work) Estimate {
	w = w.withDefaults()
	if w.Programs <= 0 {
		return Estimate{Seconds: m.Machine.Launch, Meaning: max(m.Tells, Bound), Limit: "launch"}
	}
	resident := m.resident(w)
	slots := resident * m.Machine.Units
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
	together := min(resident, (w.Programs+m.Machine.Units-1)/m.Machine.Units) // on one unit
	latency := waves * float64(w.Chain) * m.Machine.Latency / max(min(float64(together)*float64(w.Threads)/128, 8), 1)
	launch := float64(w.Passes) * m.Machine.Launch
	e.Least = max(w.Memory/m.Machine.Memory, w.Flops/m.Machine.Flops+w.Matrix/m.matrix)
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
func (m Model) parts(w Work, resident, slots int) []part {
	// A few programs use only as much of the memory as their outstanding loads.
	threads := float64(min(w.Programs, slots) * w.Threads)
	reach := min(1, threads*m.flight(w)/(m.Memory*m.Machine.Latency))
	least := 0.4
	if w.Async {
		least = 0.5 // two warpgroups of a unit keep its matrix units busy
	}
	occupancy := threads / float64(m.Machine.Units*m.Machine.Threads)
	arithmetic := busyUnits(w.Programs, slots, m.Machine.Units) * min(1, least+4*occupancy)
	waves := math.Ceil(float64(w.Programs) / float64(slots))
	return []part{
		{"memory", w.Memory / (m.Memory * reach * width(w.Access))},
		{"cache", w.Cache / (m.Machine.Cache * min(1, 2*reach) * width(w.Access))},
		{"shared memory", w.Staged / (m.Machine.Staged * arithmetic)},
		{"arithmetic", ((w.Flops+w.Extra)/m.Flops + w.Matrix/m.Matrix) / arithmetic},
		{"launch", waves * float64(resident) * m.Machine.Program / 4}, // of programs
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

// flight is the number of bytes of a thread's outstanding loads.
func (m Model) flight(w Work) float64 {
	switch {
	case m.Machine.Threads == 1:
		return 1 << 20 // a program of the interpreter copies whole tiles
	case w.Async:
		return float64(w.Flight) // in shared memory
	case w.Flight > 0:
		return float64(min(w.Flight, 8*w.Access))
	}
	return float64(2 * w.Access)
}

// resident is how many programs a unit runs at a time.
func (m Model) resident(w Work) int {
	f := m.Machine
	n := f.Threads / w.Threads
	if w.Registers > 0 && f.Registers > 0 {
		n = min(n, f.Registers/(w.Registers*w.Threads))
	}
	if w.Shared > 0 && f.Shared > 0 {
		n = min(n, f.Shared/w.Shared)
	}
	return max(1, min(n, f.Workgroups))
}

// busyUnits is the part of the units' time in which they have a program, on the average of the waves.
func busyUnits(programs, slots, units int) float64 {
	if programs >= slots {
		return 1
	}
	// A program runs faster where it is alone: programs spread over units first, and those of units that have one more take longest.
	return float64(programs) / float64((programs+units-1)/units*units)
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
	model := ModelFor(caps)
	var list []ranked
	for c, err := range s.configs(caps, p) {
		if err != nil {
			continue
		}
		r := ranked{config: c}
		if s.Work != nil {
			r.seconds = model.Seconds(s.Work(caps, p, c))
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
