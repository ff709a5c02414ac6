package catalog

import (
	"cmp"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	weftops "github.com/weftgpu/weft/ops"
)

var (
	quantFlags = []string{"bits", "block", "asymmetric", "codes"}
	readFlags  = append(slices.Clone(quantFlags), "interleaved", "scales")
)

// quantizeOps are those with matrices of few bits.
var quantizeOps = []*Op{
	{Name: "quantize", Function: "Quantize", About: "a matrix of floats [M,N] as integers of 8 or 4 bits with scales", Shape: "MxN",
		Example: "4096x4096 --bits 4 --block 128", Takes: quantFlags, want: "MxN", sizes: []string{"M N"}, check: checkBlock("quantize"),
		problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  []Operand{o.operand("x", sizes...)},
				Out: o.quantized(sizes[0], sizes[1]),
				Run: func(out, in []*weft.Tensor) error {
					return o.join(sizes, out, func(q *weftops.Quantized) error { return weftops.QuantizeInto(q, in[0]) })
				},
			}
		}},
	{Name: "dequantize", Function: "Dequantize", About: "integers of 8 or 4 bits with scales [M,N] as floats", Shape: "MxN",
		Example: "4096x4096 --bits 4 --block 128", Takes: readFlags, want: "MxN", sizes: []string{"M N"}, check: checkBlock("dequantize"),
		problem: func(o Options, _, sizes []int) Problem {
			return Problem{
				In:  o.quantized(sizes[0], sizes[1]),
				Out: []Operand{o.operand("y", sizes...)},
				Run: func(out, in []*weft.Tensor) error {
					return o.join(sizes, in, func(q *weftops.Quantized) error { return weftops.DequantizeInto(out[0], q) })
				},
			}
		}},
	{Name: "quantized_matmul", Function: "QuantizedMatMul", About: "y = x @ w.T of floats x [M,K] and weights [N,K] of 8 or 4 bits", Shape: "MxNxK",
		Example: "1x4096x4096 --bits 4 --block 128 --dtype f16", Takes: readFlags, want: "MxNxK", sizes: []string{"M N K"}, check: checkBlock("quantized_matmul"),
		problem: func(o Options, _, sizes []int) Problem {
			m, n, k := sizes[0], sizes[1], sizes[2]
			return Problem{
				In:  append([]Operand{o.operand("x", m, k)}, o.quantized(n, k)...),
				Out: []Operand{o.operand("y", m, n)},
				Run: func(out, in []*weft.Tensor) error {
					return o.join(sizes[1:], in[1:], func(w *weftops.Quantized) error { return weftops.QuantizedMatMulInto(out[0], in[0], w.T()) })
				},
			}
		}},
}

// quantized are the tensors of a matrix [rows,cols] of few bits.
func (o Options) quantized(rows, cols int) []Operand {
	scheme := o.scheme()
	data := Operand{Name: "data", Elem: scheme.Stored(), Shape: []int{rows, cols}}
	if scheme.Bits == 4 {
		data.Shape = []int{rows, (cols + 1) / 2}
	}
	blocks := 1
	if block := scheme.Block[1]; block > 0 {
		blocks = cols / block
	}
	scales := Operand{Name: "scales", Elem: cmp.Or(dtype.Parse(o.Scales), scheme.ComputedScales()), Shape: []int{rows, blocks}, Data: Positive}
	if scheme.PowersOfTwo {
		scales.Data = Exponents
	}
	list := []Operand{data, scales}
	if o.Asymmetric {
		list = append(list, Operand{Name: "zeros", Elem: weft.U8, Shape: []int{rows, blocks}})
	}
	return list
}

// Quantized makes a quantised matrix of its tensors.
func (o Options) Quantized(rows, cols int, t []*weft.Tensor) (*weftops.Quantized, error) {
	t = append(t[:len(t):len(t)], nil)
	q, err := weftops.NewQuantized(o.scheme(), rows, cols, t[0], t[1], t[2])
	if err == nil && o.Interleaved {
		q.Interleaved = kernels.OrderBlock(q.QuantScheme, cols, 1)
	}
	return q, err
}

// join makes a quantised matrix of a shape of its tensors, for a call.
func (o Options) join(shape []int, t []*weft.Tensor, call func(*weftops.Quantized) error) error {
	q, err := o.Quantized(shape[0], shape[1], t)
	if err != nil {
		return err
	}
	return call(q)
}

// checkBlock checks the blocks of rows, which the last size is the length of.
func checkBlock(op string) func(o Options, typed []int) error {
	return func(o Options, typed []int) error { return o.checkBlock(op, typed[len(typed)-1]) }
}

func (o Options) checkBlock(op string, cols int) error {
	book, known := codeBooks[o.Codes]
	scheme := o.scheme()
	block := scheme.Block[1]
	switch {
	case !known:
		return fault.New(weft.ErrArgument, op, "--codes %s, want nf4, fp4, mxfp4, fp8 or mxfp8", o.Codes)
	case scheme.Bits != 4 && scheme.Bits != 8:
		return fault.New(weft.ErrArgument, op, "--bits %d, want 4 or 8", scheme.Bits)
	case book.Block[1] > 0 && block != book.Block[1]:
		return fault.New(weft.ErrArgument, op, "--block %d, want the %d of %s", block, book.Block[1], o.Codes)
	case block < 0 || block > 0 && cols%block != 0:
		return fault.New(weft.ErrShape, op, "--block %d does not divide rows of %d", block, cols)
	}
	if t := dtype.Parse(o.Scales); o.Scales != "" && (book.PowersOfTwo || !t.IsFloat() || t == weft.F64) {
		return fault.New(weft.ErrArgument, op, "--scales %s, want f32, f16 or bf16, or none with mxfp4 and mxfp8", o.Scales)
	}
	if err := scheme.Check(op, [2]int{1, cols}); err != nil {
		return err
	}
	if o.Interleaved && kernels.OrderBlock(scheme, cols, 1) == 0 {
		return fault.New(weft.ErrShape, op, "--interleaved, of blocks of %d that do not divide rows of %d and --block %d", kernels.WholeBlock(scheme), cols, block)
	}
	return nil
}
