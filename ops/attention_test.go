package ops_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
	"github.com/weftgpu/weft/target"
)

func TestAttentionAgainstFloat64(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(7, 1))
	for range 90 {
		group, elem := 1+rng.IntN(3), floatTypes[rng.IntN(3)]
		a := reference.Attention{B: 1 + rng.IntN(2), Hkv: 1 + rng.IntN(3), Sq: 1 + rng.IntN(1+rng.IntN(90)), Sk: rng.IntN(400), D: 1 + rng.IntN(150)}
		a.Hq, a.Scale = a.Hkv*group, 1/math.Sqrt(float64(a.D))
		q, x := random(t, dev, rng, elem, a.B, a.Hq, a.Sq, a.D)
		k, y := random(t, dev, rng, elem, a.B, a.Hkv, a.Sk, a.D)
		v, z := random(t, dev, rng, elem, a.B, a.Hkv, a.Sk, a.D)
		start, before, after := false, -1, -1
		var options []ops.AttentionOption
		if rng.IntN(3) == 0 {
			a.Scale = rng.NormFloat64()
			options = append(options, ops.AttentionScale(a.Scale))
		}
		if rng.IntN(2) == 0 {
			before, after = rng.IntN(a.Sk+9)-9, rng.IntN(a.Sk+9)-9
			if rng.IntN(9) == 0 {
				before = math.MinInt
			}
			if rng.IntN(9) == 0 {
				after = math.MinInt32
			}
			options = append(options, ops.SlidingWindow(before, after))
		}
		if rng.IntN(2) == 0 { // hides the keys after a query's own, whatever the window says
			after = 0
			options = append(options, ops.Causal())
		}
		if rng.IntN(2) == 0 {
			start = true
			options = append(options, ops.FromStart())
		}
		lengths := make([]int32, a.B)
		for b := range lengths {
			lengths[b] = int32(a.Sk)
		}
		if rng.IntN(3) == 0 {
			for b := range lengths {
				lengths[b] = int32(rng.IntN(a.Sk+20) - 10)
			}
			t32, err := weft.FromSlice(dev, lengths, a.B)
			if err != nil {
				t.Fatal(err)
			}
			options = append(options, ops.KeyLengths(t32))
		}
		parts := rng.IntN(7)
		if parts > 0 {
			options = append(options, ops.Tiles(ops.AttentionConfig{BM: 16, BN: 8 << rng.IntN(4), Parts: parts}))
		}
		rng.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
		hidden := func(b, h, i, j int) bool {
			n := max(min(int(lengths[b]), a.Sk), 0)
			at := n - a.Sq
			if start {
				at = 0
			}
			return j >= n || before >= 0 && j < i+at-before || after >= 0 && j > i+at+after
		}
		masks := []weft.DType{dtype.Invalid, weft.Bool, weft.F32, elem}
		m, addend := randomMask(t, dev, rng, masks[rng.IntN(4)], a)
		if m != nil {
			options = append(options, ops.AttentionMask(m))
		}
		a.Mask = func(b, h, i, j int) float64 {
			if hidden(b, h, i, j) {
				return math.Inf(-1)
			}
			return addend(b, h, i, j)
		}
		lse, err := weft.Empty(dev, weft.F32, a.B, a.Hq, a.Sq)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ops.Attention(q, k, v, append(options, ops.LogSumExp(lse))...)
		want := a.Compute(x, y, z)
		within(t, out, err, want.Out, func(i int) float64 {
			return bounds.Attention(elem, a.Sk, a.D, want.Out[i], want.Magnitudes[i], want.Scores[i/a.D], want.Values)
		})
		within(t, lse, err, want.LSE, func(i int) float64 { return bounds.AttentionLSE(a.Sk, a.D, want.LSE[i], want.Scores[i]) })
		if t.Failed() {
			t.Fatalf("%+v %v, before %d after %d from the start %v, mask %v, %d parts, lengths %v", a, elem, before, after, start, m, parts, lengths)
		}
	}
}

// randomMask makes a mask that broadcasts, and what it adds; nothing for dtype.Invalid.
func randomMask(t *testing.T, dev *weft.Device, rng *rand.Rand, elem weft.DType, a reference.Attention) (*weft.Tensor, func(b, h, i, j int) float64) {
	if elem == dtype.Invalid {
		return nil, func(b, h, i, j int) float64 { return 0 }
	}
	shape := []int{a.B, a.Hq, a.Sq, a.Sk}
	for d := range shape {
		if rng.IntN(2) == 0 {
			shape[d] = 1
		}
	}
	n := shape[0] * shape[1] * shape[2] * shape[3]
	x := make([]float64, n)
	for i := range x {
		if x[i] = rng.NormFloat64(); elem == weft.Bool {
			x[i] = float64(rng.IntN(2))
		}
	}
	m, err := weft.FromFloats(dev, elem, x, shape...)
	if err != nil {
		t.Fatal(err)
	}
	if x, err = weft.ToFloats(m); err != nil {
		t.Fatal(err)
	}
	return m, func(b, h, i, j int) float64 {
		at := 0
		for d, c := range []int{b, h, i, j} {
			at = at*shape[d] + c%shape[d]
		}
		if elem == weft.Bool {
			return []float64{math.Inf(-1), 0}[int(x[at])]
		}
		return x[at]
	}
}

// A key that is missing from 4096, or a softmax in the next smaller type, is beyond the bounds.
func TestAttentionBoundIsTight(t *testing.T) {
	const keys, mean = 4096, 0.8 // of normally distributed values' magnitudes
	if got := bounds.Attention(weft.F32, keys, 128, 0, mean, 8, 4); got > mean/keys {
		t.Errorf("the bound %v hides a key of %d, which counts for %v", got, keys, mean/keys)
	}
	if got := bounds.Attention(weft.F32, keys, 128, 0, mean, 8, 4); got > mean*weft.F16.Epsilon() {
		t.Errorf("the bound %v in f32 allows the rounding of f16", got)
	}
	if got := bounds.Attention(weft.F16, keys, 128, 0, mean, 8, 4); got > mean*weft.BF16.Epsilon() {
		t.Errorf("the bound %v in f16 allows the rounding of bf16", got)
	}
}

func TestAttentionErrors(t *testing.T) {
	dev, other, rng := openCPU(t), openCPU(t), rand.New(rand.NewPCG(8, 1))
	make := func(elem weft.DType, shape ...int) *weft.Tensor {
		x, _ := random(t, dev, rng, elem, shape...)
		return x
	}
	f := func(shape ...int) *weft.Tensor { return make(weft.F32, shape...) }
	elsewhere, _ := random(t, other, rng, weft.F32, 2, 4, 3, 8)
	closed := f(2, 2, 5, 8)
	closed.Close()
	q, k, v := f(2, 4, 3, 8), f(2, 2, 5, 8), f(2, 2, 5, 8)
	joined := f(2, 4, 6, 8)
	upper, _ := joined.Slice(2, 0, 3)
	middle, _ := joined.Slice(2, 2, 5)
	repeated, _ := f(1, 1, 1, 8).Broadcast(2, 4, 3, 8)
	long, _ := f(1, 1, 1, 1).Broadcast(1, 1, 1<<30, 1)
	call := func(q, k, v *weft.Tensor, options ...ops.AttentionOption) error {
		_, err := ops.Attention(q, k, v, options...)
		return err
	}
	lse := func(x *weft.Tensor) ops.AttentionOption { return ops.LogSumExp(x) }
	for _, c := range []struct {
		name string
		err  error
		kind error
		part string
	}{
		{"nil", call(q, nil, v), weft.ErrArgument, "attention: k: the tensor is nil"},
		{"devices", call(elsewhere, k, v), weft.ErrDevice, "attention: k: the tensor is on opening "},
		{"types", call(q, make(weft.F16, 2, 2, 5, 8), v), weft.ErrArgument, "attention: k: the tensor holds f16, q holds f32"},
		{"ints", call(make(weft.I32, 1, 1, 1, 1), k, v), weft.ErrUnsupported, "attention: q: the tensor holds i32, want one of"},
		{"closed", call(q, closed, v), weft.ErrClosed, "attention: k: "},
		{"rank", call(f(4, 3, 8), k, v), weft.ErrShape, "attention: q: shape [4 3 8] has 3 dimensions, want 4"},
		{"v", call(q, k, f(2, 2, 4, 8)), weft.ErrShape, "attention: v: shape [2 2 4 8], want that of k: [2 2 5 8]"},
		{"batch", call(f(1, 4, 3, 8), k, v), weft.ErrShape, "attention: k: shape [2 2 5 8] does not fit q's [1 4 3 8]"},
		{"head", call(f(2, 4, 3, 9), k, v), weft.ErrShape, "attention: k: shape [2 2 5 8] does not fit q's [2 4 3 9]"},
		{"groups", call(f(2, 3, 3, 8), k, v), weft.ErrShape, "attention: k: 2 heads do not divide q's 3"},
		{"no groups", call(q, f(2, 0, 5, 8), f(2, 0, 5, 8)), weft.ErrShape, "attention: k: 0 heads do not divide q's 4"},
		{"large head", call(f(1, 1, 1, 257), f(1, 1, 1, 257), f(1, 1, 1, 257)), weft.ErrUnsupported, "attention: q: head size 257, want at most 256"},
		{"long", call(f(1, 1, 1, 1), long, long), weft.ErrLimit, "attention: q: 1 queries and 1073741824 keys"},
		{"scale", call(q, k, v, ops.AttentionScale(math.NaN())), weft.ErrArgument, "attention: scale: NaN, want less than 2^127 in magnitude"},
		{"large scale", call(q, k, v, ops.AttentionScale(-0x1p127)), weft.ErrArgument, "attention: scale: -1.7014118346046923e+38, want less than 2^127 in magnitude"},
		{"nil mask", call(q, k, v, ops.AttentionMask(nil)), weft.ErrArgument, "attention: mask: the tensor is nil"},
		{"mask type", call(q, k, v, ops.AttentionMask(make(weft.I8, 5))), weft.ErrUnsupported, "attention: mask: the tensor holds i8, want one of"},
		{"mask shape", call(q, k, v, ops.AttentionMask(f(2, 1, 5))), weft.ErrShape, "attention: mask: shape [2 1 5] does not broadcast to [2 4 3 5]"},
		{"mask device", call(q, k, v, ops.AttentionMask(elsewhere)), weft.ErrDevice, "attention: mask: the tensor is on opening "},
		{"lse type", call(q, k, v, lse(make(weft.F16, 2, 4, 3))), weft.ErrUnsupported, "attention: lse: the tensor holds f16"},
		{"lse shape", call(q, k, v, lse(f(2, 4, 5))), weft.ErrShape, "attention: lse: shape [2 4 5], want [2 4 3]"},
		{"out shape", ops.AttentionInto(f(2, 4, 3, 9), q, k, v), weft.ErrShape, "attention: out: shape [2 4 3 9], want [2 4 3 8]"},
		{"out type", ops.AttentionInto(make(weft.F16, 2, 4, 3, 8), q, k, v), weft.ErrArgument, "attention: out: the tensor holds f16"},
		{"out repeats", ops.AttentionInto(repeated, q, k, v), weft.ErrUnsupported, "attention: out: the layout"},
		{"out is k", ops.AttentionInto(q, q, q, f(2, 4, 3, 8)), weft.ErrUnsupported, "attention: k: it overlaps out"},
		{"out meets q", ops.AttentionInto(middle, upper, k, v), weft.ErrUnsupported, "attention: q: it overlaps out, want separate memory or the same view"},
		{"tiles", call(q, k, v, ops.Tiles(ops.AttentionConfig{BN: 24})), weft.ErrArgument, "attention: Tiles.BN: 24 is not a power of two"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.part) {
			t.Errorf("%s: %v; want %v with %q", c.name, c.err, c.kind, c.part)
		}
	}
}

// The configs to choose from build, begin with the rule's, and stay within the limits.
func TestAttentionConfigs(t *testing.T) {
	small := wgslCaps
	small.Registers = target.SoftwareRegisters
	for _, caps := range []target.Caps{{Language: target.TileIR, WholeTiles: true}, wgslCaps, small, cudaCaps, matrixCaps} {
		for _, head := range []int{1, 5, 64, 80, 100, 128, 192, 200, 256} {
			for _, n := range [][2]int{{1, 1}, {1, 5000}, {100, 3}, {4096, 4096}} {
				list := kernels.AttentionConfigs(caps, weft.F16, n[0], n[1], head)
				if list[0] != kernels.AttentionConfigFor(caps, weft.F16, n[0], n[1], head) || caps.Registers > 64 && n[0] > 64 && len(list) < 10 {
					t.Errorf("%v, head %d of %v: %d configs from %+v on", caps.Language, head, n, len(list), list[0])
				}
				if list[0].Head < head || list[0].Head > 2*head+7 {
					t.Errorf("head %d is rounded to %d", head, list[0].Head)
				}
				for _, cfg := range []ops.AttentionConfig{list[0], list[len(list)-1]} {
					if _, err := kernels.Attention.Build(cfg); err != nil {
						t.Errorf("%+v: %v", cfg, err)
					}
				}
			}
		}
	}
	for _, head := range []int{64, 128, 256} { // what is common runs with the tiles meant for it
		if cfg := kernels.AttentionConfigFor(cudaCaps, weft.F16, 4096, 4096, head); cfg.BM != 64 || cfg.BN != 64 {
			t.Errorf("head %d: %+v", head, cfg)
		}
	}
}

// A result in the place of q, and queries of one key, whose heads are folded.
func TestAttentionInPlaceAndDecoding(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(9, 1))
	a := reference.Attention{B: 2, Hq: 8, Hkv: 2, Sq: 1, Sk: 300, D: 64, Scale: 0.125}
	q, x := random(t, dev, rng, weft.F32, a.B, a.Hq, a.Sq, a.D)
	k, y := random(t, dev, rng, weft.F32, a.B, a.Hkv, a.Sk, a.D)
	v, z := random(t, dev, rng, weft.F32, a.B, a.Hkv, a.Sk, a.D)
	want := a.Compute(x, y, z)
	err := ops.AttentionInto(q, q, k, v, ops.Causal())
	within(t, q, err, want.Out, func(i int) float64 {
		return bounds.Attention(weft.F32, a.Sk, a.D, want.Out[i], want.Magnitudes[i], want.Scores[i/a.D], want.Values)
	})
}

// Where there is nothing to compute nothing is launched; without keys the result is 0.
func TestAttentionOfNothing(t *testing.T) {
	dev := openCPU(t)
	zeros := func(shape ...int) *weft.Tensor {
		x, err := weft.Zeros(dev, weft.F32, shape...)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, shape := range [][2][]int{
		{{0, 4, 3, 8}, {0, 2, 5, 8}}, {{2, 0, 3, 8}, {2, 0, 5, 8}}, {{2, 4, 0, 8}, {2, 2, 5, 8}}, {{2, 4, 3, 0}, {2, 2, 5, 0}}, {{2, 4, 3, 8}, {2, 2, 0, 8}},
	} {
		out, err := ops.Attention(zeros(shape[0]...), zeros(shape[1]...), zeros(shape[1]...), ops.Causal())
		if err != nil || !slices.Equal(out.Shape(), shape[0]) {
			t.Errorf("%v: %v %v", shape, out, err)
		}
	}
}

// Any config of the space computes the same, whatever its tiles: heads in several parts, steps
// along the head, tiles wider than what there is.
func TestAttentionOfAnyConfig(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(10, 1))
	for range 40 {
		a := reference.Attention{B: 1, Hq: 2, Hkv: 1, Sq: 1 + rng.IntN(150), Sk: 1 + rng.IntN(200), D: 1 + rng.IntN(256)}
		a.Scale = 1 / math.Sqrt(float64(a.D))
		a.Mask = func(b, h, i, j int) float64 {
			if j > i+2 || j < i-20 {
				return math.Inf(-1)
			}
			return 0
		}
		list := kernels.AttentionConfigs(cudaCaps, weft.F32, a.Sq, a.Sk, a.D)
		cfg := list[rng.IntN(len(list))]
		cfg.First, cfg.Last = true, true
		q, x := random(t, dev, rng, weft.F32, a.B, a.Hq, a.Sq, a.D)
		k, y := random(t, dev, rng, weft.F32, a.B, a.Hkv, a.Sk, a.D)
		v, z := random(t, dev, rng, weft.F32, a.B, a.Hkv, a.Sk, a.D)
		out, _ := random(t, dev, rng, weft.F32, a.B, a.Hq, a.Sq, a.D)
		err := kernels.Attention.LaunchWith(cfg, weft.Scalars{a.Scale * math.Log2E, -20, 2}, q, k, v, out)
		want := a.Compute(x, y, z)
		within(t, out, err, want.Out, func(i int) float64 {
			return bounds.Attention(weft.F32, a.Sk, a.D, want.Out[i], want.Magnitudes[i], want.Scores[i/a.D], want.Values)
		})
		if t.Failed() {
			t.Fatalf("%+v of %+v", cfg, a)
		}
	}
}

// Sums do not drift away in many steps whose greatest score stays as it is.
func TestAttentionManySteps(t *testing.T) {
	dev := openCPU(t)
	const keys, head = 40000, 16
	for _, x := range []float64{1.45, 1.55, 1.61} {
		q, err := weft.Full(dev, weft.F32, 1.0, 1, 1, 2, head)
		if err != nil {
			t.Fatal(err)
		}
		k, err := weft.Full(dev, weft.F32, x, 1, 1, keys, head)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := weft.ToFloats(mustSlice(t, k, 2, 0, 1))
		if err != nil {
			t.Fatal(err)
		}
		want := stored[0]*head/4 + math.Log(keys)
		for _, bn := range []int{4, 16, 64} {
			lse, err := weft.Empty(dev, weft.F32, 1, 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ops.Attention(q, k, k, ops.LogSumExp(lse), ops.Tiles(ops.AttentionConfig{BM: 2, BN: bn, Parts: 1})); err != nil {
				t.Fatal(err)
			}
			got, err := weft.ToFloats(lse)
			if err != nil {
				t.Fatal(err)
			}
			if d := math.Abs(got[0] - want); d > 2e-5 { // ten units in the last place of the result: one step's errors, not those of all
				t.Errorf("%d keys of %v by %d: log-sum-exp %v, want %v", keys, x, bn, got[0], want)
			}
		}
	}
}
