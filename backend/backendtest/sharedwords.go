package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/tile"
)

// neighbours is what the kernel of testNeighbours is built for.
type neighbours struct {
	elem        weft.DType
	heads, rows int
	first, rest int // elements of tiles of the first view, in two halves, and of the second
	threads     int
}

// neighbouring doubles the elements of one view, and copies those of another view of the same memory.
var neighbouring = weft.NewKernel("neighbours", func(k *tile.Builder, c neighbours) {
	x, y := k.In("x", c.elem, 4), k.In("y", c.elem, 3)
	double, copied := k.Out("double", c.elem, 4), k.Out("copied", c.elem, 3)
	k.Schedule(tile.Schedule{Threads: c.threads})
	at := k.ProgramTile(double, c.heads, c.rows, 0, c.first)
	for i := range 2 {
		at[2] = i
		half := func(v *tile.View) tile.Block { return v.Block(c.heads, c.rows, 1, c.first).Squeeze(2) }
		v := half(x).Load(at...)
		half(double).Store(v.Add(v), at...)
	}
	rest := []tile.Operand{at[0], at[1], at[3]}
	copied.Block(c.heads, c.rows, c.rest).Store(y.Block(c.heads, c.rows, c.rest).Load(rest...), rest...)
})

// testNeighbours has two results in one memory, whose elements are side by side within words of 32 bits: no store touches what the
// other one writes, or is lost. Rows have odd lengths and begin anywhere, as do heads.
func testNeighbours(s *suite) {
	caps := s.dev.Caps()
	for i, c := range more(s, [][5]int{{3, 40, 9, 5, 0}, {1, 33, 32, 31, 1}, {4, 7, 3, 1, 2}}, [][5]int{{2, 20, 64, 64, 3}, {1, 70, 17, 16, 0}, {2, 9, 8, 3, 1}, {3, 5, 1, 40, 2}}...) {
		heads, rows, half, rest, offset := c[0], c[1], c[2], c[3], c[4]
		for j, elem := range []weft.DType{weft.F16, weft.BF16, weft.I8} {
			width := 2*half + rest
			strides := []int{rows * width, width}
			if (i+j)%2 > 0 { // heads side by side
				strides = []int{width, heads * width}
			}
			view := func(t *weft.Tensor, at int, shape, inner []int) weft.TensorView {
				l, err := layout.Strided(append([]int{heads, rows}, shape...), append(strides[:2:2], inner...), offset+at)
				s.try(err)
				return weft.TensorView{Tensor: t, Layout: l}
			}
			first := func(t *weft.Tensor) weft.TensorView { return view(t, 0, []int{2, half}, []int{half, 1}) }
			second := func(t *weft.Tensor) weft.TensorView { return view(t, 2*half, []int{rest}, []int{1}) }
			x := filled(elem, 0, offset+heads*rows*width).each(func(i int, _ float64) float64 { return float64(i%60 + 1) })
			cfg := neighbours{elem, min(pow2.Ceil(heads), 2), min(pow2.Ceil(rows), 16), pow2.Ceil(half), pow2.Ceil(rest), caps.FitThreads(32 << (j % 3))}
			for _, inPlace := range []bool{false, true} {
				from := s.tensor(x)
				to := from
				if !inPlace {
					to = s.tensor(filled(elem, 0, len(x.x)))
				}
				s.try(neighbouring.LaunchViews(cfg, nil, first(from), second(from), first(to), second(to)))
				want := make([]float64, len(x.x))
				for i, x := range x.x {
					switch at := i - offset; {
					case at < 0 && inPlace:
						want[i] = x
					case at < 0:
					case at%width < 2*half:
						want[i] = 2 * x
					default:
						want[i] = x
					}
				}
				s.compare(to, want, nil)
			}
		}
	}
}
