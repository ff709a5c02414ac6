package catalog

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

var quantFlags = []string{"bits", "block", "asymmetric"}

// quantizeOps are those with matrices of few bits.
var quantizeOps = []*Op{
	{Name: "quantize", Function: "Quantize", About: "a matrix of floats [M,N] as integers of 8 or 4 bits with scales", Shape: "MxN",
		Example: "4096x4096 --bits 4 --block 128", Takes: quantFlags, parse: parseQuantize},
	{Name: "dequantize", Function: "Dequantize", About: "integers of 8 or 4 bits with scales [M,N] as floats", Shape: "MxN",
		Example: "4096x4096 --bits 4 --block 128", Takes: quantFlags, parse: parseDequantize},
	{Name: "quantized_matmul", Function: "QuantizedMatMul", About: "y = x @ w.T of floats x [M,K] and weights [N,K] of 8 or 4 bits", Shape: "MxNxK",
		Example: "1x4096x4096 --bits 4 --block 128 --dtype f16", Takes: quantFlags, parse: parseQuantizedMatMul},
}

// quantized are the tensors of a matrix [rows,cols] of few bits.
func (o Options) quantized(rows, cols int) []Operand {
	data := Operand{Name: "data", Elem: weft.I8, Shape: []int{rows, cols}}
	if o.Bits == 4 || o.Asymmetric {
		data.Elem = weft.U8
	}
	if o.Bits == 4 {
		data.Shape = []int{rows, (cols + 1) / 2}
	}
	blocks := 1
	if o.Block > 0 {
		blocks = cols / o.Block
	}
	list := []Operand{data, {Name: "scales", Elem: weft.F32, Shape: []int{rows, blocks}, Data: Positive}}
	if o.Asymmetric {
		list = append(list, Operand{Name: "zeros", Elem: weft.U8, Shape: []int{rows, blocks}})
	}
	return list
}

// join makes a quantised matrix of its tensors.
func (o Options) join(rows, cols int, t []*weft.Tensor) (*weftops.Quantized, error) {
	t = append(t, nil)
	return weftops.NewQuantized(o.scheme(), rows, cols, t[0], t[1], t[2])
}

func (o Options) checkBlock(op string, cols int) error {
	if o.Bits != 4 && o.Bits != 8 {
		return fault.New(weft.ErrArgument, op, "--bits %d, want 4 or 8", o.Bits)
	}
	if o.Block < 0 || o.Block > 0 && cols%o.Block != 0 {
		return fault.New(weft.ErrShape, op, "--block %d does not divide rows of %d", o.Block, cols)
	}
	return nil
}

func parseQuantize(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(2)
	if !ok {
		return nil, wrong("quantize", "MxN", s)
	}
	return &Call{Sizes: sizesOf("M N", shape...), Problem: func(sizes []int) Problem {
		m, n := sizes[0], sizes[1]
		return Problem{
			In:  []Operand{{Name: "x", Elem: o.Elem(), Shape: []int{m, n}}},
			Out: o.quantized(m, n),
			Run: func(out, in []*weft.Tensor) error {
				q, err := o.join(m, n, out)
				if err != nil {
					return err
				}
				return weftops.QuantizeInto(q, in[0])
			},
		}
	}}, o.checkBlock("quantize", shape[1])
}

func parseDequantize(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(2)
	if !ok {
		return nil, wrong("dequantize", "MxN", s)
	}
	return &Call{Sizes: sizesOf("M N", shape...), Problem: func(sizes []int) Problem {
		m, n := sizes[0], sizes[1]
		return Problem{
			In:  o.quantized(m, n),
			Out: []Operand{{Name: "y", Elem: o.Elem(), Shape: []int{m, n}}},
			Run: func(out, in []*weft.Tensor) error {
				q, err := o.join(m, n, in)
				if err != nil {
					return err
				}
				return weftops.DequantizeInto(out[0], q)
			},
		}
	}}, o.checkBlock("dequantize", shape[1])
}

func parseQuantizedMatMul(s Shape, o Options) (*Call, error) {
	shape, ok := s.one(3)
	if !ok {
		return nil, wrong("quantized_matmul", "MxNxK", s)
	}
	return &Call{Sizes: sizesOf("M N K", shape...), Problem: func(sizes []int) Problem {
		m, n, k := sizes[0], sizes[1], sizes[2]
		return Problem{
			In:  append([]Operand{{Name: "x", Elem: o.Elem(), Shape: []int{m, k}}}, o.quantized(n, k)...),
			Out: []Operand{{Name: "y", Elem: o.Elem(), Shape: []int{m, n}}},
			Run: func(out, in []*weft.Tensor) error {
				w, err := o.join(n, k, in[1:])
				if err != nil {
					return err
				}
				return weftops.QuantizedMatMulInto(out[0], in[0], w.T())
			},
		}
	}}, o.checkBlock("quantized_matmul", shape[2])
}
