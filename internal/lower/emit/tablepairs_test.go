package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Products of each number of a table that a type does not hold and a scale of F32 are rounded to F32 and to the type, as those one by one are, from the least scales to those whose
// products are infinite.
func TestScaledTables(t *testing.T) {
	for i := range 4 {
		e, unit := []dtype.Type{dtype.F16, dtype.BF16}[i%2], []float64{0.3, 25 * 0x1p-17}[i/2] // F16 has multiples of the second, but not of a 2^8th of it
		m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", 1), caps: target.Caps{Language: target.CUDA}}}
		buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "scale", Elem: dtype.F32, Read: true}, {Name: "pairs", Elem: dtype.U32, Write: true}}
		m.b.Func.Buffers = buffers
		at := m.b.Int(0)
		m.word, m.scale = m.b.Load(buffers[0], at, nil, 1, 0), m.b.Load(buffers[1], at, nil, 1, 0)
		var elements []*simt.Value
		for shift := range 4 {
			for _, half := range []int{0, 16} {
				elements = append(elements, m.b.Binary(simt.Mul, m.chosen(m.bits(4*shift+half, 4), unit), m.scale))
			}
		}
		for i, w := range m.integerPairs(elements, e) {
			m.b.Store(buffers[2], m.b.Int(i), w, nil)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range 600 {
			scale := math.Ldexp(1+rng.Float64(), 130-i%300)
			switch i {
			case 0, 1, 2, 3:
				scale = []float64{0, math.NaN(), math.Inf(1), math.Copysign(0, -1)}[i]
			}
			if rng.IntN(3) == 0 {
				scale = -scale
			}
			for code := range uint32(codes.Count) {
				memory := [][]byte{make([]byte, 16), make([]byte, 16), make([]byte, 16)}
				binary.LittleEndian.PutUint32(memory[0], code*0x0111_1111|(code^15)<<28)
				dtype.PutFloats(dtype.F32, memory[1], []float64{scale})
				if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
					t.Fatal(err)
				}
				var got [8]float64
				dtype.Floats(e, got[:], memory[2])
				for j, v := range got {
					c := code
					if j == 7 {
						c ^= 15
					}
					step := float32(unit)
					number := float32(float64(step*float32(2*c+1))*2 + float64(step))
					want := float64(dtype.Round(e, float64(number*float32(scale))))
					if v != want && !(math.IsNaN(v) && math.IsNaN(want)) || math.Signbit(v) != math.Signbit(want) && !math.IsNaN(v) {
						t.Fatalf("%v: element %d, %v times %v is %v, want %v", e, j, number, float32(scale), v, want)
					}
				}
			}
		}
	}
}

// Neighbours of a table are looked up together, both halves of each byte of a word, by every thread of some subgroups, whatever their codes are.
func TestPairTables(t *testing.T) {
	const threads = 64
	for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
		m := pairMaker{emitter: &emitter{b: simt.NewBuilder("pairs", threads), caps: target.Caps{Language: target.CUDA}, threads: threads, tabled: true, op: &tile.Op{}}}
		buffers := []*simt.Buffer{{Name: "words", Elem: dtype.U32, Read: true}, {Name: "pairs", Elem: dtype.U32, Write: true}}
		m.b.Func.Buffers = buffers
		m.thread = m.b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
		m.word = m.b.Load(buffers[0], m.thread, nil, 1, 0)
		var elements []*simt.Value
		for at := 0; at < 32; at += 4 {
			elements = append(elements, m.chosen(m.bits(at, 4), 0.3))
		}
		words := m.integerPairs(elements, e)
		if len(words) != 4 || len(m.pairTables) != 1 {
			t.Fatalf("%v: %d words by %d tables, want 4 by 1", e, len(words), len(m.pairTables))
		}
		for i, w := range words {
			m.b.Store(buffers[1], m.b.Binary(simt.Add, m.b.Binary(simt.Mul, m.thread, m.b.Int(4)), m.b.Int(i)), w, nil)
		}
		m.fillPairTables()
		if err := simt.Verify(m.b.Func); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 6))
		memory := [][]byte{machine.RandomBytes(rng, dtype.U32, threads), make([]byte, 16*threads)}
		launch := machine.Launch{Grid: [3]int{1, 1, 1}, Buffers: memory, InStep: true} // barriers come later
		if err := launch.Run(m.b.Func); err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 8*threads)
		dtype.Floats(e, got, memory[1])
		for i, v := range got {
			c := memory[0][i/2] >> (i % 2 * 4) & 15
			step := float32(0.3)
			number := float32(float64(step*float32(2*c+1))*2 + float64(step))
			if want := float64(dtype.Round(e, float64(number))); v != want {
				t.Fatalf("%v: element %d, code %d, is %v, want %v", e, i, c, v, want)
			}
		}
	}
}
