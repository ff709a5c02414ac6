package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Op is an op of package ops.
type Op struct {
	Name     string
	Function string // of package ops
	About    string
	Shape    string   // how its sizes are written, such as "[Bx]MxNxK"
	Example  string   // arguments that work
	Takes    []string // names of the Flags that it takes in addition to --dtype
	Kind     Kind

	want    string                                      // the shape that a wrong one is told; one tensor of any shape if not given
	sizes   []string                                    // the names of a tensor's sizes, for each number of them; nil for a tensor of any
	check   func(o Options, shape []int) error          // of what was typed; nil for none
	problem func(o Options, typed, sizes []int) Problem // for values of the sizes
	parse   func(s Shape, o Options) (*Call, error)     // instead of these for an op whose shape is not one tensor
}

// Kind is what shapes mean to an op.
type Kind uint8

// The kinds.
const (
	Other      Kind = iota
	Elements        // each element is for itself: only their number counts
	Rows            // the result has x's shape, and its rows are for themselves
	Reductions      // the result lacks one dimension or all
)

// Call is an op with options, for any sizes.
type Call struct {
	Op      *Op
	Options Options
	Shape   string // as it was typed
	Sizes   []Size // those that were asked for
	Kernel  []int  // rows and columns of a convolution's
	// Problem describes the operands for values of the sizes, in their order.
	Problem func(sizes []int) Problem
}

// Size is a named size of a problem.
type Size struct {
	Name  string
	Value int
}

// Problem is an op with its operands. Outputs are dense.
type Problem struct {
	In, Out []Operand
	Run     func(out, in []*weft.Tensor) error
}

// Operand is a tensor.
type Operand struct {
	Name       string
	Elem       weft.DType
	Shape      []int
	Transposed bool // the last two dimensions are exchanged in memory
	Data       Data
	Below      int // integers are from 0 to below this instead, if it is above 0
}

// operand is one of the element type that was asked for.
func (o Options) operand(name string, shape ...int) Operand {
	return Operand{Name: name, Elem: o.Elem(), Shape: shape}
}

// ops lists all, by name.
var ops = func() []*Op {
	all := slices.Concat(elementwiseOps(), moveOps, productOps, rowOps(), randomOps, quantizeOps,
		dataOps, joinOps, indexedOps, windowOps(), resizeOps())
	slices.SortFunc(all, func(a, b *Op) int { return cmp.Compare(a.Name, b.Name) })
	return all
}()

// Ops lists all ops, by name.
func Ops() []*Op { return slices.Clone(ops) }

// Find finds an op by its name or that of its function. Error: ErrUnsupported for an unknown one, with the nearest.
func Find(name string) (*Op, error) {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }
	best, least := "", 1+len(name)/2
	for _, op := range ops {
		for _, known := range []string{op.Name, op.Function} {
			if plain(known) == plain(name) {
				return op, nil
			}
			if d := distance(plain(known), plain(name)); d < least {
				best, least = op.Name, d
			}
		}
	}
	if best != "" {
		return nil, fault.New(weft.ErrArgument, name, "unknown op; did you mean %q?", best)
	}
	return nil, fault.New(weft.ErrArgument, name, "unknown op; `weft ops` lists them")
}

// Parse reads an op's shape. given are the names of the flags that were set.
//
// Errors: ErrShape for text that is no shape or none of the op's, ErrArgument for a flag that it does not take.
func (op *Op) Parse(shape string, o Options, given ...string) (*Call, error) {
	for _, name := range given {
		if name != "dtype" && !slices.Contains(op.Takes, name) {
			return nil, fault.New(weft.ErrArgument, op.Name, "the op has no option --%s", name)
		}
	}
	if !o.Elem().Valid() {
		return nil, fault.New(weft.ErrArgument, op.Name, "unknown element type %q, want one of %s", o.DType, typeNames())
	}
	s, err := ParseShape(shape)
	if err != nil {
		return nil, err
	}
	parse := op.parse
	if parse == nil {
		parse = op.parseTensor
	}
	c, err := parse(s, o)
	if err != nil {
		return nil, err
	}
	c.Op, c.Options, c.Shape = op, o, shape
	return c, nil
}

// parseTensor reads the shape of one tensor.
func (op *Op) parseTensor(s Shape, o Options) (*Call, error) {
	typed := s.Tensors[0]
	names := slices.IndexFunc(op.sizes, func(names string) bool { return len(strings.Fields(names)) == len(typed) })
	if len(s.Tensors) != 1 || op.sizes != nil && names < 0 {
		return nil, wrong(op.Name, cmp.Or(op.want, "one shape"), s)
	}
	if op.check != nil {
		if err := op.check(o, typed); err != nil {
			return nil, err
		}
	}
	c := &Call{Sizes: dimensions(typed), Problem: func(sizes []int) Problem { return op.problem(o, typed, sizes) }}
	if names >= 0 {
		c.Sizes = sizesOf(op.sizes[names], typed...)
	}
	return c, nil
}

// Values are the sizes that were asked for.
func (c *Call) Values() []int {
	values := make([]int, len(c.Sizes))
	for i, s := range c.Sizes {
		values[i] = s.Value
	}
	return values
}

// String is the call as it is typed.
func (c *Call) String() string {
	text := make([]string, len(c.Sizes))
	for i, s := range c.Sizes {
		text[i] = fmt.Sprintf("%s=%d", s.Name, s.Value)
	}
	return fmt.Sprintf("%s %v %s", c.Op.Name, c.Options.Elem(), strings.Join(text, " "))
}

// wrong says how an op's shape is written.
func wrong(op, want string, s Shape) error {
	return fault.New(weft.ErrShape, op, "shape %q, want %s", s.text, want)
}

// sizesOf names sizes.
func sizesOf(names string, values ...int) []Size {
	list := make([]Size, len(values))
	for i, name := range strings.Fields(names) {
		list[i] = Size{name, values[i]}
	}
	return list
}

// distance is the number of letters to insert, drop or replace (Levenshtein, 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
