package emit

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Integers of few bits become the floats that they become by bytes, at every place of a word; other floats, and those for CUDA, are left as they are.
func TestIntegerFloats(t *testing.T) {
	type lanes func(m pairMaker) []*simt.Value
	nibbles := func(of func(m pairMaker, at int) *simt.Value) lanes {
		return func(m pairMaker) (list []*simt.Value) {
			for at := 0; at < 32; at += 4 {
				list = append(list, of(m, at))
			}
			return list
		}
	}
	list := map[string]struct {
		of    lanes
		words bool // all are computed from the word
	}{
		"signed nibbles":           {nibbles(func(m pairMaker, at int) *simt.Value { return m.less(m.bits(at, 4), simt.Xor, 8, 8) }), true},
		"nibbles":                  {nibbles(func(m pairMaker, at int) *simt.Value { return m.less(m.bits(at, 4), simt.Or, 0, 0) }), true},
		"nibbles less zero points": {nibbles(func(m pairMaker, at int) *simt.Value { return m.lessZero(m.bits(at, 4), 0) }), true},
		"zero points and a constant": {nibbles(func(m pairMaker, at int) *simt.Value {
			return m.lessZero(m.bits(at, 4), -256)
		}), true},
		"signed bytes": {func(m pairMaker) (list []*simt.Value) {
			for i := range 4 {
				list = append(list, m.less(m.with(simt.And, m.byteOf(i, dtype.I8), 255), simt.Xor, 128, 128))
			}
			return list
		}, true},
		"bytes less zero points": {func(m pairMaker) (list []*simt.Value) {
			for i := range 4 {
				list = append(list, m.lessZero(m.byteOf(i, dtype.U8), 0))
			}
			return list
		}, true},
		"fields across bytes' halves": {func(m pairMaker) []*simt.Value {
			return []*simt.Value{m.less(m.bits(1, 6), simt.Xor, 9, 32), m.less(m.bits(18, 5), simt.Xor, 9, 32), m.less(m.bits(25, 7), simt.Or, 0, 64)}
		}, true},
		"extended bytes": {func(m pairMaker) []*simt.Value {
			return []*simt.Value{m.less(m.byteOf(1, dtype.I8), simt.Xor, 128, 128)}
		}, false},
		"constants beyond those of integers of few bits": {func(m pairMaker) []*simt.Value {
			return []*simt.Value{m.less(m.bits(4, 4), simt.Or, 0, 300)}
		}, false},
		"one lane of something else": {func(m pairMaker) []*simt.Value {
			return []*simt.Value{m.less(m.bits(4, 4), simt.Or, 0, 0), m.b.Binary(simt.Sub, m.scale, m.zero)}
		}, false},
	}
	for name, c := range list {
		for _, language := range []target.Language{target.WGSL, target.SPIRV, target.CUDA} {
			t.Run(fmt.Sprintf("%s/%v", name, language), func(t *testing.T) {
				m := pairMaker{emitter: &emitter{b: simt.NewBuilder("floats", 1), caps: target.Caps{Language: language}}}
				buffers := []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}, {Name: "zero", Elem: dtype.U8, Read: true},
					{Name: "each", Elem: dtype.F32, Write: true}, {Name: "whole", Elem: dtype.F32, Write: true}, {Name: "scale", Elem: dtype.F32, Read: true}}
				m.b.Func.Buffers = buffers
				m.word, m.zero = m.b.Load(buffers[0], m.b.Int(0), nil, 1, 0), m.b.Convert(m.b.Load(buffers[1], m.b.Int(0), nil, 1, 0), dtype.F32)
				m.scale = m.b.Load(buffers[4], m.b.Int(0), nil, 1, 0)
				changed := true
				for i, x := range c.of(m) {
					y := m.integerFloats(x)
					changed = changed && y != x
					m.b.Store(buffers[2], m.b.Int(i), x, nil)
					m.b.Store(buffers[3], m.b.Int(i), y, nil)
				}
				if want := c.words && language != target.CUDA; changed != want {
					t.Fatalf("from words: %v, want %v", changed, want)
				}
				rng := rand.New(rand.NewPCG(7, uint64(len(name))))
				for range 100 {
					memory := [][]byte{make([]byte, 4), make([]byte, 4), make([]byte, 32), make([]byte, 32), make([]byte, 4)}
					binary.LittleEndian.PutUint32(memory[0], rng.Uint32())
					memory[1][0] = byte(rng.Uint32())
					if err := machine.Run(m.b.Func, [3]int{1, 1, 1}, memory, nil); err != nil {
						t.Fatalf("%v\n%v", err, m.b.Func)
					}
					if !bytes.Equal(memory[2], memory[3]) {
						t.Fatalf("of %x and zero point %d: by bytes %x, from the word %x\n%v", memory[0], memory[1][0], memory[2], memory[3], m.b.Func)
					}
				}
			})
		}
	}
}

// A vector is made of the word if all of its lanes are integers of it.
func TestIntegerFloatsVector(t *testing.T) {
	m := pairMaker{emitter: &emitter{b: simt.NewBuilder("floats", 1), caps: target.Caps{Language: target.WGSL}}}
	m.b.Func.Buffers = []*simt.Buffer{{Name: "word", Elem: dtype.U32, Read: true}}
	m.word = m.b.Load(m.b.Func.Buffers[0], m.b.Int(0), nil, 1, 0)
	q := m.b.Compose(m.bits(0, 4), m.bits(4, 4), m.bits(28, 4), m.b.Const(m.word.Type, 3))
	mixed := q.Type
	if v := m.less(q, simt.Or, 0, 0); m.integerFloats(v) != v {
		t.Errorf("a lane of %v that is a constant became one of the word", mixed)
	}
	q = m.b.Compose(m.bits(0, 4), m.bits(4, 4), m.bits(28, 4), m.bits(8, 4))
	v := m.integerFloats(m.less(q, simt.Or, 0, 0))
	for i := range 4 {
		if x, _ := simt.LaneOf(v, i); x.Op == nil || x.Op.Kind != simt.FMA && x.Op.Kind != simt.Add {
			t.Errorf("lane %d is %v", i, x.Op)
		}
	}
}
