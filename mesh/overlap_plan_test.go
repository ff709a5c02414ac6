package mesh

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	"github.com/weftgpu/weft/target"
)

// waveModel is a machine whose launches compute so many rows in a wave, each as long as one.
func waveModel(wave int, arrival float64) *rowModel {
	return &rowModel{
		seconds: func(rows int) float64 { return float64((rows + wave - 1) / wave) },
		waves: func(most int) (list []int) {
			if n := most / wave * wave; n > 0 {
				list = append(list, n)
			}
			return list
		},
		arrival: arrival, copied: func(int) float64 { return 0.01 }, sent: func(rows int) float64 { return arrival * float64(rows) / float64(wave) },
		known: map[int]float64{},
	}
}

// covers checks that a plan has every row once, and none that two launches of memory that is no neighbour would share.
func covers(t *testing.T, o rowOrder, list []stretch) {
	t.Helper()
	seen, next := make([]int, o.world*o.rows), 0
	for _, s := range list {
		if s.from != next || s.to < s.from {
			t.Fatalf("%+v: %v", o, list)
		}
		next = s.to
		at := o.row(s)
		if at < 0 || at+s.to-s.from > len(seen) {
			t.Fatalf("%+v: rows from %d of %v, there are %d", o, at, list, len(seen))
		}
		for x := range s.to - s.from {
			seen[at+x]++
			if part := o.part((s.from + x) / o.rows); (at+x)/o.rows != part {
				t.Fatalf("%+v: row %d of %v is no row of part %d", o, at+x, list, part)
			}
		}
	}
	for row, n := range seen {
		if n != 1 {
			t.Fatalf("%+v: row %d is computed %d times by %v", o, row, n, list)
		}
	}
}

// Every plan has each row once, and takes no longer than one launch for each part.
func TestStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		o := rowOrder{world: 1 + r.IntN(5), rows: 1 + r.IntN(60)}
		o.member = r.IntN(o.world)
		covers(t, o, o.stretches(nil))
		m := waveModel(1+r.IntN(20), 3*r.Float64())
		planned := o.stretches(m)
		covers(t, o, planned)
		if by, whole := o.end(m, planned, 0), o.end(m, o.stretches(nil), 0); by > whole {
			t.Errorf("%+v: %v takes %v, one launch for each part %v", o, planned, by, whole)
		}
	}
	// Three waves of ten rows hold thirty: of two parts of fifteen, the first gives its last five rows to the second.
	o := rowOrder{world: 2, rows: 15}
	if list := o.stretches(waveModel(10, 0.5)); len(list) != 2 || list[0].to != 10 {
		t.Errorf("two parts of fifteen rows in waves of ten: %v", list)
	}
	// Parts that arrive late are not waited for.
	if list := o.stretches(waveModel(10, 5)); list[0].to != 15 {
		t.Errorf("with a late part: %v", list)
	}
}

// What is known of a GPU makes plans: parts of which each leaves most units idle for a wave are not launched one by one, and sums are added
// apart where products take long.
func TestDecisions(t *testing.T) {
	h200, _ := target.PresetNamed("h200")
	m := modelOf(h200.Caps, sizes{rows: 2050, n: 2500, k: 3000, elem: weft.BF16}, 2)
	if m == nil {
		t.Fatal("nothing is known of an H200")
	}
	for member := range 2 {
		o := rowOrder{member: member, world: 2, rows: 2050}
		list := o.stretches(m)
		covers(t, o, list)
		if by, each := o.end(m, list, 0), o.end(m, o.stretches(nil), 0); by > each {
			t.Errorf("%v take %v, one launch for each part %v", list, by, each)
		}
	}
	for _, c := range []struct {
		rows, n, k int
		adds       bool
	}{{1024, 8192, 4096, true}, {7040, 6756, 512, false}} {
		if m := modelOf(h200.Caps, sizes{rows: c.rows, n: c.n, k: c.k, elem: weft.BF16}, 2); (m.launch(c.rows) >= m.added) != c.adds {
			t.Errorf("%+v: a product of %v, adding apart is worth it from %v on", c, m.launch(c.rows), m.added)
		}
	}
	for _, c := range []struct {
		world, rows, n, k int
		first, last       [2]bool
	}{
		{4, 2048, 2048, 8192, [2]bool{}, [2]bool{}},                      // as long as it takes the host to start all that overlaps
		{4, 250, 3000, 1000, [2]bool{true, false}, [2]bool{true, false}}, // not as long
		{2, 32, 1000, 4096, [2]bool{true, true}, [2]bool{true, true}},    // parts of a few rows take as long as all rows
	} {
		m, d := modelOf(h200.Caps, sizes{rows: c.rows, n: c.n, k: c.k, elem: weft.BF16}, c.world), &decisions{}
		for i := range c.world {
			o := rowOrder{member: i, world: c.world, rows: c.rows}
			d.stretches = append(d.stretches, o.stretches(m))
			o.whole = true
			d.whole = append(d.whole, o.stretches(m))
		}
		d.compare(m, c.world, c.rows)
		if d.first != c.first || d.last != c.last {
			t.Errorf("%+v: gathered first %v, scattered last %v", c, d.first, d.last)
		}
	}
	cpu, _ := target.PresetNamed("cpu")
	if m := modelOf(cpu.Caps, sizes{rows: 2050, n: 2500, k: 3000, elem: weft.BF16}, 2); m != nil {
		t.Error("a CPU has no waves")
	}
}

// Products by any plan are what they are by one launch for each part, with their right operands packed, and what was received added apart or not, recorded or not.
func TestPlannedProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 12 {
		world, rows, k, n := 1+r.IntN(4), 1+r.IntN(40), 2+r.IntN(20), 1+r.IntN(30)
		g, err := Open("cpu", world)
		if err != nil {
			t.Fatal(err)
		}
		g.rowModel = waveModel(1+r.IntN(16), 3*r.Float64())
		if r.IntN(2) == 0 { // the first or last part is cut
			g.rowModel.seconds = func(rows int) float64 { return float64(rows) }
			g.rowModel.sent, g.rowModel.arrival = func(rows int) float64 { return 3 * float64(rows) }, 3*float64(rows)
		}
		g.rowModel.added = 100 * float64(r.IntN(2)) // apart, or not
		if r.IntN(4) > 0 {                          // else a collective is for nothing, and nothing overlaps
			g.rowModel.parts = [2]float64{1e9, 1e9}
		}
		var a, whole, b, gathered, scattered []*weft.Tensor
		rand := func(dev *weft.Device, m, n int) *weft.Tensor {
			x := make([]float64, m*n)
			for i := range x {
				x[i] = float64(r.IntN(5) - 2)
			}
			return must(t)(weft.FromFloats(dev, weft.F32, x, m, n))
		}
		for _, dev := range g.Devices() {
			a, whole, b = append(a, rand(dev, rows, k)), append(whole, rand(dev, world*rows, k)), append(b, rand(dev, k, n))
			gathered = append(gathered, must(t)(weft.Full(dev, weft.F32, 99, world*rows, n)))
			scattered = append(scattered, must(t)(weft.Full(dev, weft.F32, 99, rows, n)))
		}
		call := func(gathered, scattered, a, whole []*weft.Tensor) error {
			return errors.Join(g.AllGatherMatMul(gathered, a, b), g.MatMulReduceScatter(scattered, whole, b))
		}
		run, end := func() error { return call(gathered, scattered, a, whole) }, g.Close
		if r.IntN(2) == 0 {
			step, err := g.Capture(func(rec []*weft.Recorder) error {
				lists := [4][]*weft.Tensor{gathered, scattered, a, whole}
				for n, list := range lists {
					lists[n] = make([]*weft.Tensor, world)
					for i, t := range list {
						lists[n][i] = rec[i].Use(t)
					}
				}
				return call(lists[0], lists[1], lists[2], lists[3])
			})
			if err != nil {
				t.Fatal(err)
			}
			run, end = step.Replay, func() error { return errors.Join(step.Close(), g.Close()) }
		}
		for range 2 {
			if err := run(); err != nil {
				t.Fatal(err)
			}
		}
		values := func(list []*weft.Tensor) (all [][]float64) {
			for _, t_ := range list {
				x, err := weft.ToFloats(t_)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, x)
			}
			return all
		}
		left, parts, right, first, second := values(a), values(whole), values(b), values(gathered), values(scattered)
		for rank := range world {
			for i := range world * rows * n {
				row, column := i/n, i%n
				want := 0.0
				for l := range k {
					want += left[row/rows][row%rows*k+l] * right[rank][l*n+column]
				}
				if first[rank][i] != want {
					t.Fatalf("gathered, %d ranks, [%d,%d] by %d: element %d of rank %d is %v, want %v", world, rows, k, n, i, rank, first[rank][i], want)
				}
				if row >= rows {
					continue
				}
				want = 0
				for from := range world {
					for l := range k {
						want += parts[from][(rank*rows+row)*k+l] * right[from][l*n+column]
					}
				}
				if second[rank][i] != want {
					t.Fatalf("scattered, %d ranks, [%d,%d] by %d: element %d of rank %d is %v, want %v", world, rows, k, n, i, rank, second[rank][i], want)
				}
			}
		}
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

func must(t *testing.T) func(*weft.Tensor, error) *weft.Tensor {
	return func(x *weft.Tensor, err error) *weft.Tensor {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// The part whose product nothing hides is cut where copies take long, but not where products do, and not where pieces take as long as the whole.
func TestPieces(t *testing.T) {
	linear := &rowModel{seconds: func(rows int) float64 { return float64(rows) }, known: map[int]float64{}}
	for name, c := range map[string]struct {
		m          *rowModel
		rows, want int
		copied     func(rows int) float64
	}{
		"copies take long":   {linear, 64, 4, func(rows int) float64 { return 2 * float64(rows) }},
		"products take long": {linear, 64, 1, func(rows int) float64 { return float64(rows) / 10 }},
		"odd rows":           {linear, 62, 2, func(rows int) float64 { return 2 * float64(rows) }},
		"one wave":           {waveModel(64, 1), 64, 1, func(rows int) float64 { return 2 * float64(rows) / 64 }},
		"copies begin":       {linear, 64, 1, func(rows int) float64 { return 64 + 2*float64(rows) }},
	} {
		if got := c.m.pieces(4, c.rows, c.copied); got != c.want {
			t.Errorf("%s: %d pieces, want %d", name, got, c.want)
		}
	}
	o := rowOrder{member: 1, world: 4, rows: 8, whole: true}
	cut := o.cutLast(o.stretches(nil), 4)
	covers(t, o, cut)
	if len(cut) != 7 {
		t.Errorf("%v has %d launches, want 7", cut, len(cut))
	}
}
