package suite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
)

// Work is one op on operands of certain shapes.
type Work struct {
	Name string   // unique: the op, the element type and the sizes
	Op   string   // the function of package ops in small letters, by which peers know it
	Sets []string // that it belongs to

	// Series and X place the work in a series of sizes, such as "matmul f32" at 1024. Both are empty outside one.
	Series string
	X      float64

	Inputs  []Operand
	Output  Operand        // an op's second output is one more input
	Params  map[string]any // what a peer must know in addition to the shapes
	Bytes   float64        // that must move at least: by default inputs and output, each once
	Flop    float64        // operations that arithmetic may limit; 0 if memory alone does
	Unit    string         // whose rate is the ceiling for Flop: that of products in f32, tf32x3, tf32, f16, bf16 or i8
	Private bool           // others draw other random numbers, so that there is nothing to check in theirs
	Theirs  float64        // how far others may be off besides: they round places or edges, which is their meaning of the op
	Terms   int            // elements that one of the output is computed from, which make Want costly
	Prepare Prepare        // nil where operands are run as they are
	Run     func(out *weft.Tensor, in []*weft.Tensor) error
	Want    Want
	sample  func() []int // chooses what is compared; nil for elements at random
}

// Want is what element i of the output should be, and within which distance.
type Want func(in []Values, i int) (want, bound float64)

// Prepare brings operands into the form in which a program keeps them, once for each copy and before anything is timed. Run finds it by the operands, until it is released.
type Prepare func(in []*weft.Tensor) (release func() error, err error)

// listed is the work of an op of the catalog: its operands, its result and how it is run. set sets options, nil for none.
func listed(op string, elem weft.DType, shape string, set func(o *catalog.Options)) Work {
	o := catalog.DefaultOptions()
	o.DType = elem.String()
	if set != nil {
		set(&o)
	}
	entry, err := catalog.Find(op)
	if err != nil {
		panic(err)
	}
	call, err := entry.Parse(shape, o)
	if err != nil {
		panic(err) // the sizes are the suite's own
	}
	sizes := make([]int, len(call.Sizes))
	for i, s := range call.Sizes {
		sizes[i] = s.Value
	}
	p, w := call.Problem(sizes), Work{Op: op}
	for _, in := range p.In {
		w.Inputs = append(w.Inputs, normal(in.Elem, in.Shape...))
	}
	w.Output = normal(p.Out[0].Elem, p.Out[0].Shape...)
	w.Run = func(out *weft.Tensor, in []*weft.Tensor) error { return p.Run([]*weft.Tensor{out}, in) }
	return w
}

// finish fills in what follows from the rest.
func (w Work) finish() Work {
	if w.Bytes == 0 {
		w.Bytes = w.Output.Bytes()
		for _, o := range w.Inputs {
			w.Bytes += o.Bytes()
		}
	}
	if w.Flop > 0 && w.Unit == "" {
		w.Unit = w.Inputs[0].Elem.String()
	}
	return w
}

// in puts the work into a series.
func (w Work) in(series string, x int) Work {
	w.Series, w.X = series, float64(x)
	return w
}

// The number of elements compared: fewer where each has many terms.
const (
	mostSamples  = 2000
	leastSamples = 64
	sampledTerms = 1 << 22
)

// Sample lists the elements of the output that are compared. It is the same list every time.
func (w Work) Sample() []int {
	if w.sample != nil {
		return w.sample()
	}
	n := w.Output.Len()
	rng := rand.New(rand.NewPCG(5, 6))
	list := make([]int, min(n, max(leastSamples, min(mostSamples, sampledTerms/max(1, w.Terms)))))
	for s := range list {
		list[s] = rng.IntN(n)
	}
	if len(list) > 1 {
		list[0], list[1] = 0, n-1
	}
	return list
}

// Check compares sampled elements of an output, got[j] being element Sample()[j], with
// float64 arithmetic on the inputs, of which input i has the contents of seed i.
func (w Work) Check(got []float64) error { return w.CheckWithin(got, 1, 0) }

// CheckWithin is Check for results that may be off by slack times the bound, and by a distance besides.
func (w Work) CheckWithin(got []float64, slack, besides float64) error {
	in := make([]Values, len(w.Inputs))
	for i, o := range w.Inputs {
		in[i] = o.Values(uint64(i))
	}
	sample := w.Sample()
	if len(got) != len(sample) {
		return fmt.Errorf("%s to check, want %d", fault.Count(len(got), "element"), len(sample))
	}
	for j, i := range sample {
		want, bound := w.Want(in, i)
		if within := slack*bound + besides; !(math.Abs(got[j]-want) <= within) {
			return fmt.Errorf("element %d is %v, want %v within %v", i, got[j], want, within)
		}
	}
	return nil
}

// name joins an op's name, its element type and its sizes.
func name(op string, elem weft.DType, rest ...any) string {
	return strings.TrimSpace(op + " " + elem.String() + " " + fmt.Sprint(rest...))
}

// size is "64x4096", or "2^20" for long vectors of such a length.
func size(dims ...int) string {
	if n := dims[0]; len(dims) == 1 && n >= 1<<10 && n&(n-1) == 0 {
		return fmt.Sprintf("2^%d", int(math.Log2(float64(n))))
	}
	list := make([]string, len(dims))
	for i, d := range dims {
		list[i] = strconv.Itoa(d)
	}
	return strings.Join(list, "x")
}
