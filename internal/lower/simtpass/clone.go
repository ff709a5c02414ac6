package simtpass

import (
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// cloner emits ops, some of them copies of others with some values replaced.
type cloner struct {
	ids    *simt.Builder
	values map[*simt.Value]*simt.Value
	ops    []*simt.Op
}

func (c *cloner) emit(op *simt.Op, t simt.Type, hint string) *simt.Value {
	v := c.ids.NewValue(t, hint)
	v.Op, op.Out = op, []*simt.Value{v}
	c.ops = append(c.ops, op)
	return v
}

// binary emits an integer op unless it folds.
func (c *cloner) binary(kind simt.Kind, x, y *simt.Value, hint string) *simt.Value {
	if v := c.ids.Fold(kind, x, y); v != nil {
		return v
	}
	return c.emit(&simt.Op{Kind: kind, Args: []*simt.Value{x, y}}, x.Type, hint)
}

func (c *cloner) less(x, y *simt.Value, hint string) *simt.Value {
	return c.emit(&simt.Op{Kind: simt.Lt, Args: []*simt.Value{x, y}}, simt.Scalar(dtype.Bool), hint)
}

func (c *cloner) choose(cond, x, y *simt.Value, hint string) *simt.Value {
	return c.emit(&simt.Op{Kind: simt.Select, Args: []*simt.Value{cond, x, y}}, x.Type, hint)
}

// shift is an index moved by an offset. A constant part is added last: accesses add it for nothing, and no register holds
// the sum through a loop.
func (c *cloner) shift(index, by *simt.Value) *simt.Value {
	var constant *simt.Value
	if op := index.Op; op != nil && op.Kind == simt.Add {
		if _, ok := simt.ConstOf(op.Args[1]); ok {
			index, constant = op.Args[0], op.Args[1]
		}
	}
	sum := c.ids.Fold(simt.Add, index, by)
	if sum == nil {
		sum = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{index, by}}, index.Type, "")
	}
	if constant != nil {
		sum = c.emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{sum, constant}}, index.Type, "")
	}
	return sum
}
