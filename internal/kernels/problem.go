package kernels

import (
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// A Problem is what the choice among configs of type C depends on, a plain comparable struct: one for each op, such as MatMulProblem.
// Its methods are the fields of a tune.Space; see there.
type Problem[P, C comparable] interface {
	comparable
	// Rule is the launch rule: it chooses without measuring.
	Rule(caps target.Caps) C
	// List lists the configs to choose from, the rule's choice first. Not all need be legal.
	List(caps target.Caps) []C
	// Legal says why a config is refused.
	Legal(caps target.Caps, c C) error
	// Work is what a config makes a machine do.
	Work(caps target.Caps, c C) tune.Work
	// Needs are what every config makes a machine do at least.
	Needs(caps target.Caps) tune.Needs
	// Bucket is the problem that stands for the problem and others like it.
	Bucket() P
	// Kernel is the kernel of a config, the first one if there are several.
	Kernel(c C) (*tile.Func, error)
}
