package lower

import (
	"errors"
	"fmt"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/emit"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/lower/tilepass"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Result is a lowered kernel.
type Result struct {
	Kernel *simt.Func
	// Words says which launch word each of the kernel's words is. The launch words are those
	// of tile.Func.Words, then the grid's three dimensions, then the width
	// of the folded grid.
	Words []int
	// Notes are the choices made, one a line: the kernel's line, what was chosen and why.
	Notes []string

	tables  int    // bytes of tables of pairs in shared memory
	refused string // why the kernel has to be lowered without tensor maps, "" if it has not to
	loose   bool   // it takes less shared memory if it is dense
}

// Lower compiles a verified kernel for a target.
//
// Errors: fault.ErrLimit, with the line that asks for the most, if the kernel is
// beyond the device's limits; fault.ErrUnsupported for what has no lowering.
func Lower(k *tile.Func, facts axis.Facts, caps target.Caps) (*Result, error) {
	if err := checkTypes(k, caps); err != nil {
		return nil, err
	}
	if err := checkThreads(k, caps); err != nil {
		return nil, err
	}
	d := pass.NewDump(k.Name)
	r, err := lowerWith(k, facts, caps, d)
	if err == nil && r.refused != "" {
		why := r.refused
		caps.TensorMaps = false
		if r, err = lowerWith(k, facts, caps, d); err == nil {
			r.Notes = append(r.Notes, "no tensor maps: "+why)
		}
	}
	if errors.Is(err, fault.ErrLimit) {
		if whole, also := lowerWith(k, facts, caps, d, tilepass.Edges); also == nil && whole.refused == "" {
			whole.Notes = append(whole.Notes, fmt.Sprintf("no loop is split at edges: %v", err))
			return whole, nil
		}
	}
	return r, err
}

// lowerWith lowers a kernel without some of the passes over tile IR.
func lowerWith(k *tile.Func, facts axis.Facts, caps target.Caps, d *pass.Dump, without ...string) (*Result, error) {
	passed, err := tilepass.Run(k, facts, caps, assign.Threads(k, caps), d, without...)
	if err != nil {
		return nil, err
	}
	var r *Result
	var assigned *assign.Assignment
	staged := false // invariant operands may have been
	for i, f := range fallbacks {
		if i > 0 && fallbacks[i-1].tabled && r.tables == 0 || f.dense && !f.AvoidShared && !r.loose || f.InRegisters && !staged {
			continue // there were no tables, it was dense, or nothing was staged
		}
		if assigned == nil || assigned.Fallback != f.Fallback {
			assigned = assign.New(passed.Func, passed.Facts, passed.Threads, passed.Caps, f.Fallback)
		}
		if r, err = lower(passed, assigned, f.dense, f.tabled, d); err != nil {
			return nil, err
		}
		if r.tables > 0 && !r.hasRoom(caps) {
			continue
		}
		staged = staged || assigned.StagesInvariants()
		if r.refused != "" && !assigned.StagesInvariants() {
			return r, nil
		}
		if r.fits(caps) {
			if !f.AvoidShared && r.lacksStages(k) {
				r, err = withMoreStages(r, passed, f.Fallback, f.dense, d)
			}
			break
		}
	}
	if err != nil {
		return nil, err
	}
	err = checkLimits(r.Kernel, k, caps)
	if err != nil && len(r.Kernel.Maps) > 0 { // which ask for threads and for memory
		r.refused, err = err.Error(), nil
	}
	return r, err
}

// fits reports whether a device has the shared memory for a kernel.
func (r *Result) fits(caps target.Caps) bool {
	return r.refused == "" && (caps.SharedBytes == 0 || r.Kernel.SharedBytes() <= caps.SharedBytes)
}

// hasRoom reports whether a unit runs as many programs with tables of pairs as without, or as many as keep it busy.
func (r *Result) hasRoom(caps target.Caps) bool {
	const busy = 512 // threads
	machine, bytes := caps.Facts(), r.Kernel.SharedBytes()+target.SystemShared
	if !r.fits(caps) || bytes > machine.Shared {
		return false
	}
	programs := machine.Shared / bytes
	return programs*r.Kernel.Threads >= busy || programs == machine.Shared/max(bytes-r.tables, 1)
}

// stages is how many stages the loop with the most of them has.
func (r *Result) stages() (n int) {
	for _, s := range r.Kernel.Shared {
		n = max(n, s.Stages)
	}
	return n
}

// lacksStages reports whether a producer has less room for copies than the schedule asks for.
func (r *Result) lacksStages(k *tile.Func) bool {
	return r.Kernel.Producers > 0 && r.stages() < k.Schedule.Stages
}

// withMoreStages is a kernel that converts no tiles through shared memory where that leaves room for more stages: a tile of the result is converted once,
// and its loop waits for copies in every iteration.
func withMoreStages(r *Result, passed *tilepass.Kernel, f assign.Fallback, dense bool, d *pass.Dump) (*Result, error) {
	f.AvoidShared = true
	other, err := lower(passed, assign.New(passed.Func, passed.Facts, passed.Threads, passed.Caps, f), dense, false, d)
	if err != nil || !other.fits(passed.Caps) || other.stages() <= r.stages() {
		return r, err
	}
	other.Notes = append(other.Notes, fmt.Sprintf("no conversions through shared memory, which would leave room for %s of %d", fault.Count(r.stages(), "stage"), passed.Func.Schedule.Stages))
	return other, nil
}

// fallbacks are the ways to lower a kernel, with less shared memory each; tabled is with tables of pairs, if numbers of code books are picked from such, and dense is without elements between the rows of operands, which spare
// conflicts of banks, and with parts of what threads exchange for scans, which take more barriers. The first is so, too, where emit finds that they would not fit.
var fallbacks = []struct {
	tabled, dense bool
	assign.Fallback
}{
	{true, false, assign.Fallback{}},
	{false, false, assign.Fallback{}}, {false, true, assign.Fallback{}}, {false, true, assign.Fallback{AvoidShared: true}},
	{false, false, assign.Fallback{InRegisters: true}}, {false, true, assign.Fallback{InRegisters: true}}, {false, true, assign.Fallback{AvoidShared: true, InRegisters: true}},
}

// lower compiles a kernel after its passes over tile IR, by an assignment.
func lower(passed *tilepass.Kernel, assigned *assign.Assignment, dense, tabled bool, d *pass.Dump) (*Result, error) {
	e, err := emit.Emit(passed, assigned, dense, tabled)
	if err != nil {
		return nil, err
	}
	s := passed.Func.Schedule
	c := &simtpass.Context{Kernel: e.Kernel, Notes: e.Notes, Stages: s.Stages, Ahead: s.Stages > 1, Consumers: s.Consumers, InFlight: s.InFlight,
		Distinct: e.Distinct, Caps: passed.Caps, Padded: e.Padded, Dump: d}
	if c.Stages == 0 {
		c.Stages = plan.DefaultStages
	}
	err = simtpass.Run(c)
	return &Result{Kernel: c.Kernel, Words: c.Words, Notes: c.Notes, refused: c.Refused, loose: e.Padded || e.Together, tables: e.Tables}, err
}
