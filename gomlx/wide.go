package gomlx

import (
	"fmt"
	"slices"
	"sync"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/pkg/core/dtypes"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/pkg/errors"

	"github.com/weftgpu/weft"
	element "github.com/weftgpu/weft/elementwise"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// Devices without integers of 64 bits hold tensors of them all the same: weft moves such elements as two words of 32 bits, and its ops
// take I64 as indices. What is computed element by element is computed in pairs of words here, which is what random generators and
// the counters of optimizers need. Sums and products are not.

// isWide reports whether elements are integers of 64 bits.
func isWide(t weft.DType) bool { return t == weft.I64 || t == weft.U64 }

// wideOperands lists the ops that are not element-wise and that take integers of 64 bits as pairs of words, with what of them may be
// such integers: the result and the inputs.
var wideOperands = map[backends.OpType]func(result bool, input int) bool{
	backends.OpTypeParameter:          anyOperand,
	backends.OpTypeConstant:           anyOperand,
	backends.OpTypeIota:               anyOperand,
	backends.OpTypeConcatenate:        anyOperand,
	backends.OpTypePad:                anyOperand,
	backends.OpTypeDynamicSlice:       anyOperand,
	backends.OpTypeDynamicUpdateSlice: anyOperand,
	backends.OpTypeGather:             anyOperand,
	backends.OpTypeBitcast:            anyOperand,
	backends.OpTypeRNGBitGenerator:    anyOperand,
	backends.OpTypeScatterSum:         indicesAlone,
	backends.OpTypeScatterMax:         indicesAlone,
	backends.OpTypeScatterMin:         indicesAlone,
	backends.OpTypeArgMinMax:          func(result bool, _ int) bool { return result },
}

func anyOperand(bool, int) bool { return true }

func indicesAlone(result bool, input int) bool { return !result && input == 1 }

// checkWide refuses integers of 64 bits for ops that pairs of words do not have.
func (b *Builder) checkWide(op backends.OpType, shape shapes.Shape, in []*node) error {
	if !b.backend.pairs || isView(op) {
		return nil
	}
	takes := wideOperands[op]
	if wideOps[op] != nil {
		takes = anyOperand
	}
	refused := func(t dtypes.DType, result bool, input int) bool {
		return isWide(elem(t)) && (takes == nil || !takes(result, input))
	}
	bad := dtypes.InvalidDType
	if refused(shape.DType, true, 0) {
		bad = shape.DType
	}
	for i, n := range in {
		if refused(n.shape.DType, false, i) {
			bad = n.shape.DType
		}
	}
	if bad == dtypes.InvalidDType {
		return nil
	}
	return errors.Errorf("weft: %s: %s has no elements of %s but as pairs of words, which this op does not take", op, b.backend.dev, bad)
}

// wideConstant uploads numbers that the device cannot write itself.
func (p *planner) wideConstant(elem weft.DType, numbers ...uint64) (operand, error) {
	var t *weft.Tensor
	var err error
	if elem == weft.U64 {
		t, err = weft.FromSlice(p.dev, numbers)
	} else {
		signed := make([]int64, len(numbers))
		for i, x := range numbers {
			signed[i] = int64(x)
		}
		t, err = weft.FromSlice(p.dev, signed)
	}
	if err != nil {
		return operand{}, err
	}
	return p.addConstant(t), nil
}

// needsPairs reports whether a kernel on elements of some types computes in pairs of words.
func (p *planner) needsPairs(code []instruction, types []weft.DType) bool {
	return p.b.backend.pairs && (slices.ContainsFunc(types, isWide) || slices.ContainsFunc(code, func(c instruction) bool { return isWide(c.to) }))
}

// wideKernels has the kernels on pairs of words so far, by their text.
var wideKernels sync.Map // of string to *weft.Kernel[wideConfig]

// wideConfig is for operands of so many merged dimensions.
type wideConfig struct{ Rank, Columns int }

// wideKernel computes a group, of whose operands those of 64 bits have a last dimension of two words.
func wideKernel(types []weft.DType, code []instruction) *weft.Kernel[wideConfig] {
	key := fmt.Sprintf("%v %#v", types, code)
	if k, ok := wideKernels.Load(key); ok {
		return k.(*weft.Kernel[wideConfig])
	}
	to := code[len(code)-1].to
	kernel := weft.NewKernel(codeName(code)+"_pairs", func(k *tile.Builder, cfg wideConfig) {
		see := func(name string, elem weft.DType, view func(string, weft.DType, int) *tile.View) *tile.View {
			if isWide(elem) {
				return view(name, weft.U32, cfg.Rank+1)
			}
			return view(name, elem, cfg.Rank)
		}
		views := make([]*tile.View, len(types))
		for i, t := range types {
			views[i] = see(fmt.Sprintf("x%d", i), t, k.In)
		}
		out := see("out", to, k.Out)
		size := k.Int(1)
		for d := range cfg.Rank {
			size = size.Mul(out.Dim(d))
		}
		k.Grid(k.CDiv(size, cfg.Columns))
		at := pointsOf(k.Arange(cfg.Columns).Add(k.ProgramID(0).Mul(cfg.Columns)), out, cfg.Rank)
		in := make([]wide, len(types))
		for i, v := range views {
			if in[i].elem = types[i]; isWide(types[i]) {
				in[i].lo, in[i].hi = v.At(append(at, 0)...).Gather(), v.At(append(at, 1)...).Gather()
			} else {
				in[i].lo = v.At(at...).Gather()
			}
		}
		result := evaluate(k, code, in)
		if !isWide(to) {
			out.At(at...).Scatter(result.lo)
			return
		}
		out.At(append(at, 0)...).Scatter(result.lo)
		out.At(append(at, 1)...).Scatter(result.hi)
	})
	kept, _ := wideKernels.LoadOrStore(key, kernel)
	return kept.(*weft.Kernel[wideConfig])
}

// pointsOf are the coordinates of elements that are counted in row-major order. Those of elements beyond the last are outside of the view.
func pointsOf(index *tile.Value, out *tile.View, rank int) []tile.Operand {
	at := make([]tile.Operand, rank, rank+1)
	for d := rank - 1; d > 0; d-- {
		at[d], index = index.Rem(out.Dim(d)), index.Div(out.Dim(d))
	}
	at[0] = index
	return at
}

// emitPairs appends a kernel of element-wise ops on pairs of words.
func (p *planner) emitPairs(n *node, code []instruction, types []weft.DType, out operand, in ...operand) {
	kernel := wideKernel(types, code)
	p.emit(n, func(out, in []*weft.Tensor) error {
		tensors := append(slices.Clone(in), out[0])
		layouts := make([]layout.Layout, len(tensors))
		for i, t := range tensors {
			l, err := t.Layout().Broadcast(out[0].Shape()...)
			if err != nil {
				return err
			}
			layouts[i] = l
		}
		layouts = layout.CoalesceTogether(layouts...)
		cfg := wideConfig{Rank: layouts[0].Rank(), Columns: min(ceilPow2(out[0].Len()), 256)}
		views := make([]weft.TensorView, len(tensors))
		for i, t := range tensors {
			views[i] = weft.TensorView{Tensor: t, Layout: layouts[i]}
			if isWide(t.DType()) {
				halves, ok := element.Halves(layouts[i])
				if !ok {
					return errors.Errorf("the words of layout %v are too many", layouts[i])
				}
				views[i].Layout, views[i].Elem = halves, weft.U32
			}
		}
		return kernel.LaunchViews(cfg, nil, views...)
	}, out, in...)
	p.steps[len(p.steps)-1].inPlace = true
}
