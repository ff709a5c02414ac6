package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

// drawnWeights are quantised weights [k,n] in any scheme and views, with their real numbers.
func drawnWeights(t *testing.T, dev *weft.Device, rng *rand.Rand, k, n int) (*ops.Quantized, []float64) {
	t.Helper()
	block := func(size int) int {
		if b := 1 + rng.IntN(8); size > 0 && size%b == 0 {
			return b * rng.IntN(2)
		}
		return rng.IntN(2)
	}
	scheme := ops.QuantScheme{Bits: 4 + 4*rng.IntN(2), Asymmetric: rng.IntN(2) == 0, Block: [2]int{block(k), block(n)}}
	if book := []ops.CodeBook{{}, ops.NF4, ops.FP4}[rng.IntN(3)]; scheme.Bits == 4 {
		scheme.Codes = book
	}
	if scheme.PowersOfTwo = rng.IntN(3) == 0; scheme.PowersOfTwo || scheme.Codes != (ops.CodeBook{}) {
		scheme.Asymmetric = false
	}
	turned := rng.IntN(2) == 0
	rows, columns := k, n
	if turned {
		rows, columns, scheme = n, k, scheme.T()
	}
	bytes := columns
	if scheme.Bits == 4 {
		bytes = (columns + 1) / 2
	}
	data, _ := ragged(t, dev, rng, scheme.Stored(), rows, bytes)
	s := scheme.ScalesShape([2]int{rows, columns})
	scales, _ := ragged(t, dev, rng, floatTypes[rng.IntN(3)], s[0], s[1])
	if scheme.PowersOfTwo {
		exponents := make([]float64, s[0]*s[1])
		for i := range exponents {
			exponents[i] = float64(124 + rng.IntN(5))
		}
		scales = must(weft.FromFloats(dev, weft.U8, exponents, s[0], s[1]))
	}
	var zeros *weft.Tensor
	if scheme.Asymmetric {
		zeros, _ = ragged(t, dev, rng, weft.U8, s[0], s[1])
	}
	w, err := ops.NewQuantized(scheme, rows, columns, data, scales, zeros)
	if err != nil {
		t.Fatal(err)
	}
	if turned {
		w = w.T()
	}
	real, err := ops.Dequantize(w, weft.F32)
	if err != nil {
		t.Fatal(err)
	}
	values, err := weft.ToFloats(real)
	if err != nil {
		t.Fatal(err)
	}
	return w, values
}

// Products are within the bounds whether weights are dequantised before them or not, with any views, schemes and epilogues, and a
// workspace full of what was there before.
func TestDequantizedProducts(t *testing.T) {
	dev, rng := openCPU(t), rand.New(rand.NewPCG(21, 2))
	for i := range 200 {
		elem := floatTypes[rng.IntN(3)]
		m, k, n := 1+rng.IntN(20), 1+rng.IntN(40), 1+rng.IntN(20)
		a, x := ragged(t, dev, rng, elem, m, k)
		w, y := drawnWeights(t, dev, rng, k, n)
		want, magnitudes := reference.MatMul(m, k, n, x, y)
		sums := make([]float64, m)
		for j, v := range x {
			sums[j/k] += math.Abs(v)
		}
		options := []ops.MatMulOption{ops.Alpha(0.5), ops.Beta(2)}
		bias, b := ragged(t, dev, rng, weft.F32, n)
		old := rng.NormFloat64()
		old = float64(float32(math.Round(8*old) / 8))
		for j := range want {
			want[j] = max(0.5*want[j]+2*old+b[j%n], 0)
			magnitudes[j] += 2*math.Abs(old) + math.Abs(b[j%n])
		}
		options = append(options, ops.Bias(bias), ops.Fuse(ops.ReLUMap))
		if i%4 == 1 {
			options = append(options, ops.Tiles(ops.MatMulConfig{BM: 4, BN: 8, BK: 16, SplitK: 3}))
		}
		for _, packs := range []bool{false, true} {
			out, _ := permuted(t, dev, rng, elem, m, n)
			dirty, err := weft.Full(dev, elem, 57344, 1<<12) // that the pool hands out as the workspace
			if err != nil {
				t.Fatal(err)
			}
			dirty.Close()
			for range 2 { // the second is remembered
				if err := out.Fill(old); err != nil {
					t.Fatal(err)
				}
				err := ops.QuantizedMatMulInto(out, a, w, append(options[:len(options):len(options)], ops.Pack(packs))...)
				within(t, out, err, want, func(j int) float64 {
					return bounds.QuantizedMatMul(elem, k+3, want[j], magnitudes[j], sums[j/n])
				})
			}
			if t.Failed() {
				t.Fatalf("%d, packed %v: %v %v @ %v of %v", i, packs, elem, a.Layout(), w, w.Data.Layout())
			}
		}
	}
}

// Four tensors of steps leave room for the scales of columns.
func TestDequantizedWithAllSteps(t *testing.T) {
	const m, n, k, steps = 9, 12, 16, 4
	dev, rng := openCPU(t), rand.New(rand.NewPCG(22, 2))
	a, left := random(t, dev, rng, weft.F16, m, k)
	x, _ := random(t, dev, rng, weft.F32, n, k)
	q, err := ops.Quantize(x, ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	right, err := weft.ToFloats(must(ops.Dequantize(q.T(), weft.F32)))
	if err != nil {
		t.Fatal(err)
	}
	_, magnitudes := reference.MatMul(m, k, n, left, right)
	options := []ops.MatMulOption{ops.ResultType(weft.F32)}
	for range steps {
		bias, values := random(t, dev, rng, weft.F32, n)
		options = append(options, ops.Bias(bias))
		for i := range magnitudes {
			magnitudes[i] += math.Abs(values[i%n])
		}
	}
	var results [2][]float64
	for i := range results {
		out, err := ops.QuantizedMatMul(a, q.T(), append(options, ops.Pack(i == 1))...)
		if err != nil {
			t.Fatal(err)
		}
		if results[i], err = weft.ToFloats(out); err != nil {
			t.Fatal(err)
		}
	}
	// Each result has a rounding for every product, scale and step.
	within(t, must(weft.FromFloats(dev, weft.F32, results[0], m, n)), nil, results[1], func(i int) float64 {
		return 2 * (k + 1 + steps) * weft.F32.Epsilon() * magnitudes[i]
	})
}

// Products of integers and scales of groups that are too large for the type are infinite, those with scales of columns are not; both are
// what the product of the weights as they are stored is.
func TestDequantizedOverflow(t *testing.T) {
	dev := openCPU(t)
	for _, c := range []struct {
		block [2]int
		want  float64
	}{{[2]int{8, 1}, math.Inf(1)}, {[2]int{0, 1}, 16 * 100 * 1000 * 0x1p-10}} {
		k, n := 16, 8
		rows := c.block[0]
		if rows == 0 {
			rows = k
		}
		data := must(weft.Full(dev, weft.I8, 100, k, n))
		scales := must(weft.Full(dev, weft.F32, 1000, k/rows, n))
		w, err := ops.NewQuantized(ops.QuantScheme{Bits: 8, Block: c.block}, k, n, data, scales, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := must(weft.Full(dev, weft.F16, 0x1p-10, 8, k))
		for _, packs := range []bool{false, true} {
			out, err := ops.QuantizedMatMul(a, w, ops.Pack(packs))
			if err != nil {
				t.Fatal(err)
			}
			values, err := weft.ToFloats(out)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if math.Abs(v-c.want) > 1 || math.IsInf(v, 1) != math.IsInf(c.want, 1) {
					t.Fatalf("blocks %v, packed %v: %v, want %v", c.block, packs, v, c.want)
				}
			}
		}
	}
}

// Without memory to dequantise in, weights are multiplied as they are stored; nobody holds on to a workspace, and atomic sums have none.
func TestNoRoomForDequantized(t *testing.T) {
	dev, spy := openSpy(t)
	x := must(weft.Full(dev, weft.F32, 1, 12, 16))
	q, err := ops.Quantize(x, ops.QuantScheme{Bits: 8, Block: [2]int{1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	a, out := must(weft.Full(dev, weft.F32, 1, 9, 16)), must(weft.Empty(dev, weft.F32, 9, 12))
	before := dev.MemoryStats().InUse
	for _, c := range []struct {
		full     bool
		options  []ops.MatMulOption
		launches int
	}{
		{true, []ops.MatMulOption{ops.Pack(true)}, 1}, {false, []ops.MatMulOption{ops.Pack(true)}, 2},
		{false, nil, 1}, {false, []ops.MatMulOption{ops.Pack(false)}, 1},
		{false, []ops.MatMulOption{ops.Pack(true), ops.Tiles(ops.MatMulConfig{SplitK: 2, Atomic: true})}, 1},
	} {
		recent.Forget()
		spy.mu.Lock()
		spy.full, spy.launches = c.full, 0
		spy.mu.Unlock()
		err := ops.QuantizedMatMulInto(out, a, q.T(), c.options...)
		spy.mu.Lock()
		spy.full = false
		launches := spy.launches
		spy.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		if launches != c.launches {
			t.Errorf("memory is full: %v, %d launches, want %d", c.full, launches, c.launches)
		}
		if got, err := weft.ToSlice[float32](out); err != nil || math.Abs(float64(got[0])-16) > 0.2 {
			t.Errorf("%v, %v", got[0], err)
		}
	}
	if after := dev.MemoryStats().InUse; after > before {
		t.Errorf("%d bytes in use, %d before", after, before)
	}
}

// A recording dequantises anew what the weights hold at each replay.
func TestDequantizingIsRecorded(t *testing.T) {
	dev := openCPU(t)
	data := must(weft.Full(dev, weft.I8, 1, 16, 12))
	w, err := ops.NewQuantized(ops.QuantScheme{Bits: 8}, 16, 12, data, must(weft.Full(dev, weft.F32, 1, 1, 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, out := must(weft.Full(dev, weft.F32, 1, 9, 16)), must(weft.Empty(dev, weft.F32, 9, 12))
	recording, err := dev.Capture(func(rec *weft.Recorder) error {
		return ops.QuantizedMatMulInto(rec.Use(out), a, w, ops.Pack(true))
	})
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	if n := recording.Launches(); n != 2 {
		t.Errorf("%d launches, want the weights and the product", n)
	}
	for _, q := range []int{3, -5, 127} {
		if err := data.Fill(q); err != nil {
			t.Fatal(err)
		}
		dirty := must(weft.Full(dev, weft.F32, 57344, 1<<10))
		dirty.Close()
		if err := recording.Replay(); err != nil {
			t.Fatal(err)
		}
		if got, err := weft.ToSlice[float32](out); err != nil || got[7] != float32(16*q) {
			t.Errorf("%v, %v, want %d", got[7], err, 16*q)
		}
	}
}
