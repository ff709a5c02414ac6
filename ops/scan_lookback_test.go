package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tune"
)

// lookBackCase is a cumulative op of rows that many programs share, in parts of few elements.
type lookBackCase struct {
	kind    kernels.ReduceOp
	elem    weft.DType
	shape   []int // of rows, or of columns
	columns bool
	options []ScanOption
	sizes   kernels.ScanSizes
}

func (c lookBackCase) String() string {
	return fmt.Sprintf("%v of %v%v by %+v", c.kind, c.elem, c.shape, c.sizes)
}

func (c lookBackCase) layout() layout.Layout {
	l, err := layout.Contiguous(c.shape...)
	if err != nil {
		panic(err)
	}
	return l
}

// plan is the plan of one pass, which a rule need not choose for so few elements.
func (c lookBackCase) plan(t *testing.T, dev *weft.Device) kernels.ScanPlan {
	p := kernels.ScanProblem{Op: c.kind, Elem: c.elem, Rows: tune.ViewOf(c.layout()), Columns: c.columns}
	if err := p.Legal(dev.Caps(), c.sizes); err != nil {
		t.Fatal(err)
	}
	plan := p.Plan(c.sizes)
	if plan.Words == 0 {
		t.Fatalf("%v: no plan of one pass", c)
	}
	return plan
}

// drawLookBack draws a case: any op, type and form, several rows or columns.
func drawLookBack(r *rand.Rand) lookBackCase {
	c := lookBackCase{
		kind: []kernels.ReduceOp{kernels.ReduceSum, kernels.ReduceProd, kernels.ReduceMax, kernels.ReduceMin}[r.IntN(4)],
		elem: []weft.DType{weft.F32, weft.F16, weft.BF16, weft.F64, weft.I32, weft.U8, weft.I64}[r.IntN(7)],
	}
	c.sizes = kernels.ScanSizes{Cols: 1 << r.IntN(5), Rows: 1, Programs: 1 << 12, Group: 1 << r.IntN(6)}
	length, other := 40*c.sizes.Cols+r.IntN(500), 1+r.IntN(7)
	if c.shape = []int{other, length}; r.IntN(2) == 0 {
		c.shape, c.columns, c.sizes.Rows = []int{length, other}, true, 1<<r.IntN(4)
	}
	if r.IntN(3) == 0 {
		c.shape = append([]int{2}, c.shape...)
	}
	if r.IntN(2) == 0 {
		c.options = append(c.options, Exclusive())
	}
	if r.IntN(2) == 0 {
		c.options = append(c.options, Reverse())
	}
	return c
}

// drawn are elements whose products stay in the range of all types.
func (c lookBackCase) drawn(r *rand.Rand) []float64 {
	x := make([]float64, c.layout().Len())
	for i := range x {
		switch {
		case c.kind == kernels.ReduceProd:
			x[i] = float64(1 - 2*r.IntN(2))
			if c.elem == weft.U8 {
				x[i] = 1
			}
		case c.elem.IsInt():
			x[i] = float64(r.IntN(50))
		default:
			x[i] = float64(float32(r.NormFloat64()))
		}
	}
	return x
}

// verify compares a result with sums in float64. There is a plain order for each row, whatever the programs have.
func (c lookBackCase) verify(x, got []float64) error {
	o := newScan("scan", c.kind, 0, c.options)
	rank := len(c.shape)
	length, inner := c.shape[rank-1], 1
	if c.columns {
		length, inner = c.shape[rank-2], c.shape[rank-1]
	}
	for row := range len(x) / length {
		total, magnitude := 0.0, 0.0
		switch c.kind {
		case kernels.ReduceProd:
			total = 1
		case kernels.ReduceMax:
			total = math.Inf(-1)
		case kernels.ReduceMin:
			total = math.Inf(1)
		}
		for n := range length {
			i := n
			if o.reverse {
				i = length - 1 - n
			}
			at := row/inner*inner*length + i*inner + row%inner
			before := total
			switch v := x[at]; c.kind {
			case kernels.ReduceSum:
				total, magnitude = total+v, magnitude+math.Abs(v)
			case kernels.ReduceProd:
				total *= v
			case kernels.ReduceMax:
				total = max(total, v)
			case kernels.ReduceMin:
				total = min(total, v)
			}
			want := total
			if o.exclusive {
				want = before
			}
			if n == 0 && o.exclusive && c.kind >= kernels.ReduceMax && c.elem.IsInt() {
				continue // the end of the type
			}
			bound := 0.0
			if elem := c.kind.Result(c.elem); elem.IsFloat() && c.kind == kernels.ReduceSum {
				bound = bounds.Sum(elem, n+1, want, magnitude)
			}
			if !(math.Abs(got[at]-want) <= bound) && got[at] != want {
				return fmt.Errorf("element %d is %v, want %v ± %v", at, got[at], want, bound)
			}
		}
	}
	return nil
}

// One pass gives what it should and the same bits in every run, whatever the number of cores and whoever else wants them, in place and replayed.
func TestLookBack(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	r := rand.New(rand.NewPCG(77, 1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var stop atomic.Bool
	defer stop.Store(true)
	go func() { // takes a core now and then, in the middle of programs
		for n := 0; !stop.Load(); n++ {
			if n%1000 == 0 {
				runtime.Gosched()
			}
		}
	}()
	for range 40 {
		c := drawLookBack(r)
		plan, call := c.plan(t, dev), newScan("scan", c.kind, 0, c.options)
		values := c.drawn(r)
		x, err := weft.FromFloats(dev, c.elem, values, c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		if values, err = weft.ToFloats(x); err != nil { // as the type has them
			t.Fatal(err)
		}
		out, err := weft.Empty(dev, c.kind.Result(c.elem), c.shape...)
		if err != nil {
			t.Fatal(err)
		}
		var first []float64
		check := func(out *weft.Tensor, what string) {
			t.Helper()
			got, err := weft.ToFloats(out)
			if err != nil {
				t.Fatalf("%v, %s: %v", c, what, err)
			}
			if first == nil {
				first = got
			}
			if err := c.verify(values, got); err != nil {
				t.Errorf("%v, %s: %v", c, what, err)
			} else if !slices.EqualFunc(first, got, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
				t.Errorf("%v, %s: another result than in the first run", c, what)
			}
		}
		for _, cores := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(cores)
			if err := call.launchPlan(plan, ownView(x), ownView(out)); err != nil {
				t.Fatalf("%v: %v", c, err)
			}
			check(out, fmt.Sprint(cores, " cores"))
		}
		rec, err := dev.Capture(func(rec *weft.Recorder) error {
			return call.launchPlan(plan, ownView(rec.Use(x)), ownView(rec.Use(out)))
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if err := rec.Replay(); err != nil {
				t.Fatal(err)
			}
			check(out, "replayed")
		}
		rec.Close()
		if c.elem == c.kind.Result(c.elem) {
			if err := call.launchPlan(plan, ownView(x), ownView(x)); err != nil {
				t.Fatal(err)
			}
			check(x, "in place")
		}
		x.Close()
		out.Close()
	}
}
