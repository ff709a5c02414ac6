package emittest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// matrixKernel multiplies what it copies to shared memory: fragments of an element type, read along rows and, where there are
// such loads, across them. rings says that the array has several stages and another lies over it; large that more
// shared memory is used than a kernel declares by itself.
func matrixKernel(e dtype.Type, rings, large bool) *simt.Func {
	x, out := input("x", e), output("out", simt.MMASums(e))
	b := start("matrix", 32, x, out)
	b.SetLine("matrix.go:3")
	n := 16 / e.Size()
	elements := 64 * n
	if large {
		elements *= 64
	}
	tile := b.NewShared("tile", e, elements)
	late := b.NewShared("late", simt.MMASums(e), 128)
	if rings {
		tile.Stages, late.Late = 2, true
	}
	t := thread(b)
	at := b.Binary(simt.Mul, t, b.Int(n))
	inside := b.Binary(simt.Lt, t, param(b, "rows", dtype.I32))
	b.Do(&simt.Op{Kind: simt.CopyAsync, Shared: tile, Buffer: x, Count: n, Args: []*simt.Value{at, at, inside}})
	b.Do(&simt.Op{Kind: simt.CopyAsync, Shared: tile, Buffer: x, Count: n, Args: []*simt.Value{b.Binary(simt.Add, at, b.Int(32*n)), at}})
	b.Do(&simt.Op{Kind: simt.CopyCommit})
	b.Do(&simt.Op{Kind: simt.CopyWait})
	barrier(b)
	b.SetLine("matrix.go:4")
	left := b.LoadMatrix(tile, at, 4, false)
	right := b.LoadMatrix(tile, at, 2, e.Size() == 2)
	sums := b.Const(simt.Vector(simt.MMASums(e), 4), 1)
	sums = b.MMA(e, left, right, sums)
	four := b.Binary(simt.Mul, t, b.Int(4))
	b.SharedStore(late, 1, four, sums, nil)
	barrier(b)
	b.Store(out, four, b.SharedLoad(late, four, 4), nil)
	return b.Func
}

var matrixTypes = []dtype.Type{dtype.F16, dtype.BF16, dtype.F32, dtype.I8, dtype.U8}

// refusedByShaders checks that the languages of shaders refuse a kernel.
func refusedByShaders(t *testing.T, name string, k *simt.Func) {
	t.Helper()
	if _, err := wgsl.Emit(declared(t, k, target.Caps{}), target.Caps{}); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("%s in WGSL: %v", name, err)
	}
	caps := wholeSPIRV
	if _, err := spirv.Emit(passed(t, k, caps, "dce", "declare"), caps); !errors.Is(err, fault.ErrUnsupported) {
		t.Errorf("%s in SPIR-V: %v", name, err)
	}
}

// TestMatrix compiles matrix instructions and asynchronous copies for CUDA. WGSL and SPIR-V have none.
func TestMatrix(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for _, e := range matrixTypes {
		kernels[e.String()] = matrixKernel(e, false, false)
		kernels[e.String()+" in a ring"] = matrixKernel(e, true, e == dtype.F16)
	}
	for name, k := range kernels {
		if err := simt.Verify(k); err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		refusedByShaders(t, name, k)
	}
	compare(t, "matrix.cu", emitCUDA(t, kernels["f16 in a ring"], "sm_90a"))
	for name, k := range kernels { // one by one: memory of a launch has one name for all
		checkCUDA(t, map[string]*simt.Func{name: k}, bothArchs...)
	}
}

// storeKernel stores fragments of a type as rows and as columns.
func storeKernel(e dtype.Type, words int) *simt.Func {
	out := output("out", e)
	b := start("store", 64, out)
	b.SetLine("store.go:3")
	tile := b.NewShared("tile", e, 64*8)
	t := thread(b)
	x := b.Splat(b.Convert(t, dtype.U32), words)
	at := b.Binary(simt.Mul, t, b.Int(8))
	b.StoreMatrix(tile, 1, at, x, false)
	barrier(b)
	b.Store(out, t, b.SharedLoad(tile, t, 1), nil)
	barrier(b)
	b.StoreMatrix(tile, 2, at, x, true)
	barrier(b)
	b.Store(out, t, b.SharedLoad(tile, t, 1), nil)
	return b.Func
}

// TestStoredMatrices compiles stores of matrices, which CUDA has from one architecture on.
func TestStoredMatrices(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for _, words := range []int{1, 2, 4} {
		for _, e := range []dtype.Type{dtype.F16, dtype.BF16} {
			k := storeKernel(e, words)
			kernels[fmt.Sprintf("%vx%d", e, words)] = k
			if err := simt.Verify(k); err != nil {
				t.Fatalf("%v\n%v", err, k)
			}
			refusedByShaders(t, e.String(), k)
			if _, err := cuda.Emit(k, target.Caps{Arch: "sm_89"}); !errors.Is(err, fault.ErrUnsupported) {
				t.Errorf("for sm_89: %v", err)
			}
		}
	}
	compare(t, "storematrix.cu", emitCUDA(t, kernels["bf16x4"], "sm_90a"))
	checkCUDA(t, kernels, "sm_90a")
}

// ballotKernel counts the threads of each warp for which a truth holds.
func ballotKernel() *simt.Func {
	x, out := input("x", dtype.I32), output("out", dtype.I32)
	b := start("ballot", 64, x, out)
	b.SetLine("ballot.go:3")
	t := thread(b)
	word := b.Emit(&simt.Op{Kind: simt.Ballot, Args: []*simt.Value{b.Binary(simt.Gt, b.Load(x, t, nil, 1, 0), b.Int(0))}}, simt.Scalar(dtype.U32))
	b.Store(out, t, b.Convert(b.Unary(simt.BitCount, word), dtype.I32), nil)
	return b.Func
}

// rankKernel counts the equal elements before each in its warp.
func rankKernel() *simt.Func {
	x, out := input("x", dtype.I32), output("out", dtype.I32)
	b := start("rank", 64, x, out)
	b.SetLine("rank.go:3")
	t := thread(b)
	counts := b.NewShared("counts", dtype.I32, 128)
	b.SharedStore(counts, 1, b.Binary(simt.Shl, t, b.Int(1)), b.Const(simt.Vector(dtype.I32, 2), 0), nil)
	barrier(b)
	digit := b.Binary(simt.And, b.Load(x, t, nil, 1, 0), b.Int(63))
	b.Store(out, t, b.SharedRank(counts, 2, b.Binary(simt.Add, digit, b.Binary(simt.Shl, b.Binary(simt.Shr, t, b.Int(5)), b.Int(6))), 6), nil)
	return b.Func
}

func TestWarps(t *testing.T) {
	kernels := map[string]*simt.Func{"ballot": ballotKernel(), "rank": rankKernel()}
	for name, k := range kernels {
		if err := simt.Verify(k); err != nil {
			t.Fatal(err)
		}
		refusedByShaders(t, name, k)
		compare(t, name+".cu", emitCUDA(t, k, "sm_80"))
	}
	checkCUDA(t, kernels, "sm_80")
}

// groupKernel multiplies by a warpgroup what it stores to shared memory, K-major or MN-major.
func groupKernel(e dtype.Type, across bool, parts int) *simt.Func {
	out := output("out", dtype.F32)
	b := start("group", 128, out)
	b.SetLine("group.go:3")
	tile := b.NewShared("tile", e, 64*64)
	t := thread(b)
	b.SharedStore(tile, 1, t, b.Const(simt.Scalar(dtype.F32), 1), nil)
	barrier(b)
	own := b.Emit(&simt.Op{Kind: simt.WarpgroupID}, simt.Scalar(dtype.I32))
	x, y := b.MatrixPlace(tile, b.Binary(simt.Mul, own, b.Int(64*64)), across, 64), b.MatrixPlace(tile, b.Int(0), across, 64)
	var c []*simt.Value
	for range parts {
		c = append(c, b.Const(simt.Vector(dtype.F32, 4), 2))
	}
	c = b.GroupMMA(e, [][2]*simt.Value{{x, y}, {x, y}}, c)
	b.GroupWait(1, nil) // for what comes before
	c = b.GroupWait(0, c)
	for i, v := range c {
		b.Store(out, b.Binary(simt.Add, b.Binary(simt.Mul, t, b.Int(4*parts)), b.Int(4*i)), v, nil)
	}
	return b.Func
}

// heldKernel multiplies what threads hold in registers, words of two products and then of those of two matrices, by what they store to shared memory.
func heldKernel(e dtype.Type, parts int) *simt.Func {
	sums := simt.Vector(simt.MMASums(e), 4)
	in, out := input("in", dtype.U32), output("out", sums.Elem)
	b := start("held", 128, in, out)
	b.SetLine("held.go:3")
	tile := b.NewShared("tile", e, 64*128/e.Size())
	t := thread(b)
	b.SharedStore(tile, 1, t, b.Const(simt.Scalar(simt.Register(e)), 1), nil)
	barrier(b)
	var held []*simt.Value
	for i := range 2 {
		x := b.Load(in, b.Binary(simt.Mul, t, b.Int(4*i)), nil, 4, 0)
		held = append(held, b.Compose(b.Extract(x, 3), b.Extract(x, 0), b.Extract(x, 1), b.Extract(x, 2)))
	}
	y := b.MatrixPlace(tile, b.Int(0), false, 64)
	var c []*simt.Value
	for range parts {
		c = append(c, b.Const(sums, 2))
	}
	c0 := slices.Clone(c)
	c = b.GroupWait(0, b.GroupMMA(e, [][2]*simt.Value{{held[0], y}, {held[1], y}}, c))
	two := b.GroupMMAs(e, 2, [][2]*simt.Value{{held[1], y}, {y, y}, {held[0], y}, {held[1], y}}, slices.Concat(c0, c0))
	c = append(c, b.GroupWait(0, two)...)
	for i, v := range c {
		b.Store(out, b.Binary(simt.Add, b.Binary(simt.Mul, t, b.Int(12*parts)), b.Int(4*i)), v, nil)
	}
	return b.Func
}

// TestGroupsOfRegisters compiles products of warpgroups whose left operand is in registers, of every type.
func TestGroupsOfRegisters(t *testing.T) {
	kernels := map[string]*simt.Func{}
	for _, e := range matrixTypes {
		kernels[e.String()] = heldKernel(e, 4)
		if err := simt.Verify(kernels[e.String()]); err != nil {
			t.Fatalf("%v: %v\n%v", e, err, kernels[e.String()])
		}
	}
	compare(t, "held.cu", emitCUDA(t, kernels["bf16"], "sm_90a"))
	checkCUDA(t, kernels, "sm_90a")
}

// TestGroups compiles products of warpgroups, which one architecture has.
func TestGroups(t *testing.T) {
	kernels := map[string]*simt.Func{
		"f16": groupKernel(dtype.F16, false, 8), "across": groupKernel(dtype.F16, true, 8), "bf16": groupKernel(dtype.BF16, true, 32),
	}
	for name, k := range kernels {
		if err := simt.Verify(k); err != nil {
			t.Fatalf("%s: %v\n%v", name, err, k)
		}
		refusedByShaders(t, name, k)
		if _, err := cuda.Emit(k, target.Caps{Arch: "sm_80"}); !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%s for sm_80: %v", name, err)
		}
	}
	compare(t, "group.cu", emitCUDA(t, kernels["across"], "sm_90a"))
	checkCUDA(t, kernels, "sm_90a")
}
