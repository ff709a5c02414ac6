package backendtest

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/reference"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/ops/bounds"
)

var numberCases = []testCase{
	{"RoundedOnce", testRoundedOnce},
	{"UniformNumbers", uniformNumbers},
	{"NormalNumbers", normalNumbers},
	{"DropoutNumbers", dropoutNumbers},
}

// uniformNumbers are the same to the bit on every backend, also where the low word of counters overflows.
func uniformNumbers(s *suite) {
	s.op("Uniform")
	const offset = 4*(1<<32) - 400
	for i, elem := range s.reals() {
		for _, f := range []form{dense, forms[1+i%3]} {
			out := s.output(f, elem, 37, 91)
			s.try(ops.UniformInto(out.Tensor, ops.Stream{Seed: 0xfedcba9876543210, Offset: offset}))
			out.check(reference.Uniform(0xfedcba9876543210, offset, 37*91, -int(math.Log2(elem.Epsilon()))), nil)
		}
	}
}

// normalNumbers are, too: their bits have one hash for each type.
func normalNumbers(s *suite) {
	s.op("Normal")
	for i, elem := range s.reals() {
		out := s.output(dense, elem, 4099)
		s.try(ops.NormalInto(out.Tensor, ops.Stream{Seed: 1, Offset: 40}))
		want, radius := reference.Normal(1, 40, 4099)
		if elem == weft.F64 {
			want, radius = reference.NormalF64(1, 40, 4099)
		}
		out.check(want, func(i int) float64 { return bounds.Normal(elem, want[i], radius[i]) })
		hash := fnv.New64a()
		for _, x := range s.floats(out.Tensor) {
			fmt.Fprintf(hash, "%x ", x)
		}
		if want := []uint64{0xcac3a147490f0fc0, 0x1db0bced4a4d6b58, 0x4f9685039675ec23, 0x75b256c59490d185}[i]; hash.Sum64() != want {
			s.Errorf("%v: the numbers' hash is %#x, want %#x", elem, hash.Sum64(), want)
		}
	}
}

func dropoutNumbers(s *suite) {
	s.op("Dropout")
	for i, elem := range s.reals() {
		x, stream := s.random(elem, 33, 70), ops.Stream{Seed: uint64(i), Offset: 4}
		want, kept := make([]float64, len(x.x)), make([]float64, len(x.x))
		for i, w := range reference.Words(stream.Seed, stream.Offset, len(x.x)) {
			if w >= 1<<30 { // a quarter goes
				want[i], kept[i] = x.x[i]/0.75, 1
			}
		}
		out, mask := s.output(forms[i], elem, 33, 70), s.output(dense, weft.Bool, 33, 70)
		s.try(ops.DropoutInto(out.Tensor, s.input(forms[i], x), 0.25, stream, mask.Tensor))
		out.check(want, func(i int) float64 { return 2*elem.Epsilon()*math.Abs(want[i]) + bounds.Smallest(elem) })
		mask.check(kept, nil)
	}
}
