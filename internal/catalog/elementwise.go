package catalog

import (
	"strings"

	"github.com/weftgpu/weft"
	weftops "github.com/weftgpu/weft/ops"
)

// integers is in the example of an op that takes no floats.
const integers = " --dtype i32"

// elementwiseOps are the functions of single elements.
func elementwiseOps() []*Op {
	list := []*Op{mapOp("add", weftops.AddMap, weft.DType(0), false)}
	for _, e := range weftops.Elementwise() {
		op := mapOp(e.Name, e.Map, e.Out, e.Cond)
		if !e.Types(weft.F32) {
			op.Example += integers
		}
		list = append(list, op)
	}
	return list
}

// mapOp is a function of elements; out is the result's type, if not that of the inputs, and cond says that
// the first input is Bool.
func mapOp(name string, m *weft.Map, out weft.DType, cond bool) *Op {
	inputs := m.Inputs()
	return &Op{
		Name: name, Function: functionName(name), About: name + " of " + strings.Join(inputs, ", ") + ", element by element",
		Shape: "any shape", Example: "1048576", Kind: Elements,
		want: "one shape, that of all operands",
		problem: func(o Options, _, sizes []int) Problem {
			p := Problem{Out: []Operand{o.operand("out", sizes...)}}
			if out.Valid() {
				p.Out[0].Elem = out
			}
			for i, in := range inputs {
				x := o.operand(in, sizes...)
				x.Data = Positive
				if cond && i == 0 {
					x.Elem = weft.Bool
				}
				p.In = append(p.In, x)
			}
			p.Run = func(out, in []*weft.Tensor) error {
				operands := make([]weft.TensorOrNumber, len(in))
				for i, t := range in {
					operands[i] = t
				}
				return m.Into(out[0], operands...)
			}
			return p
		},
	}
}

// dimensions names the sizes of a tensor: N, or M and N, or all by number.
func dimensions(shape []int) []Size {
	names := []string{"", "N", "M N", "B M N"}
	if len(shape) < len(names) {
		return sizesOf(names[len(shape)], shape...)
	}
	list := make([]Size, len(shape))
	for d, n := range shape {
		list[d] = Size{"D" + string(rune('0'+d%10)), n}
	}
	return list
}

// functionName is the Go name of a function of the table.
func functionName(name string) string {
	for _, special := range []string{"ReLU", "LeakyReLU", "ELU", "GELU", "GELUTanh", "SiLU", "SwiGLU", "IsNaN"} {
		if strings.EqualFold(strings.ReplaceAll(name, "_", ""), special) {
			return special
		}
	}
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
