package mesh_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

// matrix is a tensor of small numbers, whose products are exact, and the numbers.
func matrix(t testing.TB, r *rand.Rand, dev *weft.Device, elem weft.DType, m, n int, view string) (*weft.Tensor, []float64) {
	x := make([]float64, m*n)
	for i := range x {
		x[i] = float64(r.IntN(3) - 1)
	}
	to := views[view](t, dev, elem, []int{m, n})
	if err := to.CopyFrom(ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, x, m, n))); err != nil {
		t.Fatal(err)
	}
	return to, x
}

// addProduct adds the product of [m,k] and [k,n].
func addProduct(sum, a, b []float64, m, k, n int) {
	for i := range m {
		for j := range n {
			for l := range k {
				sum[i*n+j] += a[i*k+l] * b[l*n+j]
			}
		}
	}
}

// Both products are what their definitions say, again and again on the same memory, for any ranks, views and sizes.
func TestOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	kinds := []string{"dense", "transposed", "strided"}
	for engine, options := range engines {
		for n := 1; n <= min(4, most()); n++ {
			g := open(t, n, options...)
			for range 4 {
				m, k, width, elem := r.IntN(20), 1+r.IntN(9), 1+r.IntN(40), []weft.DType{weft.F32, weft.BF16}[r.IntN(2)]
				var gatherA, gatherB, gatherOut, scatterA, scatterB, scatterOut []*weft.Tensor
				var rows []float64
				var columns [][]float64
				sum := make([]float64, n*m*width)
				for _, dev := range g.Devices() {
					a, values := matrix(t, r, dev, elem, m, k, kinds[r.IntN(3)])
					gatherA, rows = append(gatherA, a), append(rows, values...)
					b, values := matrix(t, r, dev, elem, k, width, kinds[r.IntN(3)])
					gatherB, columns = append(gatherB, b), append(columns, values)
					gatherOut = append(gatherOut, views[kinds[r.IntN(3)]](t, dev, elem, []int{n * m, width}))
					a, left := matrix(t, r, dev, elem, n*m, k, kinds[r.IntN(3)])
					b, right := matrix(t, r, dev, elem, k, width, kinds[r.IntN(3)])
					scatterA, scatterB = append(scatterA, a), append(scatterB, b)
					scatterOut = append(scatterOut, views[kinds[r.IntN(3)]](t, dev, elem, []int{m, width}))
					addProduct(sum, left, right, n*m, k, width)
				}
				for range 2 {
					if err := errors.Join(g.AllGatherMatMul(gatherOut, gatherA, gatherB), g.MatMulReduceScatter(scatterOut, scatterA, scatterB)); err != nil {
						t.Fatal(err)
					}
				}
				for i := range n {
					want := make([]float64, n*m*width)
					addProduct(want, rows, columns[i], n*m, k, width)
					if got := ok[[]float64](t)(weft.ToFloats(gatherOut[i])); !slices.Equal(got, want) {
						t.Errorf("%s, %d ranks, %v [%d,%d] by [%d,%d]: rank %d has %v, want %v", engine, n, elem, n*m, k, k, width, i, got, want)
					}
					if got, want := ok[[]float64](t)(weft.ToFloats(scatterOut[i])), sum[i*m*width:(i+1)*m*width]; !slices.Equal(got, want) {
						t.Errorf("%s, %d ranks, %v [%d,%d] by [%d,%d] summed: rank %d has %v, want %v", engine, n, elem, n*m, k, k, width, i, got, want)
					}
				}
			}
		}
	}
}

// Rows that are cut into pieces give what whole ones do, and memory that a call was given may be written when it has returned.
func TestOverlapPieces(t *testing.T) {
	const n, m, k, width = 2, 512, 16, 512 // several pieces on any device with few units
	g := open(t, n)
	var a, b, out []*weft.Tensor
	for i, dev := range g.Devices() {
		a = append(a, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, i+1, n*m, k)))
		b = append(b, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, k, width)))
		out = append(out, ok[*weft.Tensor](t)(weft.Empty(dev, weft.F32, m, width)))
	}
	for round := range 3 {
		if err := g.MatMulReduceScatter(out, a, b); err != nil {
			t.Fatal(err)
		}
		for i := range a {
			if err := errors.Join(a[i].Fill(i+2+round), b[i].Fill(1)); err != nil {
				t.Fatal(err)
			}
		}
		want := float64(k * (3 + 2*round))
		if round == 0 {
			want = k * 3
		}
		for i := range out {
			for _, x := range ok[[]float64](t)(weft.ToFloats(out[i])) {
				if math.Abs(x-want) > 0 {
					t.Fatalf("round %d: rank %d has %v, want %v", round, i, x, want)
				}
			}
		}
	}
}

// What does not fit together is refused by name.
func TestOverlapRefuses(t *testing.T) {
	g := open(t, 2)
	make_ := func(m, n int) (list []*weft.Tensor) {
		for _, dev := range g.Devices() {
			list = append(list, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, m, n)))
		}
		return list
	}
	for name, err := range map[string]error{
		"rows of out": g.AllGatherMatMul(make_(4, 5), make_(4, 3), make_(3, 5)),
		"inner sizes": g.AllGatherMatMul(make_(8, 5), make_(4, 3), make_(4, 5)),
		"odd rows":    g.MatMulReduceScatter(make_(2, 5), make_(5, 3), make_(3, 5)),
		"columns":     g.MatMulReduceScatter(make_(2, 4), make_(4, 3), make_(3, 5)),
	} {
		if !errors.Is(err, weft.ErrShape) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := g.AllGatherMatMul(nil, make_(4, 3), make_(3, 5)); !errors.Is(err, weft.ErrArgument) {
		t.Errorf("nil: %v", err)
	}
}

// A step with products and collectives that was captured gives, replayed, what its calls give.
func TestCapture(t *testing.T) {
	const m, k = 4, 5
	n := min(3, most())
	g := open(t, n)
	var x, w, y, z []*weft.Tensor
	for i, dev := range g.Devices() {
		x = append(x, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, i+1, m, k)))
		w = append(w, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, k, m)))
		y = append(y, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, m, m)))
		z = append(z, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, n*m, m)))
	}
	step := ok[*mesh.Recording](t)(g.Capture(func(rec []*weft.Recorder) error {
		var sums []*weft.Tensor
		for i := range rec {
			u, v := rec[i].Use(x[i]), rec[i].Use(y[i])
			if err := ops.MatMulInto(v, u, w[i]); err != nil {
				return err
			}
			sums = append(sums, v)
		}
		if err := g.AllReduce(mesh.Sum, sums, sums); err != nil {
			return err
		}
		return g.AllGather(z, sums)
	}))
	defer step.Close()
	if got := ok[[]float64](t)(weft.ToFloats(z[0])); got[0] != 0 {
		t.Errorf("the capture has run: %v", got[0])
	}
	for round := range 3 {
		for i := range x {
			if err := x[i].Fill(i + round); err != nil {
				t.Fatal(err)
			}
		}
		if err := step.Replay(); err != nil {
			t.Fatal(err)
		}
		for i := range z {
			for _, got := range ok[[]float64](t)(weft.ToFloats(z[i])) {
				if want := float64(k * (n*round + n*(n-1)/2)); got != want {
					t.Fatalf("round %d: rank %d has %v, want %v", round, i, got, want)
				}
			}
		}
	}
	host := open(t, 2, mesh.ThroughHost())
	if _, err := host.Capture(func(rec []*weft.Recorder) error {
		var list []*weft.Tensor
		for i, dev := range host.Devices() {
			list = append(list, rec[i].Use(ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 3))))
		}
		return host.AllReduce(mesh.Sum, list, list)
	}); !errors.Is(err, weft.ErrUnsupported) {
		t.Errorf("through the host: %v", err)
	}
}

// memory is how much of its devices' memory the group uses.
func memory(g *mesh.Group) (bytes int64) {
	for _, d := range g.Devices() {
		bytes += d.MemoryStats().InUse
	}
	return bytes
}

// Products that were captured give, replayed, what their calls give, whatever their operands hold by then.
func TestCaptureOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 6 {
		n := 1 + r.IntN(min(4, most()))
		g := open(t, n)
		rows, k, columns := 1+r.IntN(70), 1+r.IntN(40), 1+r.IntN(50)
		fill := func(list []*weft.Tensor) {
			for _, x := range list {
				numbers := make([]float64, x.Len())
				for i := range numbers {
					numbers[i] = float64(r.IntN(5) - 2)
				}
				y := ok[*weft.Tensor](t)(weft.FromFloats(x.Device(), weft.F32, numbers, x.Shape()...))
				if err := x.CopyFrom(y); err != nil {
					t.Fatal(err)
				}
			}
		}
		matrices := func(m, n int) (list []*weft.Tensor) {
			for _, dev := range g.Devices() {
				list = append(list, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 99, m, n)))
			}
			return list
		}
		a, whole, b := matrices(rows, k), matrices(n*rows, k), matrices(k, columns)
		var out, want [3][]*weft.Tensor
		for _, list := range []*[3][]*weft.Tensor{&out, &want} {
			list[0], list[1], list[2] = matrices(n*rows, columns), matrices(rows, columns), matrices(n*rows, columns)
		}
		call := func(out [3][]*weft.Tensor, a, whole []*weft.Tensor) error {
			return errors.Join(g.AllGatherMatMul(out[0], a, b), g.MatMulReduceScatter(out[1], whole, b), g.AllGatherMatMul(out[2], a, b, ops.Fuse(ops.ReLUMap)))
		}
		step := ok[*mesh.Recording](t)(g.Capture(func(rec []*weft.Recorder) error {
			use := func(list []*weft.Tensor) (own []*weft.Tensor) {
				for i := range rec {
					own = append(own, rec[i].Use(list[i]))
				}
				return own
			}
			before := memory(g)
			if err := call([3][]*weft.Tensor{use(out[0]), use(out[1]), use(out[2])}, use(a), use(whole)); err != nil {
				return err
			}
			once := memory(g)
			err := call([3][]*weft.Tensor{use(out[0]), use(out[1]), use(out[2])}, use(a), use(whole))
			if again := memory(g); again-once > (once-before)/2 {
				t.Errorf("a second call takes %d bytes, the first took %d", again-once, once-before)
			}
			return err
		}))
		if got := ok[[]float64](t)(weft.ToFloats(out[0][0])); got[0] != 99 {
			t.Errorf("the capture has run: %v", got[0])
		}
		for range 3 {
			fill(a)
			fill(whole)
			fill(b)
			for range 2 {
				if err := step.Replay(); err != nil {
					t.Fatal(err)
				}
			}
			if err := call(want, a, whole); err != nil {
				t.Fatal(err)
			}
			for what := range out {
				for i := range g.Devices() {
					if got, want := ok[[]float64](t)(weft.ToFloats(out[what][i])), ok[[]float64](t)(weft.ToFloats(want[what][i])); !slices.Equal(got, want) {
						t.Fatalf("%d ranks, %d rows, %d terms, %d columns: product %d of rank %d is %v, want %v", n, rows, k, columns, what, i, got, want)
					}
				}
			}
		}
		if err := step.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A member that is closed is found before others begin, which could neither wait for it nor copy from its memory.
func TestReplayClosed(t *testing.T) {
	g := open(t, 2)
	var a, b, out []*weft.Tensor
	for _, dev := range g.Devices() {
		a = append(a, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, 3, 4)))
		b = append(b, ok[*weft.Tensor](t)(weft.Full(dev, weft.F32, 1, 4, 5)))
		out = append(out, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, 6, 5)))
	}
	step := ok[*mesh.Recording](t)(g.Capture(func(rec []*weft.Recorder) error {
		var to, from []*weft.Tensor
		for i, r := range rec {
			to, from = append(to, r.Use(out[i])), append(from, r.Use(a[i]))
		}
		return g.AllGatherMatMul(to, from, b)
	}))
	if err := step.Replay(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.Synchronize(), g.Devices()[1].Close()); err != nil {
		t.Fatal(err)
	}
	if err := step.Replay(); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("with a closed device: %v", err)
	}
	if err := g.Devices()[0].Synchronize(); err != nil {
		t.Error(err)
	}
	if err := g.AllReduce(mesh.Sum, out, out); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("afterwards: %v", err)
	}
	if err := step.Close(); err != nil {
		t.Error(err)
	}
}

// Products without rows, columns or terms are what ops.MatMul makes of them.
func TestEmptyProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for engine, options := range engines {
		for n := 1; n <= min(3, most()); n++ {
			g := open(t, n, options...)
			for _, size := range [][3]int{{0, 5, 3}, {2, 0, 3}, {2, 5, 0}, {0, 0, 0}} {
				rows, columns, terms := size[0], size[1], size[2]
				b := normals(t, r, g, weft.F32, terms, columns)
				all, part := normals(t, r, g, weft.F32, n*rows, columns), normals(t, r, g, weft.F32, rows, columns)
				if err := errors.Join(g.AllGatherMatMul(all, normals(t, r, g, weft.F32, rows, terms), b),
					g.MatMulReduceScatter(part, normals(t, r, g, weft.F32, n*rows, terms), b),
					g.SequenceMLP(part, part, normals(t, r, g, weft.F32, columns, terms), b, nil), g.Synchronize()); err != nil {
					t.Errorf("%s, %d ranks, %v: %v", engine, n, size, err)
				}
				for _, x := range append(all, part...) {
					if got := ok[[]float64](t)(weft.ToFloats(x)); slices.ContainsFunc(got, func(x float64) bool { return x != 0 }) {
						t.Errorf("%s, %d ranks, %v: %v, want zeros", engine, n, size, got)
					}
				}
			}
		}
	}
}
