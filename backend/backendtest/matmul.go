package backendtest

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

var matmulCases = append([]testCase{
	{"MatMulShapes", matmulShapes},
	{"MatMulDefaults", matmulDefaults},
	{"MatMulTransposes", matmulTransposes},
	{"MatMulViews", matmulViews},
	{"MatMulTiles", matmulTiles},
	{"MatMulTF32", matmulTF32},
	{"MatMulMatrixTiles", matmulMatrixTiles},
	{"MatMulWarpGroups", matmulWarpGroups},
	{"MatMulAcross", matmulAcross},
	{"MatMulClusters", matmulClusters},
	{"MatMulTogether", matmulTogether},
	{"MatMulPitch", matmulPitch},
	{"MatMulPacked", matmulPacked},
	{"MatMulDouble", matmulDouble},
	{"MatMulDoubleEpilogue", matmulDoubleEpilogue},
	{"MatMulOverlapRefused", matmulOverlap},
}, productCases...)

// product is a @ b with the bound of its elements.
func product(a, b host, p tile.Precision) (want []float64, bound func(int) float64) {
	m, k, n := a.shape[0], a.shape[1], b.shape[1]
	want, magnitudes := reference.MatMul(m, k, n, a.x, b.x)
	return want, func(i int) float64 { return bounds.MatMul(a.elem, p, k, want[i], magnitudes[i]) }
}

// groups is the order by groups of rows.
func groups(n int) tile.Order { return tile.Order{Kind: tile.GroupedRows, Group: n} }

// smallTiles keep kernels quick to compile, which is most of the time that the suite
// takes on software drivers.
var smallTiles = ops.Tiles(ops.MatMulConfig{BM: 16, BN: 16, BK: 8, Threads: 64})

// thorough says how many of a list of cases an element type gets: all of them for
// F32 and in the full suite, the first n otherwise.
func (s *suite) thorough(elem weft.DType, all, n int) int {
	if elem == weft.F32 || s.full {
		return all
	}
	return min(all, n)
}

func matmulShapes(s *suite) {
	shapes := [][3]int{
		{17, 33, 29}, {1, 64, 100}, {5, 0, 3}, {64, 64, 64}, // for every type
		{1, 1, 1}, {1, 7, 1}, {100, 64, 1}, {2, 3, 5}, {130, 5, 67}, {33, 257, 65},
		{128, 16, 128}, {200, 1, 3}, {0, 4, 3}, {5, 4, 0}, {0, 0, 0},
	}
	for _, elem := range floatTypes {
		for _, c := range shapes[:s.thorough(elem, len(shapes), 4)] {
			multiply(s, elem, c, dense, dense, sliced, smallTiles)
		}
	}
}

// matmulDefaults runs the configs that the launch rule chooses.
func matmulDefaults(s *suite) {
	shapes := more(s, [][3]int{{130, 67, 65}, {192, 64, 128}}, [][3]int{{300, 500, 700}, {513, 1025, 257}, {1, 4096, 1000}, {1000, 300, 1}, {1024, 1024, 1024}}...)
	for _, elem := range floatTypes {
		for _, c := range shapes {
			multiply(s, elem, c, dense, dense, dense)
		}
	}
	for _, elem := range []weft.DType{weft.F16, weft.BF16} { // of which threads load vectors that begin anywhere, and copy others
		multiply(s, elem, [3]int{56, 271, 8}, transposed, transposed, dense)
	}
}

// multiply checks one product of operands in given forms.
func multiply(s *suite, elem weft.DType, shape [3]int, fa, fb, fo form, options ...ops.MatMulOption) {
	s.Helper()
	multiplyAs(s, elem, tile.IEEE, shape, fa, fb, fo, options...)
}

// multiplyAs is multiply within the bounds of a precision.
func multiplyAs(s *suite, elem weft.DType, p tile.Precision, shape [3]int, fa, fb, fo form, options ...ops.MatMulOption) {
	s.Helper()
	multiplyTensors(s, elem, elem, p, shape[:2], shape[1:], fa, fb, fo, options...)
}

func matmulTransposes(s *suite) {
	shapes := [][3]int{{37, 53, 41}, {64, 128, 32}}
	for _, elem := range floatTypes {
		for _, c := range shapes[:s.thorough(elem, len(shapes), 1)] {
			for _, fa := range []form{dense, transposed} {
				for _, fb := range []form{dense, transposed} {
					multiply(s, elem, c, fa, fb, dense, smallTiles)
				}
			}
		}
	}
}

func matmulViews(s *suite) {
	for _, elem := range floatTypes {
		for _, fa := range forms {
			for _, fo := range forms[:s.thorough(elem, len(forms), 1)] {
				multiply(s, elem, [3]int{35, 50, 43}, fa, forms[s.rng.IntN(len(forms))], fo, smallTiles)
			}
		}
	}
	// A broadcast operand: every row of a is the same.
	row, b := s.random(weft.F32, 1, 20), s.random(weft.F32, 20, 30)
	wide := s.ok(s.tensor(row).Broadcast(9, 20))
	s.part(weft.F32, repeated)
	a := host{weft.F32, []int{9, 20}, broadcastTo(s, row, []int{9, 20})}
	s.result(s.ok(ops.MatMul(wide, s.tensor(b), smallTiles))).check(product(a, b, tile.IEEE))
}

// Tiles of several shapes; groups that do not divide the rows, and many steps.
func matmulTiles(s *suite) {
	tiles := []ops.MatMulConfig{
		{BM: 32, BN: 16, BK: 8, Order: groups(3), Threads: 32}, {BM: 16, BN: 64, BK: 32, Order: groups(8), Threads: 64},
		{BM: 64, BN: 64, BK: 16, Order: groups(2), Threads: 128}, {BM: 128, BN: 64, BK: 8, Order: groups(5), Threads: 256},
		{BM: 128, BN: 128, BK: 16, Order: groups(8), Threads: 256}, {BM: 8, BN: 32, BK: 4, Order: groups(1)},
	}
	for _, elem := range floatTypes {
		for _, cfg := range tiles[:either(s, 2, len(tiles))] {
			multiply(s, elem, [3]int{150, 70, 101}, dense, transposed, dense, ops.Tiles(cfg))
		}
	}
}

func matmulTF32(s *suite) {
	a, b := s.random(weft.F32, 65, 130), s.random(weft.F32, 130, 70)
	for _, precision := range []tile.Precision{tile.TF32, tile.TF32x3} {
		s.result(s.ok(ops.MatMul(s.tensor(a), s.tensor(b), ops.Precision(precision), smallTiles))).check(product(a, b, precision))
	}
}

func matmulOverlap(s *suite) {
	x := s.random(weft.F32, 8, 8)
	t, other := s.tensor(x), s.tensor(x)
	for name, err := range map[string]error{
		"out is a":   ops.MatMulInto(t, t, other, smallTiles),
		"out is b.T": ops.MatMulInto(t, other, t.T()),
	} {
		s.refused(name, weft.ErrUnsupported, err)
	}
	s.compare(t, x.x, nil)
}

// matmulMatrixTiles runs tiles that matrix instructions fill, where a device has some, with one stage and with
// several: operands in either order and at odd offsets, edges, few steps and many. To other devices these are ordinary tiles.
func matmulMatrixTiles(s *suite) {
	steps, operands := []int{1, 2, 4}, []form{dense, transposed, sliced}
	if s.dev.Caps().MatrixTypes() == 0 && !s.full {
		steps, operands = steps[1:2], operands[:1]
	}
	for _, stages := range steps {
		tiles := ops.Tiles(ops.MatMulConfig{BM: 32, BN: 32, BK: 32, Threads: 64, Stages: stages})
		for i, f := range operands {
			for _, elem := range floatTypes {
				g := []form{transposed, sliced, dense}[i]
				multiply(s, elem, [3]int{70, 100, 90}, f, g, dense, tiles)
				multiply(s, elem, [3]int{64, 32 * (i + 1), 64}, f, f, dense, tiles)
				for _, precision := range []tile.Precision{tile.TF32, tile.TF32x3} {
					if elem == weft.F32 {
						multiplyAs(s, elem, precision, [3]int{64, 96, 72}, f, g, dense, tiles, ops.Precision(precision))
						multiplyAs(s, elem, precision, [3]int{33, 50, 70}, f, f, dense, tiles, ops.Precision(precision))
					}
				}
			}
			multiplyBatch(s, weft.I8, weft.I32, []int{40, 96}, []int{96, 64}, f, dense, dense, tiles)
			multiplyBatch(s, weft.U8, weft.I32, []int{33, 70}, []int{70, 31}, dense, f, dense, tiles)
		}
	}
}

// matmulWarpGroups runs tiles that warpgroups fill; they are too large for other devices.
func matmulWarpGroups(s *suite) {
	if !s.dev.Caps().WarpGroups {
		return
	}
	for i, cfg := range []ops.MatMulConfig{
		{BM: 64, BN: 64, BK: 64, Threads: 128, Stages: 3}, {BM: 128, BN: 128, BK: 64, Threads: 256, Stages: 2},
		{BM: 128, BN: 256, BK: 64, Threads: 256, Stages: 4}, {BM: 64, BN: 128, BK: 128, Threads: 128, Stages: 1},
	} {
		elem := []weft.DType{weft.F16, weft.BF16}[i%2]
		f, g := []form{dense, transposed, sliced}[i%3], []form{transposed, dense}[i%2]
		multiply(s, elem, [3]int{256, 256, 256}, f, f, dense, ops.Tiles(cfg))
		multiply(s, elem, [3]int{200, 190, 270}, f, g, dense, ops.Tiles(cfg))
		multiply(s, elem, [3]int{136, 72, 264}, g, g, sliced, ops.Tiles(cfg))
	}
	if s.dev.Caps().TensorMaps {
		matmulPingPong(s)
	}
}

// matmulPingPong runs persistent programs with ping-pong consumer groups, and with the wgmma of two steps outstanding: with several tiles
// for each group, with one for the first alone, and with steps that are fewer than stages.
func matmulPingPong(s *suite) {
	for i, cfg := range []ops.MatMulConfig{
		{BM: 128, BN: 128, BK: 64, Threads: 128, Stages: 4, Producers: 1, Consumers: 2, Persistent: 3},
		{BM: 64, BN: 64, BK: 64, Threads: 128, Stages: 3, Producers: 1, Consumers: 3, Persistent: 2},
		{BM: 128, BN: 128, BK: 64, Threads: 128, Stages: 4, Producers: 1, Consumers: 2, InFlight: 2, Persistent: 1},
		{BM: 128, BN: 256, BK: 64, Threads: 256, Stages: 4, Producers: 1, Persistent: 2, InFlight: 2},
	} {
		elem := []weft.DType{weft.F16, weft.BF16}[i%2]
		f, g := []form{dense, transposed}[i/2], []form{transposed, dense}[i%2]
		for _, size := range [][3]int{{640, 512, 576}, {100, 72, 96}, {264, 904, 512}} {
			multiply(s, elem, size, f, g, dense, ops.Tiles(cfg))
		}
	}
}

// matmulClusters runs products whose workgroups copy an operand for each other: each copies half of its rows, or one of two consecutive
// parts; with a program for each tile and with a few for all, with odd numbers of tiles and with reductions that are split among programs.
func matmulClusters(s *suite) {
	if caps := s.dev.Caps(); !caps.Clusters || !caps.TensorMaps {
		return
	}
	for i, cfg := range []ops.MatMulConfig{
		{BM: 128, BN: 256, BK: 64, Threads: 256, Stages: 4}, {BM: 128, BN: 256, BK: 64, Threads: 256, Stages: 4, Persistent: 132},
		{BM: 128, BN: 128, BK: 64, Threads: 256, Stages: 3, Persistent: 4}, {BM: 64, BN: 64, BK: 64, Threads: 128, Stages: 2, Persistent: 2},
		{BM: 64, BN: 128, BK: 128, Threads: 128, Stages: 2}, {BM: 128, BN: 128, BK: 64, Threads: 256, Stages: 1, SplitK: 3},
		{BM: 128, BN: 128, BK: 64, Threads: 128, Stages: 4, Persistent: 4, Consumers: 2, InFlight: 2},
	} {
		elem := []weft.DType{weft.F16, weft.BF16}[i%2]
		cfg.Producers, cfg.Cluster = 1, 2
		for _, f := range []form{dense, transposed} {
			multiply(s, elem, [3]int{256, 512, 256}, dense, f, dense, ops.Tiles(cfg))
			multiply(s, elem, [3]int{200, 192, 272}, f, f, dense, ops.Tiles(cfg))
			multiply(s, elem, [3]int{840, 520, 328}, f, dense, sliced, ops.Tiles(cfg))
		}
	}
	for i, cfg := range []ops.MatMulConfig{ // that share K
		{BM: 128, BN: 256, BK: 64, Threads: 256, Stages: 4, Producers: 1}, {BM: 128, BN: 128, BK: 64, Threads: 256, Stages: 6, Producers: 1},
		{BM: 64, BN: 64, BK: 64, Threads: 128, Stages: 2, Producers: 1}, {BM: 64, BN: 16, BK: 64, Threads: 128, Stages: 3, Producers: 1}, {BM: 32, BN: 32, BK: 32, Threads: 128, Stages: 2},
	} {
		elem := []weft.DType{weft.F16, weft.BF16}[i%2]
		cfg.ClusterK = true
		for _, f := range []form{dense, transposed} {
			multiply(s, elem, [3]int{256, 512, 256}, dense, f, dense, ops.Tiles(cfg))
			multiply(s, elem, [3]int{200, 72, 272}, f, f, dense, ops.Tiles(cfg))
			multiply(s, elem, [3]int{440, 328, 40}, f, dense, sliced, ops.Tiles(cfg))
		}
	}
	multiplyBatch(s, weft.I8, weft.I32, []int{640, 384}, []int{384, 272}, dense, transposed, dense, ops.Tiles(ops.MatMulConfig{BM: 128, BN: 128, BK: 128, Threads: 256, Stages: 3, Producers: 1, ClusterK: true}))
	multiplyBatch(s, weft.F16, weft.F16, []int{3, 320, 192}, []int{3, 192, 264}, dense, dense, dense, ops.Tiles(ops.MatMulConfig{BM: 64, BN: 128, BK: 64, Threads: 128, Stages: 4, Producers: 1, ClusterK: true}))
	multiply(s, weft.F32, [3]int{70, 90, 50}, dense, dense, sliced, ops.Tiles(ops.MatMulConfig{BM: 32, BN: 32, BK: 16, Threads: 128, Stages: 1, ClusterK: true}))
	bytes := ops.MatMulConfig{BM: 128, BN: 128, BK: 128, Threads: 256, Stages: 3, Producers: 1, Cluster: 2, Persistent: 6}
	multiplyBatch(s, weft.I8, weft.I32, []int{640, 384}, []int{384, 272}, dense, transposed, dense, ops.Tiles(bytes))
	multiplyBatch(s, weft.F16, weft.F16, []int{3, 320, 128}, []int{3, 128, 264}, dense, dense, dense, ops.Tiles(ops.MatMulConfig{BM: 64, BN: 128, BK: 64, Threads: 128, Stages: 4, Producers: 1, Cluster: 2, Persistent: 8}))
}

// matmulPacked packs operands of any form, and where there are matrix instructions those of a product that is large enough.
func matmulPacked(s *suite) {
	tiles := ops.Tiles(ops.MatMulConfig{BM: 16, BN: 16, BK: 16, Threads: 64})
	for _, elem := range floatTypes {
		for _, fa := range forms[:s.thorough(elem, len(forms), 2)] {
			multiply(s, elem, [3]int{35, 51, 43}, fa, forms[s.rng.IntN(len(forms))], dense, tiles, ops.Pack(true))
		}
	}
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		if s.dev.Caps().MatrixTypes().Has(elem) {
			multiply(s, elem, [3]int{1023, 1025, 1021}, dense, transposed, dense)
		}
	}
}
