package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
)

// cpuCaps are those of the interpreter.
var cpuCaps = target.Caps{Language: target.TileIR, WholeTiles: true}

// transposedGroups is a matrix [K,N] that was quantised as [N,K] by groups along K: the weights of a layer.
func transposedGroups(group int) kernels.QuantView {
	return kernels.QuantView{QuantScheme: ops.QuantScheme{Bits: 4, Block: [2]int{group, 1}}, Packed: 0, Scale: weft.F32}
}

// transposedCodes is the same for codes of a book in groups of 32, with scales of a type, of which U8 are powers of two.
func transposedCodes(book ops.CodeBook, scale weft.DType) kernels.QuantView {
	v := transposedGroups(32)
	v.Bits, v.Codes, v.Scale, v.PowersOfTwo = book.Bits(), book, scale, scale == weft.U8
	return v
}

// Whatever the shape, the launch rule gives configs that build, and they are among those to try.
func TestQuantizedMatMulConfigs(t *testing.T) {
	views := quantViews(weft.F32)
	for name, view := range map[string]kernels.QuantView{"groups": transposedGroups(128), "few": transposedGroups(24), "odd": transposedGroups(3), "codes": transposedCodes(ops.FP4, weft.U8), "floats": transposedCodes(ops.FP8, weft.F32)} {
		views[name] = view
	}
	for _, caps := range []target.Caps{cpuCaps, wgslCaps, cudaCaps} {
		for name, view := range views {
			for _, shape := range [][3]int{{1, 1, 1}, {1, 4096, 4096}, {3, 14336, 100}, {2, 100, 14336}, {4, 33, 77}, {16, 4096, 4096}, {4096, 4096, 4096}, {17, 5, 3}} {
				for fastest := range 2 {
					m, k, n := shape[0], shape[1], shape[2]
					p := kernels.QuantizedProblem{Elem: weft.F16, A: kernels.MatrixView(m, k, 1), N: n, Weights: view, Fastest: fastest}
					choice := p.Rule(caps)
					if _, err := kernels.MatMul.Build(choice); err != nil {
						t.Errorf("%s %v: %+v: %v", name, shape, choice, err)
					}
					if group := view.Block[0]; group > 0 && group&-group >= 8 && group%choice.BK != 0 && choice.BK%group != 0 {
						t.Errorf("%s %v: steps of %d with groups of %d", name, shape, choice.BK, group)
					}
					if programs := (n + choice.BN - 1) / choice.BN * max(choice.SplitK, 1); choice.RowByRow && k*n >= 1<<24 && programs < 500 {
						t.Errorf("%s %v: %d programs", name, shape, programs)
					}
					list := p.List(caps)
					if list[0] != choice {
						t.Errorf("%s %v: the choice %+v does not come first", name, shape, choice)
					}
					if len(list) > 6 {
						list = slices.Concat(list[1:3], list[len(list)-3:])
					}
					for _, cfg := range list {
						if _, err := kernels.MatMul.Build(cfg); err != nil {
							t.Errorf("%s %v: %+v: %v", name, shape, cfg, err)
						}
					}
				}
			}
		}
	}
}

// A neighbouring integer, and a term that is missing from a sum, are beyond the bounds.
func TestLowBitBoundsAreTight(t *testing.T) {
	if got := bounds.Quantize(weft.F32, 8, 1, 127); got > 0.6 {
		t.Errorf("quantize: the bound %v of integers hides a wrong one", got)
	}
	if got := bounds.Dequantize(weft.F16, 255); got > 0.5 {
		t.Errorf("dequantize: the bound %v of 255 hides a wrong integer", got)
	}
	if got := bounds.QuantizedMatMul(weft.F32, 4096, 0, 4096*0.64, 4096*0.8); got > 0.64 {
		t.Errorf("matmul: the bound %v over 4096 terms hides a term", got)
	}
}

// The largest numbers of a type come back within the bound, and finite: half a step beyond them is none of the type's numbers.
func TestQuantizeLargest(t *testing.T) {
	dev := openCPU(t)
	for _, elem := range floatTypes {
		top := map[weft.DType]float64{weft.F32: math.MaxFloat32, weft.F16: 65504, weft.BF16: 0x1.fep127}[elem]
		for _, x := range [][]float64{{top, -top}, {-top, top / 3}, {top, -top / 255}, {top, 0}, {-top, -top}} {
			m, err := weft.FromFloats(dev, elem, x, 1, len(x))
			if err != nil {
				t.Fatal(err)
			}
			for _, bits := range []int{4, 8} {
				for _, asymmetric := range []bool{false, true} {
					q, err := ops.Quantize(m, ops.QuantScheme{Bits: bits, Asymmetric: asymmetric})
					if err != nil {
						t.Fatal(err)
					}
					scale, err := q.Scales.Item()
					if err != nil {
						t.Fatal(err)
					}
					y, err := ops.Dequantize(q, elem)
					within(t, y, err, x, func(i int) float64 { return bounds.Quantize(elem, bits, scale, x[i]) })
					if t.Failed() {
						t.Fatalf("%v %v in %v", elem, x, q)
					}
				}
			}
		}
	}
}
