package mesh_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/mesh"
)

// ok is a value, or the end of the test.
func ok[T any](t testing.TB) func(x T, err error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// backendEnv names the backend whose devices the tests use, the CPU's if it is not set.
const backendEnv = "WEFT_MESH_BACKEND"

func backendName() string { return cmp.Or(os.Getenv(backendEnv), "cpu") }

// most is how many devices there are, as many as wanted of the CPU.
var most = sync.OnceValue(func() int {
	if backendName() == "cpu" {
		return 64
	}
	n := 0
	for _, d := range weft.Devices() {
		if d.Backend == backendName() && d.Refused == nil {
			n++
		}
	}
	return n
})

// open is a group of n devices. The test is skipped where there are not so many.
func open(t testing.TB, n int, options ...mesh.Option) *mesh.Group {
	t.Helper()
	if n > most() {
		testenv.Skip(t, backendName(), "the test needs more devices")
	}
	g := ok[*mesh.Group](t)(mesh.Open(backendName(), n, options...))
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// engines are the ways by which a group of CPU devices runs collectives.
var engines = map[string][]mesh.Option{"native": nil, "host": {mesh.ThroughHost()}}

// views make a tensor of a shape from a larger one: dense, transposed, every second column of a part, reversed.
var views = map[string]func(t testing.TB, dev *weft.Device, elem weft.DType, shape []int) *weft.Tensor{
	"dense": func(t testing.TB, dev *weft.Device, elem weft.DType, shape []int) *weft.Tensor {
		return ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, shape...))
	},
	"transposed": func(t testing.TB, dev *weft.Device, elem weft.DType, shape []int) *weft.Tensor {
		return ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, shape[1], shape[0])).T()
	},
	"strided": func(t testing.TB, dev *weft.Device, elem weft.DType, shape []int) *weft.Tensor {
		x := ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, shape[0]+2, 2*shape[1]+1))
		return ok[*weft.Tensor](t)(x.Slices(weft.Span(1, shape[0]+1), weft.Span(1, 2*shape[1]+1).By(2)))
	},
	"reversed": func(t testing.TB, dev *weft.Device, elem weft.DType, shape []int) *weft.Tensor {
		return ok[*weft.Tensor](t)(ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, shape...)).Flip(0, 1))
	},
}

// small are numbers that every type holds and whose sums and products of five it holds, too.
func small(r *rand.Rand, elem weft.DType, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(r.IntN(4))
		if elem.IsSigned() || elem.IsFloat() {
			x[i] -= 2
		}
		if elem == weft.Bool {
			x[i] = float64(r.IntN(2))
		}
	}
	return x
}

// reductions are the definitions that the tests go by.
var reductions = map[mesh.Reduction]func(x, y float64) float64{
	mesh.Sum:  func(x, y float64) float64 { return x + y },
	mesh.Prod: func(x, y float64) float64 { return x * y },
	mesh.Max:  math.Max,
	mesh.Min:  math.Min,
}

// collective is a collective with its definition: the elements that rank gets of those that all have.
type collective struct {
	name     string
	dst, src func(n int) int // rows for n ranks
	reduces  bool
	run      func(g *mesh.Group, r mesh.Reduction, dst, src []*weft.Tensor) error
	want     func(f func(x, y float64) float64, src [][]float64, rank int) []float64
}

func rows(n int) func(int) int { return func(int) int { return n } }

func times(n int) func(int) int { return func(ranks int) int { return n * ranks } }

func reduced(f func(x, y float64) float64, src [][]float64) []float64 {
	sum := slices.Clone(src[0])
	for _, x := range src[1:] {
		for i := range sum {
			sum[i] = f(sum[i], x[i])
		}
	}
	return sum
}

func block(x []float64, i, n int) []float64 { return x[i*len(x)/n : (i+1)*len(x)/n] }

var collectives = []collective{
	{"all-reduce", rows(3), rows(3), true,
		func(g *mesh.Group, r mesh.Reduction, dst, src []*weft.Tensor) error { return g.AllReduce(r, dst, src) },
		func(f func(x, y float64) float64, src [][]float64, _ int) []float64 { return reduced(f, src) }},
	{"all-gather", times(3), rows(3), false,
		func(g *mesh.Group, _ mesh.Reduction, dst, src []*weft.Tensor) error { return g.AllGather(dst, src) },
		func(_ func(x, y float64) float64, src [][]float64, _ int) []float64 { return slices.Concat(src...) }},
	{"reduce-scatter", rows(3), times(3), true,
		func(g *mesh.Group, r mesh.Reduction, dst, src []*weft.Tensor) error {
			return g.ReduceScatter(r, dst, src)
		},
		func(f func(x, y float64) float64, src [][]float64, rank int) []float64 {
			return block(reduced(f, src), rank, len(src))
		}},
	{"all-to-all", times(2), times(2), false,
		func(g *mesh.Group, _ mesh.Reduction, dst, src []*weft.Tensor) error { return g.AllToAll(dst, src) },
		func(_ func(x, y float64) float64, src [][]float64, rank int) (out []float64) {
			for _, x := range src {
				out = append(out, block(x, rank, len(src))...)
			}
			return out
		}},
	{"broadcast", rows(3), rows(3), false,
		func(g *mesh.Group, _ mesh.Reduction, dst, src []*weft.Tensor) error {
			for i := range dst {
				if err := dst[i].CopyFrom(src[i]); err != nil {
					return err
				}
			}
			return g.Broadcast(g.Size()-1, dst)
		},
		func(_ func(x, y float64) float64, src [][]float64, _ int) []float64 { return src[len(src)-1] }},
	{"exchange", rows(3), rows(3), false,
		func(g *mesh.Group, _ mesh.Reduction, dst, src []*weft.Tensor) error {
			var all []mesh.Transfer
			for i := range dst {
				all = append(all, mesh.Transfer{From: i, To: (i + 1) % len(dst), Src: src[i], Dst: dst[(i+1)%len(dst)]})
			}
			return g.Exchange(all...)
		},
		func(_ func(x, y float64) float64, src [][]float64, rank int) []float64 {
			return src[(rank+len(src)-1)%len(src)]
		}},
}

// Every collective of every type gives what its definition says, for any number of ranks, any width and any views; memory around a result stays.
func TestCollectives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range views {
			if !yield(name) {
				return
			}
		}
	})
	for engine, options := range engines {
		for n := 1; n <= min(5, most()); n++ {
			g := open(t, n, options...)
			for _, c := range collectives {
				for _, elem := range dtype.All() {
					for reduction, f := range reductions {
						if reduction != mesh.Sum && !c.reduces || c.reduces && elem == weft.Bool {
							continue
						}
						width, from, to := []int{0, 1, 7, 33}[r.IntN(4)], names[r.IntN(len(names))], names[r.IntN(len(names))]
						name := fmt.Sprintf("%s: %s of %v %v, %d ranks, width %d, %s to %s", engine, c.name, elem, reduction, n, width, from, to)
						checkCollective(t, name, g, c, elem, reduction, f, width, from, to, r)
					}
				}
			}
		}
	}
}

func checkCollective(t *testing.T, name string, g *mesh.Group, c collective, elem weft.DType, reduction mesh.Reduction, f func(x, y float64) float64,
	width int, from, to string, r *rand.Rand) {
	var src, dst []*weft.Tensor
	var values [][]float64
	for _, dev := range g.Devices() {
		x := small(r, elem, c.src(g.Size())*width)
		values = append(values, x)
		s := views[from](t, dev, elem, []int{c.src(g.Size()), width})
		whole := ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, x, c.src(g.Size()), width))
		if err := s.CopyFrom(whole); err != nil {
			t.Fatal(name, err)
		}
		src, dst = append(src, s), append(dst, views[to](t, dev, elem, []int{c.dst(g.Size()), width}))
	}
	if err := c.run(g, reduction, dst, src); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for rank, d := range dst {
		got, want := ok[[]float64](t)(weft.ToFloats(d)), c.want(f, values, rank)
		if !slices.Equal(got, want) {
			t.Errorf("%s: rank %d has %v, want %v", name, rank, got, want)
			return
		}
		if kept := ok[[]float64](t)(weft.ToFloats(src[rank])); !slices.Equal(kept, values[rank]) {
			t.Errorf("%s: the operand of rank %d changed", name, rank)
		}
	}
}

// Sums of floats are within one rounding a rank of the exact sum, and in place as well as not.
func TestAllReduceRounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for engine, options := range engines {
		for _, elem := range []weft.DType{weft.F16, weft.BF16, weft.F32} {
			n, size := min(4, most()), 1001
			g := open(t, n, options...)
			exact, scale := make([]float64, size), make([]float64, size)
			var x []*weft.Tensor
			for _, dev := range g.Devices() {
				values := make([]float64, size)
				for i := range values {
					values[i] = float64(dtype.Round(elem, r.NormFloat64()))
					exact[i] += values[i]
					scale[i] += math.Abs(values[i])
				}
				x = append(x, ok[*weft.Tensor](t)(weft.FromFloats(dev, elem, values)))
			}
			if err := g.AllReduce(mesh.Sum, x, x); err != nil {
				t.Fatal(err)
			}
			first := ok[[]float64](t)(weft.ToFloats(x[0]))
			for i, got := range first {
				if math.Abs(got-exact[i]) > float64(n)*elem.Epsilon()*scale[i] {
					t.Fatalf("%s %v: sum %d is %v, want %v", engine, elem, i, got, exact[i])
				}
			}
			for rank := range n {
				if !slices.Equal(first, ok[[]float64](t)(weft.ToFloats(x[rank]))) {
					t.Errorf("%s %v: rank %d has another sum", engine, elem, rank)
				}
			}
		}
	}
}

// What does not fit together is refused by name before anything is started.
func TestRefusals(t *testing.T) {
	g, other := open(t, 2), open(t, 1)
	d := g.Devices()
	tensor := func(dev *weft.Device, elem weft.DType, shape ...int) *weft.Tensor {
		return ok[*weft.Tensor](t)(weft.Full(dev, elem, 1, shape...))
	}
	a, b := tensor(d[0], weft.F32, 4, 3), tensor(d[1], weft.F32, 4, 3)
	foreign, short, half := tensor(other.Devices()[0], weft.F32, 4, 3), tensor(d[1], weft.F32, 3, 3), tensor(d[1], weft.F16, 4, 3)
	closed := tensor(d[1], weft.F32, 4, 3)
	closed.Close()
	repeated := ok[*weft.Tensor](t)(tensor(d[1], weft.F32, 1, 3).Broadcast(4, 3))
	moved := ok[*weft.Tensor](t)(b.Flip(0))
	list := func(x ...*weft.Tensor) []*weft.Tensor { return x }
	for name, c := range map[string]struct {
		err  error
		kind error
	}{
		"too few":           {g.AllReduce(mesh.Sum, list(a), list(a, b)), weft.ErrArgument},
		"nil":               {g.AllReduce(mesh.Sum, list(a, nil), list(a, b)), weft.ErrArgument},
		"another device":    {g.AllReduce(mesh.Sum, list(a, foreign), list(a, b)), weft.ErrDevice},
		"ranks swapped":     {g.AllReduce(mesh.Sum, list(b, a), list(a, b)), weft.ErrDevice},
		"another type":      {g.AllReduce(mesh.Sum, list(a, half), list(a, b)), weft.ErrArgument},
		"another shape":     {g.AllReduce(mesh.Sum, list(a, short), list(a, b)), weft.ErrShape},
		"closed":            {g.AllReduce(mesh.Sum, list(a, closed), list(a, b)), weft.ErrClosed},
		"repeated":          {g.AllReduce(mesh.Sum, list(a, repeated), list(a, b)), weft.ErrUnsupported},
		"overlap":           {g.AllReduce(mesh.Sum, list(a, moved), list(a, b)), weft.ErrUnsupported},
		"unknown reduction": {g.AllReduce(9, list(a, b), list(a, b)), weft.ErrArgument},
		"no root":           {g.Broadcast(2, list(a, b)), weft.ErrArgument},
		"no equal parts":    {g.AllToAll(list(tensor(d[0], weft.F32, 3, 3), short), list(tensor(d[0], weft.F32, 3, 3), short)), weft.ErrShape},
		"gather too small":  {g.AllGather(list(a, b), list(a, b)), weft.ErrShape},
		"a sum of bools":    {g.AllReduce(mesh.Sum, list(tensor(d[0], weft.Bool, 1), tensor(d[1], weft.Bool, 1)), list(tensor(d[0], weft.Bool, 1), tensor(d[1], weft.Bool, 1))), weft.ErrArgument},
		"a rank too many":   {g.Exchange(mesh.Transfer{From: 0, To: 2, Src: a}), weft.ErrArgument},
		"no Dst":            {g.Exchange(mesh.Transfer{From: 0, To: 1, Src: a}), weft.ErrArgument},
		"sizes":             {g.Exchange(mesh.Transfer{From: 0, To: 1, Src: a, Dst: short}), weft.ErrShape},
		"in place":          {g.AllToAll(list(a, b), list(a, b)), weft.ErrUnsupported},
		"swapped":           {g.Exchange(mesh.Transfer{From: 0, To: 1, Src: a, Dst: b}, mesh.Transfer{From: 1, To: 0, Src: b, Dst: a}), weft.ErrUnsupported},
		"one Dst twice":     {g.Exchange(mesh.Transfer{From: 0, To: 1, Src: a, Dst: b}, mesh.Transfer{From: 0, To: 1, Src: a, Dst: b}), weft.ErrUnsupported},
		"types":             {g.Exchange(mesh.Transfer{From: 0, To: 1, Src: a, Dst: half}), weft.ErrArgument},
		"no devices":        {second(mesh.New(nil)), weft.ErrArgument},
		"a device twice":    {second(mesh.New([]*weft.Device{d[0], d[0]})), weft.ErrArgument},
		"a device too many": {second(mesh.Open("no such", 1)), weft.ErrDevice},
		"a nil group":       {(*mesh.Group)(nil).AllReduce(mesh.Sum, nil, nil), weft.ErrArgument},
	} {
		if !errors.Is(c.err, c.kind) {
			t.Errorf("%s: %v, want %v", name, c.err, c.kind)
		}
	}
	if err := g.AllReduce(mesh.Sum, list(a, b), list(a, b)); err != nil {
		t.Errorf("after all that: %v", err)
	}
	if err := errors.Join(g.Synchronize(), g.Close(), g.Close()); err != nil {
		t.Error(err)
	}
	if err := g.AllReduce(mesh.Sum, list(a, b), list(a, b)); !errors.Is(err, weft.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// What is nil is an error that says so, in every call that returns one.
func TestNil(t *testing.T) {
	g := open(t, 2)
	x := ok[*weft.Tensor](t)(weft.Zeros(g.Devices()[0], weft.F32, 2, 2))
	var group *mesh.Group
	var grid *mesh.Mesh
	var tensor *mesh.Tensor
	for name, f := range map[string]func() error{
		"New":                 func() error { return second(mesh.New(g.Devices(), nil)) },
		"Open":                func() error { return second(mesh.Open(backendName(), 1, nil)) },
		"NewMesh":             func() error { return second(mesh.NewMesh(nil, []int{1})) },
		"Distribute":          func() error { return second(mesh.Distribute(nil, x, mesh.Replicate)) },
		"FromLocal":           func() error { return second(mesh.FromLocal(nil, []int{2, 2}, nil, x)) },
		"Along":               func() error { return second(grid.Along(0, 0)) },
		"Whole":               func() error { return second(tensor.Whole(0)) },
		"Redistribute":        func() error { return second(tensor.Redistribute()) },
		"Err":                 group.Err,
		"Synchronize":         group.Synchronize,
		"Sub":                 func() error { return second(group.Sub(0)) },
		"Exchange":            func() error { return group.Exchange() },
		"AllGatherMatMul":     func() error { return group.AllGatherMatMul(nil, nil, nil) },
		"MatMulReduceScatter": func() error { return group.MatMulReduceScatter(nil, nil, nil) },
		"MLP":                 func() error { return group.MLP(nil, nil, nil, nil, nil) },
		"SequenceMLP":         func() error { return group.SequenceMLP(nil, []*weft.Tensor{x}, []*weft.Tensor{x}, nil, nil) },
		"HeadsAttention":      func() error { return group.HeadsAttention(nil, nil, nil, nil, nil) },
		"RingAttention":       func() error { return group.RingAttention(nil, nil, nil, nil, false) },
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: %v", name, r)
				}
			}()
			if err := f(); !errors.Is(err, weft.ErrArgument) {
				t.Errorf("%s: %v, want an argument that is nil", name, err)
			}
		}()
	}
}
