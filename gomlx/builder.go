package gomlx

import (
	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/notimplemented"
	"github.com/gomlx/gomlx/backends/shapeinference"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"
)

// Builder keeps the graph of a computation. As GoMLX uses it, it is not for several goroutines.
type Builder struct {
	notimplemented.Builder // the ops that are missing

	name    string
	backend *Backend
	nodes   []*node // each after its inputs
	params  []*node
	outputs []*node
	done    bool // Compile was called
}

var _ backends.Builder = (*Builder)(nil)

// node is an op of a graph, or one result of an op that has several.
type node struct {
	id      int
	builder *Builder
	op      backends.OpType
	shape   shapes.Shape
	in      []*node
	attrs   any // what the op has besides its inputs: one of the types in attributes.go, or its axes
}

// result is the attribute of a node that is one result of its input, an op with several.
type result int

// Name is the name that the computation was given.
func (b *Builder) Name() string { return b.name }

// OpShape returns the shape of an op's result.
func (b *Builder) OpShape(op backends.Op) (shapes.Shape, error) {
	in, err := b.inputs("OpShape", op)
	if err != nil {
		return shapes.Invalid(), err
	}
	return in[0].shape, nil
}

// inputs checks that ops are of this builder and that it still takes ops.
func (b *Builder) inputs(name string, ops ...backends.Op) ([]*node, error) {
	if b == nil || b.backend == nil {
		return nil, errors.Errorf("weft: %s: the builder is nil", name)
	}
	if b.done {
		return nil, errors.Errorf("weft: %s: computation %q is already compiled", name, b.name)
	}
	in := make([]*node, len(ops))
	for i, op := range ops {
		n, ok := op.(*node)
		if !ok || n == nil {
			return nil, errors.Errorf("weft: %s: input %d is a %T, which no builder of this backend made", name, i, op)
		}
		if n.builder != b {
			return nil, errors.Errorf("weft: %s: input %d is of computation %q, want %q", name, i, n.builder.name, b.name)
		}
		in[i] = n
	}
	return in, nil
}

// add appends an op whose result the device must be able to hold.
func (b *Builder) add(op backends.OpType, shape shapes.Shape, attrs any, in ...*node) (*node, error) {
	if _, err := b.backend.typeOn(op.String(), shape); err != nil {
		return nil, err
	}
	if err := b.checkWide(op, shape, in); err != nil {
		return nil, err
	}
	n := &node{id: len(b.nodes), builder: b, op: op, shape: shape, in: in, attrs: attrs}
	b.nodes = append(b.nodes, n)
	return n, nil
}

// addOp is add for ops whose inputs are not checked yet; infer gives the result's shape.
func (b *Builder) addOp(op backends.OpType, attrs any, infer func(in []*node) (shapes.Shape, error), ops ...backends.Op) (backends.Op, error) {
	in, err := b.inputs(op.String(), ops...)
	if err != nil {
		return nil, err
	}
	shape, err := inferred(infer, in)
	if err != nil {
		return nil, errors.WithMessagef(err, "weft: %s", op)
	}
	return orNil(b.add(op, shape, attrs, in...))
}

// inferred calls infer. GoMLX's shape inference indexes what it is given before it has checked all of it.
func inferred(infer func(in []*node) (shapes.Shape, error), in []*node) (shape shapes.Shape, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.Errorf("the axes do not fit the shapes: %v", r)
		}
	}()
	return infer(in)
}

// orNil keeps a nil node from becoming an Op that is not nil.
func orNil(n *node, err error) (backends.Op, error) {
	if err != nil {
		return nil, err
	}
	return n, nil
}

// addResults appends an op of several results.
func (b *Builder) addResults(op backends.OpType, attrs any, results []shapes.Shape, in ...*node) ([]*node, error) {
	all := &node{id: len(b.nodes), builder: b, op: op, shape: shapes.Invalid(), in: in, attrs: attrs}
	b.nodes = append(b.nodes, all)
	list := make([]*node, len(results))
	for i, shape := range results {
		n, err := b.add(op, shape, result(i), all)
		if err != nil {
			return nil, err
		}
		list[i] = n
	}
	return list, nil
}

// Parameter is an input of the computation.
func (b *Builder) Parameter(name string, shape shapes.Shape, sharding *backends.ShardingSpec) (backends.Op, error) {
	if _, err := b.inputs("Parameter"); err != nil {
		return nil, err
	}
	if sharding != nil {
		return nil, errors.Wrapf(notimplemented.NotImplementedError, "weft: Parameter %q: sharding", name)
	}
	n, err := b.add(backends.OpTypeParameter, shape.Clone(), name)
	if err != nil {
		return nil, errors.WithMessagef(err, "parameter %q", name)
	}
	b.params = append(b.params, n)
	return n, nil
}

// Constant is a constant of the computation.
func (b *Builder) Constant(flat any, dims ...int) (backends.Op, error) {
	if _, err := b.inputs("Constant"); err != nil {
		return nil, err
	}
	dtype, n, err := flatType(flat)
	if err != nil {
		return nil, errors.WithMessage(err, "weft: Constant")
	}
	for _, d := range dims {
		if d < 0 {
			return nil, errors.Errorf("weft: Constant: dimensions %v, want none below 0", dims)
		}
	}
	shape := shapes.Make(dtype, dims...)
	if shape.Size() != n {
		return nil, errors.Errorf("weft: Constant: %d elements for shape %s", n, shape)
	}
	return orNil(b.add(backends.OpTypeConstant, shape, cloneFlat(flat)))
}

// DeviceAssignment allows only the one device that there is.
func (b *Builder) DeviceAssignment(devices ...backends.DeviceNum) error {
	if _, err := b.inputs("DeviceAssignment"); err != nil {
		return err
	}
	if len(devices) != 1 {
		return errors.Wrapf(notimplemented.NotImplementedError, "weft: DeviceAssignment: %d devices, want 1: a backend is one device", len(devices))
	}
	return b.backend.checkDevice("DeviceAssignment", devices[0])
}

// Compile ends the graph and plans its execution.
func (b *Builder) Compile(outputs []backends.Op, shardings []*backends.ShardingSpec) (backends.Executable, error) {
	if len(shardings) != 0 {
		return nil, errors.Wrap(notimplemented.NotImplementedError, "weft: Compile: sharding")
	}
	out, err := b.inputs("Compile", outputs...)
	if err != nil {
		return nil, err
	}
	for i, n := range out {
		if n.shape.DType == dtypes.InvalidDType {
			return nil, errors.Errorf("weft: Compile: output %d is an op of several results", i)
		}
	}
	b.outputs, b.done = out, true
	return newExecutable(b)
}

func (b *Builder) unary(op backends.OpType, x backends.Op) (backends.Op, error) {
	return b.addOp(op, nil, func(in []*node) (shapes.Shape, error) { return shapeinference.UnaryOp(op, in[0].shape) }, x)
}

func (b *Builder) binary(op backends.OpType, x, y backends.Op) (backends.Op, error) {
	return b.addOp(op, nil, func(in []*node) (shapes.Shape, error) {
		return shapeinference.BinaryOp(op, in[0].shape, in[1].shape)
	}, x, y)
}

func (b *Builder) compare(op backends.OpType, x, y backends.Op) (backends.Op, error) {
	return b.addOp(op, nil, func(in []*node) (shapes.Shape, error) {
		switch op {
		case backends.OpTypeEqual, backends.OpTypeNotEqual, backends.OpTypeEqualTotalOrder, backends.OpTypeNotEqualTotalOrder:
		default:
			if t := in[0].shape.DType; t == dtypes.Bool {
				return in[0].shape, errors.Errorf("the elements are %s, which have no order", t)
			}
		}
		return shapeinference.ComparisonOp(op, in[0].shape, in[1].shape)
	}, x, y)
}
