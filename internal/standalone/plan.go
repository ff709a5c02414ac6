package standalone

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Plan is an op for any sizes.
type Plan struct {
	Call  *catalog.Call
	Caps  target.Caps
	Sizes []string // parameters, in order
	Fixed []int    // for each size what it must be, or 0 for anything
	Times []int    // for each size what it must be a multiple of, at least 1
	Vars  []string // the sizes, then what is derived of them
	In    []Operand
	Out   []Operand
	Ways  []Way // the first one whose guard holds is taken

	Derived []Derived
}

// Operand is a dense tensor in row-major order.
type Operand struct {
	Name  string
	Elem  weft.DType
	Shape []Expr
	// Transposed says that the last two dimensions are exchanged in memory.
	Transposed bool
}

// Way is a list of launches, for sizes up to a limit.
type Way struct {
	Size, Most int // the size with this index is at most so large; Most 0 for any
	Steps      []Step
	Workspace  []Workspace // buffers other than the operands
}

// Workspace is a buffer that one launch leaves for the next.
type Workspace struct {
	Elements Expr
	Bytes    int // of an element
}

// Step is a launch.
type Step struct {
	Kernel  *tile.Func
	Buffers []int    // for each view: of the operands, inputs first, and then of the workspace
	Words   [][]Expr // for each view: offset, sizes, strides
	Scalars []Scalar
}

// Derived is a number computed from the sizes that shapes are made of.
type Derived struct {
	Name, C string // in C
	value   func(sizes []int) int
}

// samples is at how many places sizes are looked at.
const samples = 6

// New makes the plan of a call for hardware.
//
// Errors: ErrUnsupported for an op that has no plan, with the reason, and what the op and the compiler say.
func New(c *catalog.Call, caps target.Caps) (*Plan, error) {
	caps.TensorMaps = false // which the host code of a file would have to make
	r, err := recipeFor(c, caps)
	if err != nil {
		return nil, err
	}
	p := &Plan{Call: r.call, Caps: caps, Derived: r.derived}
	for _, s := range r.call.Sizes {
		p.Sizes = append(p.Sizes, s.Name)
		p.Fixed = append(p.Fixed, r.fixed[s.Name])
		p.Times = append(p.Times, max(r.times[s.Name], 1))
	}
	p.Vars = slices.Clone(p.Sizes)
	for _, d := range r.derived {
		p.Vars = append(p.Vars, d.Name)
	}
	for _, w := range r.ways {
		way, err := p.way(w)
		if err != nil {
			return nil, err
		}
		p.Ways = append(p.Ways, way)
	}
	return p, nil
}

// fail is an error of the plan.
func (p *Plan) fail(format string, args ...any) error {
	return fault.New(fault.ErrUnsupported, p.Call.Op.Name, "stand-alone: "+format, args...)
}

// vars are the variables' values.
func (p *Plan) vars(sizes []int) []int {
	list := slices.Clone(sizes)
	for _, d := range p.Derived {
		list = append(list, d.value(sizes))
	}
	return list
}

// sample is what an op did at one place.
type sample struct {
	vars     []int
	problem  catalog.Problem
	launches []offline.Launch
	buffers  [][]int // of each launch's views
}

// planRandom draws the sizes that a plan looks at, always the same.
func planRandom() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// way looks at an op in several places and says what it does in all of them.
func (p *Plan) way(w wayRecipe) (Way, error) {
	random := planRandom()
	var list []sample
	for range samples {
		s, err := p.sample(w, w.sizes(random))
		if err != nil {
			return Way{}, err
		}
		list = append(list, s)
	}
	for i, name := range p.Sizes {
		varies := func(s sample) bool { return s.vars[i] != list[0].vars[i] }
		if p.Fixed[i] == 0 && !slices.ContainsFunc(list, varies) {
			return Way{}, p.fail("%s is %d wherever the kernels were looked at: what follows from it would pass for a constant", name, list[0].vars[i])
		}
	}
	if err := p.operands(list); err != nil {
		return Way{}, err
	}
	way := Way{Size: w.size, Most: w.most}
	for i := range list[0].launches {
		step, err := p.step(list, i)
		if err != nil {
			return way, err
		}
		way.Steps = append(way.Steps, step)
	}
	return way, p.workspace(&way)
}

// sample runs the op offline.
func (p *Plan) sample(w wayRecipe, sizes []int) (s sample, err error) {
	dev, record := offline.Open("stand-alone", p.Caps)
	defer dev.Close()
	s.vars, s.problem = p.vars(sizes), p.Call.Problem(sizes)
	t, err := s.problem.Empty(dev)
	if err != nil {
		return s, err
	}
	run := s.problem.Run
	if w.run != nil {
		run = w.run
	}
	if err := run(t.Out, t.In); err != nil {
		return s, err
	}
	s.launches = record.Take()
	if record.Uploads() > 0 {
		return s, p.fail("the op copies data from the host")
	}
	for _, l := range s.launches {
		var ids []int
		for _, a := range l.Args {
			ids = append(ids, offline.Number(a.Buffer))
		}
		s.buffers = append(s.buffers, ids)
	}
	return s, nil
}

// operands takes the operands' shapes, which are the same in every way.
func (p *Plan) operands(list []sample) error {
	take := func(of func(catalog.Problem) []catalog.Operand) (all []Operand, err error) {
		for i, o := range of(list[0].problem) {
			x := Operand{Name: o.Name, Elem: o.Elem, Transposed: o.Transposed}
			for d := range o.Shape {
				e, ok := p.fit(list, func(s sample) int64 { return int64(of(s.problem)[i].Shape[d]) })
				if !ok {
					return nil, p.fail("size %d of %s does not follow from the sizes of the call", d, o.Name)
				}
				x.Shape = append(x.Shape, e)
			}
			all = append(all, x)
		}
		return all, nil
	}
	var in, out error
	p.In, in = take(func(c catalog.Problem) []catalog.Operand { return c.In })
	p.Out, out = take(func(c catalog.Problem) []catalog.Operand { return c.Out })
	return errors.Join(in, out)
}

func (p *Plan) fit(list []sample, value func(sample) int64) (Expr, bool) {
	values, vars := make([]int64, len(list)), make([][]int, len(list))
	for i, s := range list {
		values[i], vars[i] = value(s), s.vars
	}
	return fitValues(values, vars)
}

// step is launch i of all samples.
func (p *Plan) step(list []sample, i int) (Step, error) {
	first := list[0].launches[i]
	step := Step{Kernel: first.Kernel, Buffers: list[0].buffers[i]}
	for _, s := range list {
		if len(s.launches) != len(list[0].launches) || s.launches[i].Kernel.String() != first.Kernel.String() || !slices.Equal(s.buffers[i], step.Buffers) {
			return step, p.fail("launch %d, %s, is a different kernel for other sizes", i+1, first.Kernel.Name)
		}
	}
	for v, view := range step.Kernel.Views {
		var words []Expr
		for w := range 1 + 2*view.Rank {
			e, ok := p.fit(list, func(s sample) int64 { return viewWord(s.launches[i].Args[v].Layout, w) })
			if !ok {
				return step, p.fail("%s: a size or stride of %s does not follow from the sizes of the call", first.Kernel.Name, view.Name)
			}
			words = append(words, e)
		}
		step.Words = append(step.Words, words)
	}
	for s, parameter := range step.Kernel.Scalars {
		words, vars := make([]uint32, len(list)), make([][]int, len(list))
		for j, at := range list {
			words[j], vars[j] = at.launches[i].Scalars[s], at.vars
		}
		x, ok := fitScalar(words, parameter.Elem == weft.F32, vars)
		if !ok {
			return step, p.fail("%s: the scalar %s does not follow from the sizes of the call", first.Kernel.Name, parameter.Name)
		}
		step.Scalars = append(step.Scalars, x)
	}
	return step, nil
}

// viewWord is word w of a view: its offset, its sizes, its strides.
func viewWord(l layout.Layout, w int) int64 {
	switch rank := l.Rank(); {
	case w == 0:
		return int64(l.Offset())
	case w <= rank:
		return int64(l.Size(w - 1))
	default:
		return int64(l.Stride(w - 1 - rank))
	}
}

// workspace finds the buffers other than the operands, which are dense where they are written.
func (p *Plan) workspace(way *Way) error {
	operands := len(p.In) + len(p.Out)
	for _, step := range way.Steps {
		for v, b := range step.Buffers {
			view := step.Kernel.Views[v]
			if b < operands || view.Access&tile.Out == 0 {
				continue
			}
			if b < operands+len(way.Workspace) {
				continue // written again
			}
			if b != operands+len(way.Workspace) {
				return p.fail("buffers of the workspace are written out of order")
			}
			way.Workspace = append(way.Workspace, Workspace{elements(step.Words[v][1 : 1+view.Rank]), view.Elem.Size()})
		}
	}
	for _, step := range way.Steps {
		if slices.Max(step.Buffers) >= operands+len(way.Workspace) {
			return p.fail("%s reads what no kernel writes", step.Kernel.Name)
		}
	}
	return nil
}

// elements is the product of sizes.
func elements(sizes []Expr) Expr {
	e := constant(1)
	for _, s := range sizes {
		e.Factor *= s.Factor
		e.Vars = append(e.Vars, s.Vars...)
	}
	return e
}

// String names the function and its parameters.
func (p *Plan) String() string {
	return fmt.Sprintf("%s(%s)", p.Call.Op.Name, strings.Join(p.Sizes, ", "))
}
