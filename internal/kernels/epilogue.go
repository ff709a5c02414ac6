package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// The most steps and tensors that one epilogue has. With the operands, the result and scales the tensors are
// eight bindings, which WebGPU promises.
const (
	MaxSteps  = 4
	MaxInputs = 4
)

// Epilogue is what a kernel does with a matrix of sums before it stores them as the
// result, while they are in registers: it multiplies them by a tensor of scales and the scalar alpha, adds the result's old
// elements times the scalar beta, and applies maps one after the other, each to what the
// one before left and to as many tensors as it has further inputs. The zero value stores
// the sums.
//
// It is a part of configs, and so a key: a map stands for its function. Maps are
// made once, not for every call, since each is a kernel of its own.
type Epilogue struct {
	Alpha, Beta bool                          // whether there are these scalars
	Scaled      bool                          // whether the first of the inputs is the scales
	Steps       [MaxSteps]*weft.Map           // in order, nil after the last
	Inputs      [MaxInputs + 1]EpilogueTensor // the scales and those of the steps, in order
}

// EpilogueTensor says how a tensor broadcasts to the result.
type EpilogueTensor struct {
	Elem       weft.DType
	Rows, Cols bool // whether it differs from row to row and from column to column
}

// Transposed is the epilogue of the transpose of the result.
func (e Epilogue) Transposed() Epilogue {
	for i := range e.Inputs {
		e.Inputs[i].Rows, e.Inputs[i].Cols = e.Inputs[i].Cols, e.Inputs[i].Rows
	}
	return e
}

// fused is an epilogue within a kernel that is being described.
type fused struct {
	Epilogue
	k           *tile.Builder
	alpha, beta *tile.Value
	inputs      []*tile.View
	out         *tile.View
	sum         weft.DType // in which it computes
}

// declare declares the epilogue's scalars and tensors and the result after them. The views
// have batch dimensions and two more.
func (e Epilogue) declare(k *tile.Builder, elem weft.DType, batch int) *fused {
	f := &fused{Epilogue: e, k: k, sum: scalarType(elem)}
	if e.Alpha {
		f.alpha = sumParameter(k, "alpha", f.sum)
	}
	if e.Beta {
		f.beta = sumParameter(k, "beta", f.sum)
	}
	for i, in := range e.Inputs {
		if in.Elem.Valid() {
			f.inputs = append(f.inputs, k.In("x"+string(rune('0'+i)), in.Elem, batch+2))
		}
	}
	if e.Beta {
		f.out = k.InOut("out", elem, batch+2)
	} else {
		f.out = k.Out("out", elem, batch+2)
	}
	return f
}

// scalarType is the type in which an epilogue computes for results of a type: I32 for integers, the accumulator of floats.
func scalarType(elem weft.DType) weft.DType {
	if elem.IsInt() {
		return weft.I32
	}
	return elem.Accumulator()
}

// sumParameter declares a factor of sums of a type: see SumScalars.
func sumParameter(k *tile.Builder, name string, sum weft.DType) *tile.Value {
	if sum.IsInt() {
		return k.Scalar(name, sum)
	}
	return realParameter(k, name, sum)
}

// SumScalars are the scalars of a factor of the sums of results of a type, which is a whole number for integers.
func SumScalars(elem weft.DType, x float64) weft.Scalars {
	if elem.IsInt() {
		return weft.Scalars{int(x)}
	}
	return RealScalars(elem, x)
}

// finish applies the epilogue to a tile of sums [rows,cols] and returns the tile of the result at
// coordinates counted in such tiles.
func (f *fused) finish(x *tile.Value, rows, cols int, at []tile.Operand) *tile.Value {
	x = x.Cast(f.sum)
	next := 0
	if f.Scaled {
		x = x.Mul(f.load(next, at, rows, cols))
		next++
	}
	if f.Alpha {
		x = x.Mul(f.alpha)
	}
	if f.Beta {
		x = x.Add(matrixBlock(f.out, at, rows, cols).Cast(f.sum).Mul(f.beta))
	}
	for _, step := range f.Steps {
		if step == nil {
			break
		}
		values := []*tile.Value{x}
		for range len(step.Inputs()) - 1 {
			values = append(values, f.load(next, at, rows, cols))
			next++
		}
		x = step.Tiles(values...).Cast(f.sum)
	}
	return x.Cast(f.out.Elem)
}

// load loads the part of an input that belongs to a tile of the result, as a tile of that shape.
func (f *fused) load(i int, at []tile.Operand, rows, cols int) *tile.Value {
	at, size := slices.Clone(at), []int{rows, cols}
	for d, differs := range []bool{f.Inputs[i].Rows, f.Inputs[i].Cols} {
		if !differs {
			at[len(at)-2+d], size[d] = 0, 1
		}
	}
	return matrixBlock(f.inputs[i], at, size[0], size[1]).Cast(f.sum).Broadcast(rows, cols)
}

// BroadcastOf says how a tensor broadcasts to a result, given its layout broadcast to the
// result's shape, and drops the rows and columns that it repeats.
func BroadcastOf(elem dtype.Type, l layout.Layout) (EpilogueTensor, layout.Layout) {
	varies := func(d int) bool { return l.Size(d) > 1 && l.Stride(d) != 0 }
	d := l.Rank() - 2
	t := EpilogueTensor{Elem: elem, Rows: varies(d), Cols: varies(d + 1)}
	for i, differs := range []bool{t.Rows, t.Cols} {
		if !differs && l.Size(d+i) > 1 {
			l, _ = l.Slice(d+i, 0, 1, 1) // of a dimension that has an element
		}
	}
	return t, l
}
