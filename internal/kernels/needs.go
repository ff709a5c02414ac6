package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// What problems need of a machine whatever the config, for the roofline of races. Where only a part of some tensor is surely read, no more than that
// counts.

// bytesOf is how many bytes of elements a view has in memory.
func bytesOf(elem weft.DType, v tune.View) float64 {
	return float64(elem.Size()) * float64(v.Elements())
}

// multiply adds multiplications and additions of elements, which matrix units do where they do them the fastest: not those of F32 by its own arithmetic.
func multiply(n *tune.Needs, caps target.Caps, elem weft.DType, precision tile.Precision, operations float64) {
	if elem == weft.F32 && precision == tile.IEEE {
		n.Flops += operations
		return
	}
	n.Matrix += operations * leastCost(caps.Facts().Matrix, elem)
}

// leastCost is how many operations of F16 take as long as one of a type on the units that do it the fastest. (Numbers of 8 bits are multiplied four at a time by
// ordinary units; products of F32 by BF16 take three.)
func leastCost(rates target.MatrixRates, elem weft.DType) float64 {
	switch {
	case elem.Size() == 1 && rates.I8 > 0:
		return min(rates.F16/rates.I8, 1)
	case elem.Size() == 1:
		return 0.25
	case elem == weft.F32 && rates.TF32 > 0:
		return rates.F16 / rates.TF32
	}
	return 1
}

func (p MatMulProblem) Needs(caps target.Caps) tune.Needs {
	m, n, k, batch := p.Sizes()
	products := float64(countOf(batch)) * float64(m) * float64(n)
	needs := tune.Needs{Read: bytesOf(p.Elem, p.A) + bytesOf(p.Elem, p.B), Written: products * float64(p.result().Size())}
	multiply(&needs, caps, p.Elem, p.config().Precision, 2*products*float64(k))
	return needs
}

func (p QuantizedProblem) Needs(caps target.Caps) tune.Needs {
	m, n, k := p.sizes()
	needs := tune.Needs{Read: bytesOf(p.Elem, p.A) + float64(p.Weights.Bits)/8*float64(k)*float64(n), Written: float64(p.result().Size()) * float64(m) * float64(n)}
	multiply(&needs, caps, p.Elem, newMatMulConfig(p.Elem, 0).Precision, 2*float64(m)*float64(n)*float64(k))
	return needs
}

// Needs of queries from which no key after theirs is hidden are those of all keys. With a first key nothing is sure of the keys.
func (p AttentionProblem) Needs(caps target.Caps) tune.Needs {
	queries, keys, head := p.Sizes()
	n := tune.Needs{Read: bytesOf(p.Elem, p.Q), Written: float64(p.Elem.Size()) * float64(countOf(p.Q.Shape()))}
	if p.First || queries == 0 {
		return n
	}
	n.Read += bytesOf(p.Elem, p.K) + bytesOf(p.Elem, p.K.With(p.V))
	pairs := float64(queries) * float64(keys)
	if q := float64(min(queries, keys)); p.Last {
		pairs = q*float64(keys) - q*(q-1)/2
	}
	scores := float64(p.Q.Size[0]*p.Q.Size[1]) * pairs
	multiply(&n, caps, p.Elem, newMatMulConfig(p.Elem, 0).Precision, 4*scores*float64(head))
	return n
}

// mostTouched is for how many positions along a dimension of a convolution it is counted what they touch.
const mostTouched = 1 << 20

// touched is how many of the rows, or columns, of an image a convolution reads, and how many products of them with rows of the kernel there are.
func (s Conv2DShape) touched(d int) (touched, products int) {
	rows, columns := s.Result()
	a := []axis{{s.Height, rows, s.Kernel[0], s.Stride[0], s.Dilation[0], s.Padding[0]}, {s.Width, columns, s.Kernel[1], s.Stride[1], s.Dilation[1], s.Padding[2]}}[d]
	return a.touched()
}

// axis is a dimension of a convolution: its size, that of the result, and how the kernel moves.
type axis struct{ size, out, kernel, stride, dilation, before int }

func (a axis) touched() (touched, products int) {
	if max(a.size, a.out*a.kernel) > mostTouched {
		return 0, 0
	}
	seen := make([]bool, a.size)
	for o := range a.out {
		for k := range a.kernel {
			at := o*a.stride + k*a.dilation - a.before
			if at < 0 || at >= a.size {
				continue
			}
			products++
			if !seen[at] {
				seen[at] = true
				touched++
			}
		}
	}
	return touched, products
}

// pixels is how many bytes of images a convolution reads, and how many products of pixels with positions of the kernel there are.
func (s Conv2DShape) pixels(elem weft.DType) (bytes, products float64) {
	rows, down := s.touched(0)
	columns, across := s.touched(1)
	if v := s.Volume; v.Is() {
		depth, through := axis{v.Depth, v.Result(), v.Kernel, v.Stride, v.Dilation, v.Padding[0]}.touched()
		rows, down = rows*depth, down*through
	}
	return float64(elem.Size()) * float64(s.Images*s.Channels) * float64(rows) * float64(columns), float64(s.Images) * float64(down) * float64(across)
}

func (p ConvProblem) Needs(caps target.Caps) tune.Needs {
	s, size := p.Shape, float64(p.Elem.Size())
	read, products := s.pixels(p.Elem)
	n := tune.Needs{Read: read + size*float64(s.Filters*s.Terms()), Written: size * float64(s.Filters) * float64(s.Pixels())}
	multiply(&n, caps, p.Elem, newMatMulConfig(p.Elem, 0).Precision, 2*products*float64(s.Filters)*float64(s.GroupChannels()))
	return n
}

func (p Im2ColProblem) Needs(target.Caps) tune.Needs {
	read, _ := p.Shape.pixels(p.Elem)
	sizes := p.Sizes()
	return tune.Needs{Read: read, Written: float64(p.Elem.Size()) * float64(countOf(sizes[:]))}
}

func (p SoftmaxProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.Rows.With(p.X)), Written: bytesOf(p.Elem, p.Rows)}
}

func (p NormProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Read: bytesOf(p.Elem, p.X.With(p.From)), Written: bytesOf(p.Elem, p.X)}
	if p.Sum {
		n.Written *= 2
	}
	return n
}

func (p ReduceProblem) Needs(target.Caps) tune.Needs {
	shape, _ := p.Result()
	return tune.Needs{Read: bytesOf(p.Elem, p.X), Written: float64(p.Op.Result(p.Elem).Size()) * float64(countOf(shape))}
}

func (p QuantRangeProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.Blocks)}
}

func (p QuantizeProblem) Needs(target.Caps) tune.Needs {
	count := float64(p.Shape[0]) * float64(p.Shape[1])
	real, integers := count*float64(p.Elem.Size()), count*float64(p.View.Bits)/8
	if p.Back {
		return tune.Needs{Read: integers, Written: real}
	}
	return tune.Needs{Read: real, Written: integers}
}

func (p RandomProblem) Needs(target.Caps) tune.Needs {
	n := tune.Needs{Written: float64(p.Elem.Size()) * float64(p.N)}
	if p.Op == "dropout" {
		n.Read = n.Written
	}
	return n
}

// Needs of an embedding are the ids and the result: all ids may name one row.
func (p EmbeddingProblem) Needs(target.Caps) tune.Needs {
	count, _, _ := p.rows()
	return tune.Needs{Read: 4 * float64(count), Written: bytesOf(p.Elem, p.Out)}
}
