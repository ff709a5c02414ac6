package simt

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/dtype"
)

var update = flag.Bool("update", false, "rewrite the expected text in testdata")

// everything is a kernel with each form that the printer knows.
func everything() *fixture {
	f := newFixture()
	f.out.Read, f.in.Streamed = true, true
	n := f.Emit(&Op{Kind: Param}, i32T)
	thread := f.thread()
	inside := f.Binary(Lt, thread, n)
	f.Do(&Op{Kind: Exit, Args: []*Value{f.Binary(Ge, f.Emit(&Op{Kind: WorkgroupID, Axis: 1}, i32T), n)}})
	f.SetLine("kernel.go:9")
	v := f.Load(f.in, f.Binary(Mul, thread, f.Int(4)), inside, 4, math.Inf(-1))
	x := f.FMA(f.Extract(v, 2), f.Extract(v, 1), f.Const(f32T, 0.5))
	f.SharedStore(f.tile, 1, thread, x, nil)
	f.Do(&Op{Kind: Barrier})
	sums := f.For(f.Int(0), n, f.Int(2), []*Value{x, thread}, true, func(i *Value, c []*Value) []*Value {
		return []*Value{f.Binary(Add, c[0], f.SharedLoad(f.tile, i, 1)), i}
	})
	f.SetLine("")
	other := f.Emit(&Op{Kind: ShuffleXor, LaneMask: 16, Args: []*Value{sums[0]}}, f32T)
	rounded := f.Emit(&Op{Kind: Round16, Elem: dtype.BF16, Args: []*Value{other}}, f32T)
	f.If(inside, func() {
		f.Store(f.out, thread, f.Select(inside, rounded, f.Convert(sums[1], dtype.F32)), nil)
	})
	return f
}

func TestString(t *testing.T) {
	const file = "testdata/everything.simt"
	got := everything().Func.String()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs from the printed kernel (-want +got); rewrite it with -update if that is meant:\n%s", file, d)
	}
}

// TestFacts shows that every kind has a name of its own.
func TestFacts(t *testing.T) {
	names := map[string]Kind{}
	for k := range NumKinds {
		if other, taken := names[k.String()]; taken || k.String() == "" {
			t.Errorf("kind %d is called %q, as is %d", k, k, other)
		}
		names[k.String()] = k
	}
	if NumKinds.String() != Invalid.String() {
		t.Error("a kind beyond the last has a name")
	}
}

// intMeaning is what an integer op computes, by its definition.
func intMeaning(kind Kind, x, y int32) (int32, bool) {
	wide := func(r int64) (int32, bool) { return int32(r), true }
	a, b := int64(x), int64(y)
	switch kind {
	case Add:
		return wide(a + b)
	case Sub:
		return wide(a - b)
	case Mul:
		return wide(a * b)
	case Div:
		if y == 0 {
			return 0, false
		}
		return wide(a / b)
	case Rem:
		if y == 0 {
			return 0, false
		}
		return wide(a % b)
	case MulHi:
		return 0, false // of U32 alone
	case Min:
		return wide(min(a, b))
	case Max:
		return wide(max(a, b))
	case And:
		return wide(a & b)
	case Or:
		return wide(a | b)
	case Xor:
		return wide(a ^ b)
	case Shl:
		return wide(a << (uint(y) & 31))
	case Shr:
		return wide(a >> (uint(y) & 31))
	}
	holds := map[Kind]bool{Eq: a == b, Ne: a != b, Lt: a < b, Le: a <= b, Gt: a > b, Ge: a >= b}[kind]
	if holds {
		return 1, true
	}
	return 0, true
}

// TestFoldConstants compares the folding of every integer op with its meaning,
// on random numbers and edges. What has no meaning must stay an op.
func TestFoldConstants(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := []int32{0, 1, -1, 2, 31, math.MaxInt32, math.MinInt32}
	for range 20 {
		numbers = append(numbers, int32(rng.Uint32()))
	}
	for kind := Add; kind <= Ge; kind++ {
		for _, x := range numbers {
			for _, y := range numbers {
				f := newFixture()
				v := f.Binary(kind, f.Int(int(x)), f.Int(int(y)))
				got, folded := ConstOf(v)
				want, defined := intMeaning(kind, x, y)
				if folded && (!defined || int32(got) != want) {
					t.Fatalf("%v %d %d folds to %v, want %d", kind, x, y, got, want)
				}
				if !folded && defined && y != 0 {
					t.Fatalf("%v %d %d does not fold", kind, x, y)
				}
				if kind.IsCompare() != (v.Type == boolT) {
					t.Fatalf("%v gives %v", kind, v.Type)
				}
			}
		}
	}
}

// TestFoldNeutral compares what ops with one constant become with their
// meaning: a result that is x or a constant must be that for every x.
func TestFoldNeutral(t *testing.T) {
	samples := []int32{0, 1, -1, 5, -17, math.MaxInt32, math.MinInt32}
	for kind := Add; kind <= Ge; kind++ {
		for _, c := range []int32{0, 1, -1, 2} {
			for _, left := range []bool{false, true} {
				f := newFixture()
				x, k := f.thread(), f.Int(int(c))
				before := len(f.Func.Body.Ops)
				v := f.Binary(kind, x, k)
				if left {
					v = f.Binary(kind, k, x)
				}
				number, isConst := ConstOf(v)
				if v != x && !isConst {
					if len(f.Func.Body.Ops) == before {
						t.Fatalf("%v with %d appends nothing", kind, c)
					}
					continue
				}
				for _, s := range samples {
					a, b := s, c
					if left {
						a, b = c, s
					}
					want, defined := intMeaning(kind, a, b)
					if got := int32(number); defined && (v == x && s != want || isConst && got != want) {
						t.Errorf("%v of %d and %d became x or %v, but is %d", kind, a, b, number, want)
					}
				}
			}
		}
	}
}

func TestFoldTruth(t *testing.T) {
	for _, kind := range []Kind{And, Or} {
		for _, c := range []float64{0, 1} {
			for _, left := range []bool{false, true} {
				f := newFixture()
				x, k := f.Binary(Lt, f.thread(), f.Int(9)), f.Const(boolT, c)
				v := f.Binary(kind, x, k)
				if left {
					v = f.Binary(kind, k, x)
				}
				want := k
				if (kind == And) == (c != 0) {
					want = x
				}
				if v != want {
					t.Errorf("%v with %v became %v", kind, c, v.Op.Kind)
				}
			}
		}
	}
}

// TestNoFloatFolds: x+0 is not x for -0, x*0 not 0 for NaN.
func TestNoFloatFolds(t *testing.T) {
	f := newFixture()
	x := f.float()
	for _, c := range []float64{0, 1, -1} {
		for kind := Add; kind <= Max; kind++ {
			if v := f.Binary(kind, x, f.Const(f32T, c)); v == x || v.Op.Kind != kind {
				t.Errorf("%v with %v is gone", kind, c)
			}
		}
	}
}

func TestConstants(t *testing.T) {
	f := newFixture()
	x := f.thread()
	zero, minus := f.Const(f32T, 0), f.Const(f32T, math.Copysign(0, -1))
	if zero == minus || !math.Signbit(minus.Op.Number) || math.Signbit(zero.Op.Number) {
		t.Error("0 and -0 are one constant")
	}
	for _, x := range []float64{4, math.NaN()} {
		if first, second := f.Const(f32T, x), f.Const(f32T, x); first != second {
			t.Errorf("%v stands twice", x)
		}
	}
	if f.Const(f32T, 1) == f.Const(f32x4, 1) {
		t.Error("constants of two types are one")
	}
	// Constants made late, and inside a body, stand before all uses.
	f.If(f.Binary(Lt, x, f.Int(77)), func() { f.Store(f.out, f.Int(78), f.Const(f32T, 79), nil) })
	if err := Verify(f.Func); err != nil {
		t.Error(err)
	}
}

func TestVectors(t *testing.T) {
	f := newFixture()
	x, y := f.float(), f.float()
	v := f.Load(f.in, f.thread(), nil, 4, 0)
	lanes := []*Value{f.Extract(v, 0), f.Extract(v, 1), f.Extract(v, 2), f.Extract(v, 3)}
	for what, good := range map[string]bool{
		"lane of composed":    f.Extract(f.Compose(x, y), 1) == y,
		"lane of splat":       f.Extract(f.Splat(x, 4), 3) == x,
		"lane of scalar":      f.Extract(x, 0) == x,
		"splat of width 1":    f.Splat(x, 1) == x,
		"one lane composed":   f.Compose(x) == x,
		"whole vector":        f.Compose(lanes...) == v,
		"lanes out of order":  f.Compose(lanes[1], lanes[0], lanes[2], lanes[3]) != v,
		"half of a vector":    f.Compose(lanes[:2]...) != v,
		"splat of a constant": f.Splat(f.Const(f32T, 2), 4) == f.Const(f32x4, 2),
		"lane of a constant":  f.Extract(f.Const(f32x4, 2), 1) == f.Const(f32T, 2),
		"same conversion":     f.Convert(x, dtype.F32) == x,
		"known condition":     f.Select(f.Const(boolT, 1), x, y) == x && f.Select(f.Const(boolT, 0), x, y) == y,
	} {
		if !good {
			t.Error(what)
		}
	}
	if err := Verify(f.Func); err != nil {
		t.Error(err)
	}
}

// TestMasks: a mask that holds is none; a condition that is known leaves its
// body, or nothing.
func TestMasks(t *testing.T) {
	f := newFixture()
	x := f.float()
	always, never := f.Const(boolT, 1), f.Const(boolT, 0)
	if f.Load(f.in, f.thread(), always, 1, 0).Op.Mask() != nil || f.Load(f.in, f.thread(), never, 1, 0).Op.Mask() != never {
		t.Error("masks of loads")
	}
	f.Store(f.out, f.thread(), x, always)
	if last := f.Func.Body.Ops[len(f.Func.Body.Ops)-1]; last.Kind != Store || last.Mask() != nil {
		t.Error("mask of a store")
	}
	n := len(f.Func.Body.Ops)
	f.If(never, func() { f.Do(&Op{Kind: Barrier}) })
	if len(f.Func.Body.Ops) != n {
		t.Error("a body under a false condition is still there")
	}
	f.If(always, func() { f.Do(&Op{Kind: Barrier}) })
	if f.Func.Body.Ops[n].Kind != Barrier {
		t.Error("a body under a true condition is still conditional")
	}
}
