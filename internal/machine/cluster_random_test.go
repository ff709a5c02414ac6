package machine

import (
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// randomValues appends ops on integers to a kernel, some of them in loops and branches, and returns those that stand outside.
func randomValues(r *rapid.T, b *simt.Builder, values []*simt.Value, in *simt.Buffer, depth int) []*simt.Value {
	i32 := simt.Scalar(dtype.I32)
	constant := func(from ...int) *simt.Value { return b.Int(rapid.SampledFrom(from).Draw(r, "constant")) }
	some := func() *simt.Value { return rapid.SampledFrom(values).Draw(r, "value") }
	small := func() *simt.Value { return b.Binary(simt.And, some(), b.Int(7)) }
	for range rapid.IntRange(1, 6).Draw(r, "ops") {
		var v *simt.Value
		switch kind := rapid.IntRange(0, 6+2*depth).Draw(r, "kind"); kind {
		case 0, 1:
			v = b.Binary(rapid.SampledFrom([]simt.Kind{simt.Add, simt.Sub, simt.Mul, simt.Min, simt.Max, simt.Xor, simt.Or}).Draw(r, "op"), some(), some())
		case 2:
			v = b.Binary(rapid.SampledFrom([]simt.Kind{simt.Div, simt.Rem}).Draw(r, "op"), some(), constant(1, 2, 3, 4, 6, 8))
		case 3:
			v = b.Binary(rapid.SampledFrom([]simt.Kind{simt.Shl, simt.Shr}).Draw(r, "op"), some(), constant(0, 1, 2, 3))
		case 4:
			v = b.Select(b.Binary(simt.Lt, some(), some()), some(), some())
		case 5:
			v = b.Emit(&simt.Op{Kind: simt.WorkgroupID, Axis: rapid.SampledFrom([]int{0, 0, 1}).Draw(r, "axis")}, i32)
		case 6:
			v = b.Load(in, small(), nil, 1, 0)
		case 7: // bounds may differ
			v = b.For(b.Int(0), small(), b.Int(1), []*simt.Value{some()}, false, func(i *simt.Value, c []*simt.Value) []*simt.Value {
				inside := randomValues(r, b, append(values[:len(values):len(values)], i, c[0]), in, depth-1)
				return inside[len(inside)-1:]
			})[0]
		default: // threads go one way
			cond := b.Binary(simt.Lt, b.Binary(simt.And, b.Emit(&simt.Op{Kind: simt.WorkgroupID}, i32), constant(1, 2)), constant(0, 1, 2))
			way := func() []*simt.Value {
				inside := randomValues(r, b, values[:len(values):len(values)], in, depth-1)
				return inside[len(inside)-1:]
			}
			v = b.Branch(cond, way, way)[0]
		}
		values = append(values, v)
	}
	return values
}

// TestSameInCluster: what is said to be the same in the workgroups of a cluster is, in threads of one number, whatever the words are.
func TestSameInCluster(t *testing.T) {
	found, all := 0, 0
	random := func(r *rapid.T) {
		const threads, workgroups = 4, 6
		b := simt.NewBuilder("random", threads)
		b.Func.Cluster = 2
		in, out := &simt.Buffer{Name: "in", Elem: dtype.I32, Read: true}, &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
		b.Func.Buffers, b.Func.Words = []*simt.Buffer{in, out}, []simt.Word{{Name: "n", Elem: dtype.I32}}
		i32 := simt.Scalar(dtype.I32)
		thread, id := b.Emit(&simt.Op{Kind: simt.ThreadID}, i32), b.Emit(&simt.Op{Kind: simt.WorkgroupID}, i32)
		param := b.Emit(&simt.Op{Kind: simt.Param}, i32)
		values := randomValues(r, b, []*simt.Value{thread, id, param, b.Int(1)}, in, 2)
		at := b.Binary(simt.Mul, b.Binary(simt.Add, b.Binary(simt.Mul, id, b.Int(threads)), thread), b.Int(len(values)))
		for i, v := range values {
			b.Store(out, b.Binary(simt.Add, at, b.Int(i)), v, nil)
		}
		memory := [][]byte{make([]byte, 4*8), make([]byte, 4*workgroups*threads*len(values))}
		for i := range 8 {
			binary.LittleEndian.PutUint32(memory[0][4*i:], uint32(i*i*37%11))
		}
		launch := Launch{Grid: [3]int{workgroups, 1, 1}, Buffers: memory, Words: []uint32{uint32(rapid.IntRange(0, 20).Draw(r, "n"))}}
		if err := launch.Run(b.Func); err != nil {
			r.Skip(err) // an integer division that overflows, say
		}
		same := simt.SameInCluster(b.Func)
		for i, v := range values {
			if all++; !same(v) {
				continue
			}
			found++
			for w := 0; w < workgroups; w += 2 {
				for thread := range threads {
					element := func(w int) uint32 {
						return binary.LittleEndian.Uint32(memory[1][4*((w*threads+thread)*len(values)+i):])
					}
					if x, y := element(w), element(w+1); x != y {
						r.Fatalf("%v is %d in workgroup %d and %d in the next\n%v", v, x, w, y, b.Func)
					}
				}
			}
		}
	}
	for range 20 {
		rapid.Check(t, random)
	}
	if found == 0 || found == all {
		t.Errorf("%d of %d values are the same", found, all)
	}
}
