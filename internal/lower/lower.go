package lower

import (
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/internal/lower/emit"
	"github.com/weftgpu/weft/internal/lower/pass"
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

	refused   string // why the kernel has to be lowered without tensor maps, "" if it has not to
	padded    bool   // operands have elements between rows
	residents bool   // left operands may be in shared memory throughout a loop
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
	return r, err
}

func lowerWith(k *tile.Func, facts axis.Facts, caps target.Caps, d *pass.Dump) (*Result, error) {
	passed, err := tilepass.Run(k, facts, caps, assign.Threads(k, caps), d)
	if err != nil {
		return nil, err
	}
	var r *Result
	resident := false // left operands may have been
	for _, t := range []assign.Fallback{{}, {Dense: true}, {Dense: true, AvoidShared: true}, {InRegisters: true}, {Dense: true, InRegisters: true}, {Dense: true, AvoidShared: true, InRegisters: true}} {
		if t.Dense && !t.AvoidShared && !r.padded || t.InRegisters && !resident {
			continue // that was dense, or bare
		}
		if r, err = lower(passed, d, t); err != nil {
			return nil, err
		}
		resident = resident || r.residents
		if r.refused != "" && !r.residents {
			return r, nil
		}
		if r.refused == "" && (caps.SharedBytes == 0 || r.Kernel.SharedBytes() <= caps.SharedBytes) {
			break
		}
	}
	err = checkLimits(r.Kernel, k, caps)
	if err != nil && len(r.Kernel.Maps) > 0 { // which ask for threads and for memory
		r.refused, err = err.Error(), nil
	}
	return r, err
}

// lower compiles a kernel after its passes over tile IR.
func lower(passed *tilepass.Kernel, d *pass.Dump, t assign.Fallback) (*Result, error) {
	e, err := emit.Emit(passed, t)
	if err != nil {
		return nil, err
	}
	s := passed.Func.Schedule
	c := &simtpass.Context{Kernel: e.Kernel, Notes: e.Notes, Stages: s.Stages, Consumers: s.Consumers, InFlight: s.InFlight,
		Distinct: e.Distinct, Caps: passed.Caps, Padded: e.Padded, Dump: d}
	if c.Stages == 0 {
		c.Stages = simtpass.DefaultStages
	}
	err = simtpass.Run(c)
	return &Result{Kernel: c.Kernel, Words: c.Words, Notes: c.Notes, refused: c.Refused, padded: e.Padded, residents: e.Invariants}, err
}
