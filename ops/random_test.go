package ops_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/tile"
)

// Philox in a kernel of one's own gives the known answers.
func TestPhiloxKnownAnswers(t *testing.T) {
	dev := openCPU(t)
	kernel := weft.NewKernel("philox", func(k *tile.Builder, _ struct{}) {
		in, out := k.In("in", weft.U32, 2), k.Out("out", weft.U32, 2)
		k.Grid(1)
		word := func(i int) *tile.Value { return in.Block(4, 1).Load(0, i) }
		w := kernels.Philox([4]*tile.Value{word(0), word(1), word(2), word(3)}, [2]*tile.Value{word(4), word(5)})
		for i := range w {
			out.Block(4, 1).Store(w[i], 0, i)
		}
	})
	var in, want []uint32
	for _, c := range reference.PhiloxAnswers {
		in = append(append(in, c.Counter[:]...), c.Key[:]...)
		want = append(want, c.Want[:]...)
	}
	x, err := weft.FromSlice(dev, in, len(in)/6, 6)
	if err != nil {
		t.Fatal(err)
	}
	y, err := weft.Zeros(dev, weft.U32, len(in)/6, 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := kernel.Launch(struct{}{}, x, y); err != nil {
		t.Fatal(err)
	}
	if got, err := weft.ToSlice[uint32](y); err != nil || !slices.Equal(got, want) {
		t.Errorf("%08x, want %08x: %v", got, want, err)
	}
}

// bits that uniform numbers of a type have.
var uniformBits = map[weft.DType]int{weft.F32: 24, weft.F16: 11, weft.BF16: 8, weft.F64: 53}

// Numbers depend on the stream alone: on no size, layout or config; also where the first counter's
// low word overflows.
func TestUniformIsTheStream(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(11, 1))
	for range 30 {
		elem, s := append(slices.Clip(floatTypes), weft.F64)[rng.IntN(4)], ops.Stream{Seed: rng.Uint64(), Offset: 4*(1<<32) - 4*rng.Uint64N(3000)}
		m, n := 1+rng.IntN(60), 1+rng.IntN(60)
		want := reference.Uniform(s.Seed, s.Offset, m*n, uniformBits[elem])
		x, err := ops.Uniform(dev, elem, s, m, n)
		within(t, x, err, want, func(int) float64 { return 0 })
		memory, _ := random(t, dev, rng, elem, n+3, m)
		view, _ := memory.Slice(0, 1, 1+n)
		within(t, view.T(), ops.UniformInto(view.T(), s), want, func(int) float64 { return 0 })
		flat, _ := x.Reshape(m * n)
		list := kernels.RandomProblem{Elem: elem, N: m * n}.List(cudaCaps)
		cfg := list[rng.IntN(len(list))]
		scalars := weft.Scalars{uint32(s.Seed), uint32(s.Seed >> 32), uint32(s.Offset / 4), uint32(s.Offset / 4 >> 32)}
		within(t, flat, kernels.Uniform.LaunchWith(cfg, scalars, flat), want, func(int) float64 { return 0 })
	}
	s := ops.Stream{Seed: 3, Offset: 8}
	if got := s.Skip(5); got != (ops.Stream{Seed: 3, Offset: 16}) {
		t.Errorf("%v after 5 more numbers is %v", s, got)
	}
}

func TestNormalAgainstFloat64(t *testing.T) {
	dev := openCPU(t)
	for i, elem := range append(slices.Clip(floatTypes), weft.F64) {
		want, radius := reference.Normal(uint64(i), 40, 99_999)
		if elem == weft.F64 {
			want, radius = reference.NormalF64(uint64(i), 40, 99_999)
		}
		x, err := ops.Normal(dev, elem, ops.Stream{Seed: uint64(i), Offset: 40}, 99_999)
		within(t, x, err, want, func(i int) float64 { return bounds.Normal(elem, want[i], radius[i]) })
	}
}

// chance is the probability with which a right generator fails each of the tests below; their seeds are fixed.
const chance = 1e-4

// chiSquare compares counts with equal expectations.
func chiSquare(t *testing.T, what string, counts []float64) {
	t.Helper()
	total := 0.0
	for _, c := range counts {
		total += c
	}
	expected := slices.Repeat([]float64{total / float64(len(counts))}, len(counts))
	x, limit := stat.ChiSquare(counts, expected), distuv.ChiSquared{K: float64(len(counts) - 1)}
	if lo, hi := limit.Quantile(chance/2), limit.Quantile(1-chance/2); x < lo || x > hi {
		t.Errorf("%s: χ² is %v, want it from %v to %v", what, x, lo, hi)
	}
}

// kolmogorov compares numbers with a distribution (Kolmogorov, 1933; the limit is Massart's, 1990).
func kolmogorov(t *testing.T, what string, x []float64, cdf func(float64) float64) {
	t.Helper()
	x = slices.Clone(x)
	slices.Sort(x)
	n, d := float64(len(x)), 0.0
	for i, v := range x {
		d = max(d, cdf(v)-float64(i)/n, float64(i+1)/n-cdf(v))
	}
	if limit := math.Sqrt(math.Log(2/chance) / (2 * n)); d > limit {
		t.Errorf("%s: the distance of distributions is %v, want at most %v", what, d, limit)
	}
}

func TestRandomNumbersAreRandom(t *testing.T) {
	dev := openCPU(t)
	const n = 1 << 18
	for seed := range uint64(3) {
		s := ops.Stream{Seed: seed}
		numbers := func(x *weft.Tensor, err error) []float64 {
			if err != nil {
				t.Fatal(err)
			}
			list, err := weft.ToFloats(x)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		u, z := numbers(ops.Uniform(dev, weft.F32, s, n)), numbers(ops.Normal(dev, weft.F32, s.Skip(n), n))
		kolmogorov(t, "uniform of F64", numbers(ops.Uniform(dev, weft.F64, s, n)), func(x float64) float64 { return min(max(x, 0), 1) })
		kolmogorov(t, "normal of F64", numbers(ops.Normal(dev, weft.F64, s.Skip(2*n), n)), distuv.UnitNormal.CDF)
		kolmogorov(t, "uniform", u, func(x float64) float64 { return min(max(x, 0), 1) })
		kolmogorov(t, "normal", z, distuv.UnitNormal.CDF)
		for _, apart := range []int{1, 2, 4, 1024} { // neighbours, and what other lanes and programs draw
			pairs, planes := make([]float64, 256), make([]float64, 256)
			for i := range n / 2 {
				j := i/apart*2*apart + i%apart
				pairs[int(u[j]*16)*16+int(u[j+apart]*16)]++
				planes[int(distuv.UnitNormal.CDF(z[j])*16)*16+int(distuv.UnitNormal.CDF(z[j+apart])*16)]++
			}
			chiSquare(t, "pairs of uniform", pairs)
			chiSquare(t, "pairs of normal", planes)
		}
	}
}

func TestDropout(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(12, 1))
	for _, p := range []float64{0, 0.1, 0.5, 0.999} {
		elem, s := append(slices.Clip(floatTypes), weft.F64)[rng.IntN(4)], ops.Stream{Seed: rng.Uint64(), Offset: 4 * rng.Uint64N(100)}
		x, values := random(t, dev, rng, elem, 61, 77)
		mask, err := weft.Zeros(dev, weft.Bool, 77, 61)
		if err != nil {
			t.Fatal(err)
		}
		want, kept := make([]float64, len(values)), make([]float64, len(values))
		count := 0.0
		for i, w := range reference.Words(s.Seed, s.Offset, len(values)) {
			j := i%61*77 + i/61 // of x, since elements are numbered in the view x.T()
			if float64(w) >= p*0x1p32 {
				want[i], kept[i] = values[j]/(1-p), 1
				count++
			}
		}
		if n := float64(len(values)); math.Abs(count-n*(1-p)) > 4*math.Sqrt(n*p*(1-p)) {
			t.Errorf("p %v: %v of %v are kept", p, count, n)
		}
		bound := func(i int) float64 { return 2*elem.Epsilon()*math.Abs(want[i]) + 0x1p-25 }
		y, err := ops.Dropout(x.T(), p, s, mask)
		within(t, y, err, want, bound)
		within(t, mask, err, kept, func(int) float64 { return 0 })
		within(t, x.T(), ops.DropoutInto(x.T(), x.T(), p, s, nil), want, bound)
	}
}

func TestRandomErrors(t *testing.T) {
	dev, other, rng := openCPU(t), openCPU(t), rand.New(rand.NewPCG(13, 1))
	x, _ := random(t, dev, rng, weft.F32, 4, 4)
	repeated, _ := x.Broadcast(2, 4, 4)
	whole, _ := weft.Zeros(dev, weft.I32, 4, 4)
	far, _ := weft.Zeros(other, weft.Bool, 4, 4)
	s, odd := ops.Stream{}, ops.Stream{Offset: 2}
	err2 := func(_ *weft.Tensor, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		kind error
		part string
	}{
		{"nil", ops.UniformInto(nil, s), weft.ErrArgument, "uniform: out: the tensor is nil"},
		{"ints", err2(ops.Uniform(dev, weft.I32, s, 4)), weft.ErrUnsupported, "uniform: out: the tensor holds i32, want one of"},
		{"offset", err2(ops.Normal(dev, weft.F32, odd, 4)), weft.ErrArgument, "normal: stream: offset 2, want a multiple of 4"},
		{"repeated", ops.NormalInto(repeated, s), weft.ErrUnsupported, "repeats elements"},
		{"negative", err2(ops.Uniform(dev, weft.F32, s, -1)), weft.ErrShape, ""},
		{"huge", err2(ops.Uniform(dev, weft.F32, s, 1<<40)), weft.ErrOutOfMemory, ""},
		{"dropout p", err2(ops.Dropout(x, 1, s, nil)), weft.ErrArgument, "dropout: p: 1, want 0 or more and less than 1"},
		{"dropout NaN", err2(ops.Dropout(x, math.NaN(), s, nil)), weft.ErrArgument, "dropout: p: NaN"},
		{"dropout offset", err2(ops.Dropout(x, 0.5, odd, nil)), weft.ErrArgument, "dropout: stream: offset 2"},
		{"dropout ints", err2(ops.Dropout(whole, 0.5, s, nil)), weft.ErrUnsupported, "dropout: x: the tensor holds i32, want one of"},
		{"dropout mask", err2(ops.Dropout(x, 0.5, s, whole)), weft.ErrArgument, "dropout: mask: the tensor holds i32, want bool"},
		{"dropout device", err2(ops.Dropout(x, 0.5, s, far)), weft.ErrDevice, "dropout: mask: the tensor is on"},
		{"dropout overlap", ops.DropoutInto(x.T(), x, 0.5, s, nil), weft.ErrUnsupported, "dropout: x: it overlaps out"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("%s: %v; want %v with %q", c.name, c.err, c.kind, c.part)
		}
	}
	if x, err := ops.Uniform(dev, weft.F32, s, 0, 4); err != nil || x.Len() != 0 {
		t.Errorf("no numbers: %v, %v", x, err)
	}
}
