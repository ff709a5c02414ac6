package codes_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/codes"
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/simt"
)

// kernel stores what random ops make of 4 bits of a byte, from bit at on of a word.
func kernel(rng *rand.Rand, at int) (k *simt.Func, x *simt.Value) {
	b := simt.NewBuilder("k", 1)
	b.Func.Buffers = []*simt.Buffer{{Name: "words", Elem: dtype.U32, Read: true}, {Name: "out", Elem: dtype.F32, Write: true}}
	word, float := simt.Scalar(dtype.U32), simt.Scalar(dtype.F32)
	code := b.Extract(b.Unpack(b.Load(b.Func.Buffers[0], b.Int(0), nil, 1, 0), dtype.U8), at/8)
	if at%8 == 4 {
		code = b.Binary(simt.Shr, code, b.Const(word, 4))
	}
	words := []*simt.Value{b.Binary(simt.And, code, b.Const(word, codes.Count-1))}
	truths := []*simt.Value{b.Binary(simt.Ne, b.Binary(simt.And, words[0], b.Const(word, 4)), b.Const(word, 0))}
	floats := []*simt.Value{b.Const(float, 0.5)}
	pick := func(list []*simt.Value) *simt.Value { return list[rng.IntN(len(list))] }
	for range 20 {
		small := b.Const(word, float64(1+rng.IntN(7)))
		switch rng.IntN(6) {
		case 0:
			kinds := []simt.Kind{simt.And, simt.Or, simt.Xor, simt.Shl, simt.Shr, simt.Add}
			words = append(words, b.Binary(kinds[rng.IntN(len(kinds))], pick(words), small))
		case 1:
			truths = append(truths, b.Binary([]simt.Kind{simt.Eq, simt.Lt, simt.Ge}[rng.IntN(3)], pick(words), small))
		case 2:
			floats = append(floats, b.Emit(&simt.Op{Kind: simt.Bitcast, Args: []*simt.Value{b.Binary(simt.Or, b.Binary(simt.And, pick(words), b.Const(word, 255)), b.Const(word, 0x3f800000))}}, float))
		case 3:
			floats = append(floats, b.Select(pick(truths), pick(floats), b.Const(float, float64(rng.IntN(9))/4)))
		case 4:
			floats = append(floats, b.FMA(pick(floats), b.Const(float, float64(rng.IntN(5))/2), pick(floats)))
		case 5:
			floats = append(floats, b.Select(pick(truths), pick(floats), pick(floats)))
		}
	}
	x = b.Binary(simt.Add, b.Select(truths[0], b.Const(float, 3), b.Const(float, 1)), floats[len(floats)-1])
	b.Store(b.Func.Buffers[1], b.Int(0), x, nil)
	return b.Func, x
}

// A table has what the kernel computes for each value of the bits, whatever the others are; a float of more bits has none.
func TestTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		at := 4 * rng.IntN(8)
		k, x := kernel(rng, at)
		table, ok := new(codes.Tables).Of(x, 0)
		if !ok || table.At != at || table.Width != 4 {
			t.Fatalf("bits from %d on: %+v, %v\n%v", at, table, ok, k)
		}
		for code, want := range table.Numbers {
			memory := [][]byte{make([]byte, 4), make([]byte, 4)}
			binary.LittleEndian.PutUint32(memory[0], rng.Uint32()&^(15<<at)|uint32(code)<<at)
			if err := machine.Run(k, [3]int{1, 1, 1}, memory, nil); err != nil {
				t.Fatal(err)
			}
			if got := binary.LittleEndian.Uint32(memory[1]); got != want {
				t.Fatalf("code %d from bit %d on: the table has %#x, the kernel computes %#x\n%v", code, at, want, got, k)
			}
		}
	}
}

// What depends on more than 4 bits, on bits of two words, or on none has no table.
func TestNoTables(t *testing.T) {
	b := simt.NewBuilder("k", 1)
	buf := &simt.Buffer{Name: "words", Elem: dtype.U32, Read: true}
	b.Func.Buffers = []*simt.Buffer{buf}
	word, float := simt.Scalar(dtype.U32), simt.Scalar(dtype.F32)
	loaded := b.Load(buf, b.Int(0), nil, 2, 0)
	bytes := b.Unpack(loaded, dtype.U8)
	part := func(i, low, mask int) *simt.Value {
		return b.Binary(simt.And, b.Binary(simt.Shr, b.Extract(bytes, i), b.Const(word, float64(low))), b.Const(word, float64(mask)))
	}
	number := func(x *simt.Value) *simt.Value {
		return b.Select(b.Binary(simt.Ne, x, b.Const(word, 0)), b.Const(float, 2), b.Const(float, 3))
	}
	truth := b.Binary(simt.Ne, b.Extract(loaded, 0), b.Const(word, 7))
	for what, x := range map[string]*simt.Value{
		"8 bits":            number(part(0, 0, 255)),
		"bits 2 to 5":       number(part(0, 2, 15)),
		"two digits":        b.Binary(simt.Add, number(part(0, 0, 15)), number(part(0, 4, 15))),
		"bits of two words": b.Binary(simt.Add, number(part(0, 0, 15)), number(part(4, 0, 15))),
		"a constant":        b.Const(float, 2),
		"a truth":           b.Select(b.Emit(&simt.Op{Kind: simt.And, Args: []*simt.Value{truth, b.Const(truth.Type, 1)}}, truth.Type), b.Const(float, 2), b.Const(float, 3)),
		"a whole word":      number(b.Extract(loaded, 0)),
	} {
		if table, ok := new(codes.Tables).Of(x, 0); ok {
			t.Errorf("%s: %+v", what, table)
		}
	}
	high := b.Binary(simt.And, b.Binary(simt.Shr, b.Extract(loaded, 0), b.Const(word, 9)), b.Const(word, 5)) // bits 9 and 11
	if table, ok := new(codes.Tables).Of(number(high), 0); !ok || table.From != loaded || table.At != 8 || table.Numbers[0] != 0x40400000 || table.Numbers[5] != 0x40400000 || table.Numbers[2] != 0x40000000 || table.Numbers[8] != 0x40000000 {
		t.Errorf("two bits of a word: %+v, %v", table, ok)
	}
	if table, ok := new(codes.Tables).Of(number(part(5, 1, 7)), 0); !ok || table.From != loaded || table.Lane != 1 || table.At != 8 || !slices.Equal(table.Numbers[:4], []uint32{0x40400000, 0x40400000, 0x40000000, 0x40000000}) {
		t.Errorf("three bits of a digit: %+v, %v", table, ok)
	}
}
