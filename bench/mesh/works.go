package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/mesh"
	"github.com/weftgpu/weft/ops"
)

// work is what is measured. Sizes are those of one rank.
type work struct {
	Name  string  `json:"name"`
	Kind  string  `json:"kind"`
	Elem  string  `json:"dtype"`
	Count int     `json:"count"` // elements: of the larger of a collective's tensors
	M     int     `json:"m"`     // of products: rows of all ranks, columns, terms
	N     int     `json:"n"`
	K     int     `json:"k"`
	Flop  float64 `json:"-"` // of one rank
	Bytes float64 `json:"-"` // that a link carries
}

var collectiveKinds = []string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast", "send"}

// worksFor lists the works for a number of ranks.
func worksFor(tiny bool, ranks int) (list []work) {
	sizes := []int{16 << 10, 64 << 10, 256 << 10, 1 << 20, 8 << 20, 64 << 20, 256 << 20}
	shapes := [][3]int{{8192, 8192, 8192}, {4096, 14336, 4096}, {4096, 4096, 14336}, {2048, 8192, 8192}, {4100, 5000, 3000}, {1024, 28672, 4096}}
	if tiny {
		sizes, shapes = []int{1 << 10}, [][3]int{{16, 24, 40}}
	}
	for _, kind := range collectiveKinds {
		for _, bytes := range sizes {
			count := bytes / 2 / ranks * ranks
			list = append(list, work{Name: fmt.Sprintf("%s bf16 %s", kind, size(bytes)), Kind: kind, Elem: "bf16", Count: count,
				Bytes: float64(2*count) * share(kind, ranks)})
		}
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
			}
		}
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

// prepare makes a work's tensors and returns what runs it, and what checks its result.
func prepare(g *mesh.Group, w work) (run, check func() error, err error) {
	if w.M > 0 {
		return prepareProduct(g, w)
	}
	small, large := w.Count/g.Size(), w.Count
	sizes := map[string][2]int{ // of dst and src
		"all-reduce": {large, large}, "all-gather": {large, small}, "reduce-scatter": {small, large}, "all-to-all": {large, large},
		"broadcast": {large, large}, "send": {large, large},
	}[w.Kind]
	dst, err := tensors(g, func(int) float64 { return 0 }, sizes[0])
	if err != nil {
		return nil, nil, err
	}
	src, err := tensors(g, func(rank int) float64 { return float64(rank + 1) }, sizes[1])
	if err != nil {
		return nil, nil, err
	}
	n := g.Size()
	all := float64(n*(n+1)) / 2
	last := func(rank int) []float64 { // the first and the last element of the result
		switch w.Kind {
		case "all-reduce", "reduce-scatter":
			return []float64{all, all}
		case "broadcast":
			return []float64{1, 1}
		case "send":
			from := float64((rank+n-1)%n + 1)
			return []float64{from, from}
		}
		return []float64{1, float64(n)}
	}
	run = map[string]func() error{
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
	return run, func() error { return checkEnds(dst, last) }, nil
}

// tensors are vectors of one value, or matrices, one for each member.
func tensors(g *mesh.Group, value func(rank int) float64, shape ...int) (list []*weft.Tensor, err error) {
	for i, dev := range g.Devices() {
		t, err := weft.Full(dev, weft.BF16, value(g.Ranks()[i]), shape...)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// checkEnds compares the first and the last element of each rank's tensor.
func checkEnds(list []*weft.Tensor, want func(rank int) []float64) error {
	var errs []error
	for rank, t := range list {
		flat, err := t.Reshape(t.Len())
		if err != nil {
			return err
		}
		for i, at := range []int{0, t.Len() - 1} {
			got, err := flat.At(at)
			if err != nil {
				return err
			}
			if got != want(rank)[i] {
				errs = append(errs, fmt.Errorf("element %d of rank %d is %v, want %v", at, rank, got, want(rank)[i]))
			}
		}
	}
	return errors.Join(errs...)
}

// prepareProduct is prepare for products. Factors are such that results are exact.
func prepareProduct(g *mesh.Group, w work) (run, check func() error, err error) {
	n := g.Size()
	var out, a, b []*weft.Tensor
	matrices := func(list *[]*weft.Tensor, value func(rank int) float64, rows, columns int) {
		if err == nil {
			*list, err = tensors(g, value, rows, columns)
		}
	}
	one := func(int) float64 { return 1 }
	rank := func(r int) float64 { return float64(r + 1) }
	scale := 1 / float64(w.K)
	inverse := func(int) float64 { return scale }
	exact := float64(dtype.Round(weft.BF16, scale))
	switch w.Kind {
	case "all-gather gemm":
		matrices(&a, rank, w.M/n, w.K)
		matrices(&out, one, w.M, w.N)
	case "gemm reduce-scatter":
		matrices(&a, rank, w.M, w.K)
		matrices(&out, one, w.M/n, w.N)
	default:
		matrices(&a, rank, w.M, w.K)
		matrices(&out, one, w.M, w.N)
	}
	matrices(&b, inverse, w.K, w.N)
	if err != nil {
		return nil, nil, err
	}
	base := exact * float64(w.K)
	switch w.Kind {
	case "all-gather gemm":
		return func() error { return g.AllGatherMatMul(out, a, b) }, func() error {
			return near(out, func(int) []float64 { return []float64{base, base * float64(n)} })
		}, nil
	case "gemm reduce-scatter":
		all := base * float64(n*(n+1)) / 2
		return func() error { return g.MatMulReduceScatter(out, a, b) }, func() error {
			return near(out, func(int) []float64 { return []float64{all, all} })
		}, nil
	}
	return func() error {
			for i := range out {
				if err := ops.MatMulInto(out[i], a[i], b[i]); err != nil {
					return err
				}
			}
			return nil
		}, func() error {
			return near(out, func(r int) []float64 { return []float64{base * rank(r), base * rank(r)} })
		}, nil
}

// near is checkEnds within a rounding of bf16 for each rank.
func near(list []*weft.Tensor, want func(rank int) []float64) error {
	bound := weft.BF16.Epsilon() * float64(len(list)+1)
	var errs []error
	for rank, t := range list {
		for i, at := range [][]int{{0, 0}, {-1, -1}} {
			got, err := t.At(at...)
			if err != nil {
				return err
			}
			if x := want(rank)[i]; math.Abs(got-x) > bound*math.Abs(x) {
				errs = append(errs, fmt.Errorf("element %v of rank %d is %v, want %v", at, rank, got, x))
			}
		}
	}
	return errors.Join(errs...)
}
