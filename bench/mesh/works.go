package main

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

// work is what is measured. Sizes are those of one rank.
type work struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Elem  string `json:"dtype"`
	Count int    `json:"count"` // elements: of the larger of a collective's tensors
	M     int    `json:"m"`     // of products: rows of all ranks, columns, terms
	N     int    `json:"n"`
	K     int    `json:"k"`
	// Tokens and Heads are those of all ranks: of attention with heads of headSize elements, and of a block.
	Tokens int  `json:"tokens"`
	Heads  int  `json:"heads"`
	Causal bool `json:"causal"`
	Zigzag bool `json:"-"`
	Ranks  int  `json:"-"`
	// Replayed is the number of calls of a captured graph, which is measured instead; 0 is none.
	Replayed int     `json:"replayed"`
	Flop     float64 `json:"-"` // of one rank
	Bytes    float64 `json:"-"` // that a link carries
}

var collectiveKinds = []string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "send"}

// replayedSuffix ends the names of works that are replayed.
const replayedSuffix = ", replayed"

// worksFor lists the works for a number of ranks, with products of so many random shapes.
func worksFor(tiny bool, ranks, sampled int, seed uint64) (list []work) {
	sizes := []int{16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20, 64 << 20, 256 << 20}
	shapes := [][3]int{{8192, 8192, 8192}, {4096, 14336, 4096}, {4096, 4096, 14336}, {2048, 8192, 8192}, {4100, 5000, 3000}, {1024, 28672, 4096}}
	if tiny {
		sizes, shapes = []int{1 << 10}, [][3]int{{16, 24, 40}}
	}
	shapes = append(shapes, randomShapes(sampled, seed, tiny)...)
	for _, kind := range collectiveKinds {
		for _, bytes := range sizes {
			count := bytes / 2 / ranks * ranks
			list = append(list, work{Name: fmt.Sprintf("%s bf16 %s", kind, size(bytes)), Kind: kind, Elem: "bf16", Count: count,
				Bytes: float64(2*count) * share(kind, ranks)})
		}
	}
	for _, bytes := range sizes[:min(4, len(sizes))] {
		count := bytes / 2 / ranks * ranks
		list = append(list, work{Name: fmt.Sprintf("all-reduce bf16 %s%s", size(bytes), replayedSuffix), Kind: "all-reduce", Elem: "bf16", Count: count, Replayed: 20,
			Bytes: float64(2*count) * share("all-reduce", ranks)})
	}
	for _, s := range shapes {
		m, n, k := s[0]/ranks*ranks, s[1]/ranks*ranks, s[2]/ranks*ranks
		for _, p := range []struct {
			kind    string
			m, n, k int
		}{{"gemm", m, n / ranks, k}, {"all-gather gemm", m, n / ranks, k}, {"gemm", m, n, k / ranks}, {"gemm reduce-scatter", m, n, k / ranks}} {
			w := work{Name: fmt.Sprintf("%s bf16 %d×%d×%d", p.kind, p.m, p.n, p.k), Kind: p.kind, Elem: "bf16", M: p.m, N: p.n, K: p.k,
				Flop: 2 * float64(p.m) * float64(p.n) * float64(p.k)}
			if !slices.ContainsFunc(list, func(o work) bool { return o.Name == w.Name }) {
				list = append(list, w)
				if p.kind != "gemm" {
					w.Name, w.Replayed = w.Name+replayedSuffix, 4 // each has memory of its own
					list = append(list, w)
				}
			}
		}
	}
	return append(list, layersFor(tiny, ranks)...)
}

// randomShapes draws rows, columns and terms of products: their logarithms are uniform, and half of them are multiples of 128.
func randomShapes(count int, seed uint64, tiny bool) (list [][3]int) {
	least, most := 1024.0, 16384.0
	if tiny {
		least, most = 16, 200
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for range count {
		var s [3]int
		for d := range s {
			s[d] = int(least * math.Pow(most/least, r.Float64()))
			if r.IntN(2) == 0 && s[d] > 128 {
				s[d] = s[d] / 128 * 128
			}
		}
		list = append(list, s)
	}
	return list
}

func size(bytes int) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%dKiB", bytes>>10)
	}
	return fmt.Sprintf("%dMiB", bytes>>20)
}

// share is the part of a collective's bytes that a link carries.
func share(kind string, ranks int) float64 {
	n := float64(ranks)
	switch kind {
	case "all-reduce":
		return 2 * (n - 1) / n
	case "broadcast", "send":
		return 1
	}
	return (n - 1) / n
}

// usedBy are tensors whose launches are recorded.
func usedBy(rec []*weft.Recorder, list []*weft.Tensor) (own []*weft.Tensor) {
	for i, r := range rec {
		own = append(own, r.Use(list[i]))
	}
	return own
}

// task is a work with its tensors: what runs it, and what compares samples of its result with float64.
type task struct {
	run   func() error
	check func() error
	close func()
	// recorded calls it on tensors of recorders, if the work is replayed.
	recorded func(rec []*weft.Recorder) error
}

// prepare makes a work's tensors, of random numbers.
func prepare(g *mesh.Group, w work) (task, error) {
	switch {
	case w.M > 0:
		return prepareProduct(g, w)
	case w.Kind == "attention" || w.Kind == "ring attention":
		return prepareAttention(g, w)
	case w.Tokens > 0:
		return prepareBlock(g, w)
	}
	n := g.Size()
	small, large := w.Count/n, w.Count
	sizes := map[string][2]int{ // of dst and src
		"all-reduce": {large, large}, "all-gather": {large, small}, "reduce-scatter": {small, large}, "all-to-all": {large, large},
		"broadcast": {large, large}, "send": {large, large},
	}[w.Kind]
	dst, _, err := random(g, sizes[0])
	if err != nil {
		return task{}, err
	}
	src, values, err := random(g, sizes[1])
	if err != nil {
		return task{}, err
	}
	t := task{close: func() { closeAll(dst); closeAll(src) }}
	run := map[string]func() error{
		"all-reduce":     func() error { return g.AllReduce(mesh.Sum, dst, src) },
		"all-gather":     func() error { return g.AllGather(dst, src) },
		"reduce-scatter": func() error { return g.ReduceScatter(mesh.Sum, dst, src) },
		"all-to-all":     func() error { return g.AllToAll(dst, src) },
		"broadcast":      func() error { return g.Broadcast(0, src) },
		"send": func() error {
			var list []mesh.Transfer
			for i := range n {
				list = append(list, mesh.Transfer{From: i, To: (i + 1) % n, Src: src[i], Dst: dst[(i+1)%n]})
			}
			return g.Exchange(list...)
		},
	}[w.Kind]
	if w.Kind == "broadcast" {
		dst = src
	}
	t.run = run
	t.recorded = func(rec []*weft.Recorder) error { return g.AllReduce(mesh.Sum, usedBy(rec, dst), usedBy(rec, src)) }
	want := func(rank, i int) float64 {
		switch w.Kind {
		case "all-gather":
			return values(i/small, i%small)
		case "all-to-all":
			return values(i/small, rank*small+i%small)
		case "broadcast":
			return values(0, i)
		case "send":
			return values((rank+n-1)%n, i)
		}
		if w.Kind == "reduce-scatter" {
			i += rank * small
		}
		sum := 0.0
		for r := range n {
			sum += values(r, i)
		}
		return sum
	}
	t.check = func() error { return compare(dst, want, 8) }
	return t, nil
}

// period is how many random numbers there are; tensors repeat them, each rank from another one on.
const period = 1<<20 - 3

var numbers = sync.OnceValue(func() []float64 {
	r := rand.New(rand.NewPCG(7, 8))
	list := make([]float64, period)
	for i := range list {
		list[i] = float64(dtype.Round(weft.BF16, r.NormFloat64()))
	}
	return list
})

// random are tensors of normal numbers, one for each member, and the number at a place of a rank's.
func random(g *mesh.Group, shape ...int) (list []*weft.Tensor, at func(rank, i int) float64, err error) {
	salt := 1
	for _, n := range shape {
		salt = (31*salt + n) % period
	}
	at = func(rank, i int) float64 { return numbers()[(i+rank*7919+salt)%period] }
	for i, dev := range g.Devices() {
		rank := g.Ranks()[i]
		start := (rank*7919 + salt) % period
		table, err := weft.FromFloats(dev, weft.BF16, slices.Concat(numbers()[start:], numbers()[:start]))
		if err != nil {
			return nil, nil, err
		}
		t, err := weft.Empty(dev, weft.BF16, shape...)
		if err != nil {
			return nil, nil, err
		}
		if err := t.CopyRepeated(table); err != nil {
			return nil, nil, err
		}
		table.Close()
		list = append(list, t)
	}
	return list, at, nil
}

func closeAll(list []*weft.Tensor) {
	for _, t := range list {
		t.Close()
	}
}

// compare compares elements of each rank's tensor with what they should be, within the rounding of sums of terms of about 1, and of the result.
func compare(list []*weft.Tensor, want func(rank, i int) float64, scale float64) error {
	var errs []error
	for rank, t := range list {
		flat, err := t.Reshape(t.Len())
		if err != nil {
			return err
		}
		for s := range 16 {
			i := s * (t.Len() - 1) / 15
			got, err := flat.At(i)
			if err != nil {
				return err
			}
			if x := want(rank, i); !(math.Abs(got-x) <= weft.BF16.Epsilon()*float64(len(list)+1)*max(scale, math.Abs(x))) {
				errs = append(errs, fmt.Errorf("element %d of rank %d is %v, want %v", i, rank, got, x))
			}
		}
	}
	return errors.Join(errs...)
}

// prepareProduct is prepare for products.
func prepareProduct(g *mesh.Group, w work) (task, error) {
	n := g.Size()
	rows, outRows := w.M, w.M
	switch w.Kind {
	case "all-gather gemm":
		rows = w.M / n
	case "gemm reduce-scatter":
		outRows = w.M / n
	}
	a, left, err := random(g, rows, w.K)
	if err != nil {
		return task{}, err
	}
	b, right, err := random(g, w.K, w.N)
	if err != nil {
		return task{}, err
	}
	out, _, err := random(g, outRows, w.N)
	if err != nil {
		return task{}, err
	}
	dot := func(of, with, row, column int) (sum float64) {
		for k := range w.K {
			sum += left(of, row*w.K+k) * right(with, k*w.N+column)
		}
		return sum
	}
	t := task{close: func() { closeAll(a); closeAll(b); closeAll(out) }}
	want := func(rank, i int) float64 { return dot(rank, rank, i/w.N, i%w.N) }
	switch w.Kind {
	case "all-gather gemm":
		t.run = func() error { return g.AllGatherMatMul(out, a, b) }
		t.recorded = func(rec []*weft.Recorder) error { return g.AllGatherMatMul(usedBy(rec, out), usedBy(rec, a), b) }
		want = func(rank, i int) float64 { return dot(i/w.N/rows, rank, i/w.N%rows, i%w.N) }
	case "gemm reduce-scatter":
		t.run = func() error { return g.MatMulReduceScatter(out, a, b) }
		t.recorded = func(rec []*weft.Recorder) error { return g.MatMulReduceScatter(usedBy(rec, out), usedBy(rec, a), b) }
		want = func(rank, i int) (sum float64) {
			for r := range n {
				sum += dot(r, r, rank*outRows+i/w.N, i%w.N)
			}
			return sum
		}
	default:
		t.run = func() error {
			for i := range out {
				if err := ops.MatMulInto(out[i], a[i], b[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	t.check = func() error { return compare(out, want, 4*math.Sqrt(float64(w.K*n))) }
	return t, nil
}
