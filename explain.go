package weft

import (
	"strings"

	"github.com/weftgpu/weft/compile"
)

// Explanation is what the compiler makes of a kernel for certain tensors on
// their device.
type Explanation struct {
	// Choices are the instructions that were chosen, one a line with the kernel's line,
	// and why better ones were not: "row.go:12: load: x by vectors of 1 f32:
	// offset known to be a multiple of 1". Where threads hold more than they have registers for, the last
	// one says so.
	Choices []string
	TileIR  string // what is computed
	SimtIR  string // how a workgroup computes it; empty for the interpreter
	Source  string // what the device's compiler gets
}

// String lists the choices.
func (e Explanation) String() string { return strings.Join(e.Choices, "\n") }

// Explain compiles the kernel for the given tensors, as Launch would, launches
// nothing and says what was chosen and why.
//
// Errors: as for Launch.
func (k *Kernel[C]) Explain(cfg C, tensors ...*Tensor) (Explanation, error) {
	kernel, err := k.Build(cfg)
	if err != nil {
		return Explanation{}, err
	}
	c := newCall()
	defer c.done()
	if err := c.arguments(kernel, viewsOf(tensors...)); err != nil {
		return Explanation{}, err
	}
	facts, err := compile.FactsOf(kernel, c.args)
	if err != nil {
		return Explanation{}, err
	}
	a, err := compile.Emit(kernel, facts, tensors[0].mem.dev.Caps())
	if err != nil {
		return Explanation{}, err
	}
	return Explanation{Choices: a.Notes, TileIR: a.TileIR, SimtIR: a.SimtIR(), Source: a.Source.Text}, nil
}
