package lower

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// outline prints the ops that move data, barriers and structure, one word each.
func outline(b *simt.Block) string {
	var words []string
	for _, op := range b.Ops {
		switch op.Kind {
		case simt.SharedStore, simt.Store:
			words = append(words, "store")
		case simt.SharedLoad, simt.Load:
			words = append(words, "load")
		case simt.Barrier:
			words = append(words, "barrier")
		case simt.For, simt.If:
			words = append(words, op.Kind.String()+"{", outline(op.Body), "}")
		}
	}
	return strings.Join(words, " ")
}

func TestBarriers(t *testing.T) {
	type kit struct {
		b      *simt.Builder
		x, y   *simt.Shared
		store  func(s *simt.Shared, run int)
		load   func(s *simt.Shared)
		repeat func(body func())
	}
	for _, c := range []struct {
		name  string
		build func(k kit)
		want  string
	}{
		{"a read after a write", func(k kit) { k.store(k.x, 1); k.load(k.x) }, "store barrier load"},
		{"one run of stores", func(k kit) { k.store(k.x, 1); k.store(k.x, 1); k.load(k.x) }, "store store barrier load"},
		{"two runs of stores", func(k kit) { k.store(k.x, 1); k.store(k.x, 2); k.load(k.x) }, "store barrier store barrier load"},
		{"stores of no run", func(k kit) { k.store(k.x, 0); k.store(k.x, 0) }, "store barrier store"},
		{"a write after a read", func(k kit) { k.store(k.x, 1); k.load(k.x); k.store(k.x, 2) }, "store barrier load barrier store"},
		{"two arrays share a barrier", func(k kit) { k.store(k.x, 1); k.store(k.y, 2); k.load(k.x); k.load(k.y) }, "store store barrier load load"},
		{"a loop's next iteration overwrites", func(k kit) {
			k.repeat(func() { k.store(k.x, 1); k.load(k.x) })
		}, "for{ barrier store barrier load }"},
		{"a loop that only reads waits before it", func(k kit) {
			k.store(k.x, 1)
			k.repeat(func() { k.load(k.x) })
		}, "store barrier for{ load }"},
		{"a write after a loop of reads", func(k kit) {
			k.store(k.x, 1)
			k.repeat(func() { k.load(k.x) })
			k.store(k.x, 2)
		}, "store barrier for{ load } barrier store"},
		{"the same run in each iteration", func(k kit) {
			k.repeat(func() { k.store(k.x, 1) })
		}, "for{ barrier store }"},
		{"none within a condition", func(k kit) {
			k.store(k.x, 1)
			k.b.If(k.b.Binary(simt.Lt, k.b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32)), k.b.Int(3)), func() { k.load(k.x) })
			k.store(k.x, 2)
		}, "store barrier if{ load } barrier store"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := simt.NewBuilder("test", 32)
			k := kit{b: b, x: b.NewShared("x", dtype.F32, 32), y: b.NewShared("y", dtype.F32, 32)}
			thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
			k.store = func(s *simt.Shared, run int) {
				b.SharedStore(s, run, thread, b.Const(simt.Scalar(dtype.F32), 1), nil)
			}
			k.load = func(s *simt.Shared) { b.SharedLoad(s, thread, 1) }
			k.repeat = func(body func()) {
				b.For(b.Int(0), b.Int(4), b.Int(1), nil, false, func(*simt.Value, []*simt.Value) []*simt.Value { body(); return nil })
			}
			c.build(k)
			r := &Result{Kernel: b.Kernel}
			barriers(r)
			if err := simt.Verify(r.Kernel); err != nil {
				t.Fatal(err)
			}
			if got := outline(r.Kernel.Body); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The ops of a program that touch one buffer happen in order.
func TestBufferBarriers(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(load, store func(place int), repeat func(func()))
		want  string
	}{
		{"one place", func(load, store func(int), _ func(func())) { load(1); store(1); load(1) }, "load store load"},
		{"two places", func(load, store func(int), _ func(func())) { load(1); store(2); load(1) }, "load barrier store barrier load"},
		{"no place", func(load, store func(int), _ func(func())) { store(0); store(0) }, "store barrier store"},
		{"one run", func(load, store func(int), _ func(func())) { store(-1); store(-1); store(-2) }, "store store barrier store"},
		{"a place in each iteration", func(load, store func(int), repeat func(func())) {
			repeat(func() { load(1); store(1) })
		}, "for{ load store }"},
		{"a run in each iteration", func(load, store func(int), repeat func(func())) {
			repeat(func() { store(-1); store(-1) })
		}, "for{ barrier store store }"},
		{"reads only", func(load, store func(int), repeat func(func())) { load(-1); load(-2); load(0) }, "load load load"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := simt.NewBuilder("test", 32)
			buf := &simt.Buffer{Name: "x", Elem: dtype.F32, Read: true, Write: true}
			b.Kernel.Buffers = []*simt.Buffer{buf}
			thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
			c.build(func(place int) { b.Load(buf, thread, nil, 1, 0).Op.Index = place },
				func(place int) { b.Store(buf, thread, b.Const(simt.Scalar(dtype.F32), 1), nil).Index = place },
				func(body func()) {
					b.For(b.Int(0), b.Int(4), b.Int(1), nil, false, func(*simt.Value, []*simt.Value) []*simt.Value { body(); return nil })
				})
			barriers(&Result{Kernel: b.Kernel})
			if got := outline(b.Kernel.Body); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			walk(b.Kernel.Body, func(op *simt.Op) {
				if op.Kind == simt.Barrier && op.Index != 1 {
					t.Error("a barrier does not order buffers")
				}
			})
		})
	}
}

// body prints the ops of a kernel, without names of values and lines.
func body(k *simt.Kernel) (kinds []string) {
	walk(k.Body, func(op *simt.Op) { kinds = append(kinds, op.Kind.String()) })
	return kinds
}

func TestHoistCSEAndDCE(t *testing.T) {
	b := simt.NewBuilder("test", 32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
	b.Kernel.Buffers = []*simt.Buffer{out}
	b.Kernel.Words = []simt.Word{{Name: "unused", Elem: dtype.I32}, {Name: "n", Elem: dtype.I32}}
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	n := func() *simt.Value {
		return b.Emit(&simt.Op{Kind: simt.Param, Index: 1}, simt.Scalar(dtype.I32))
	}
	b.For(b.Int(0), n(), b.Int(1), nil, false, func(i *simt.Value, _ []*simt.Value) []*simt.Value {
		twice := b.Binary(simt.Mul, thread, n()) // the same in every iteration
		again := b.Binary(simt.Mul, thread, n()) // the same value once more
		b.Binary(simt.Mul, i, i)                 // unused
		b.Store(out, b.Binary(simt.Add, twice, i), again, nil)
		return nil
	})
	r := &Result{Kernel: b.Kernel}
	if err := runPasses(r); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(body(r.Kernel), " ")
	want := "const const thread param mul for add store yield"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(r.Kernel.Words) != 1 || len(r.Words) != 1 || r.Words[0] != 1 || r.Kernel.Words[0].Name != "n" {
		t.Errorf("words are %v from %v, want n alone, from launch word 1", r.Kernel.Words, r.Words)
	}
}

func TestPassOrder(t *testing.T) {
	for _, o := range order {
		before := slices.IndexFunc(passes, func(p pass) bool { return p.name == o.before })
		after := slices.IndexFunc(passes[max(before, 0):], func(p pass) bool { return p.name == o.after })
		if before < 0 || after < 0 {
			t.Errorf("%s does not run behind %s: %s", o.after, o.before, o.why)
		}
	}
}

func TestSimplifyFoldsWhatBecameConstant(t *testing.T) {
	b := simt.NewBuilder("test", 32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
	b.Kernel.Buffers = []*simt.Buffer{out}
	zero := b.Int(0)
	// as a pass leaves it: an operand that was replaced by a constant
	product := b.Emit(&simt.Op{Kind: simt.Mul, Args: []*simt.Value{zero, b.Int(16)}}, zero.Type)
	sum := b.Emit(&simt.Op{Kind: simt.Add, Args: []*simt.Value{product, b.Int(5)}}, zero.Type)
	b.Store(out, sum, sum, nil)
	r := &Result{Kernel: b.Kernel}
	simplify(r)
	dce(r)
	if err := simt.Verify(r.Kernel); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(body(r.Kernel), " "); got != "const store" {
		t.Errorf("got %s, want a constant and its store:\n%v", got, r.Kernel)
	}
}

func TestDump(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(DumpEnv, dir)
	b := simt.NewBuilder("dumped", 32)
	if err := runPasses(&Result{Kernel: b.Kernel}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*-dumped", "*"))
	if err != nil || len(files) != len(passes)+1 {
		t.Errorf("%d files, want one for each of %d passes and the start: %v, %v", len(files), len(passes), files, err)
	}
	t.Setenv(DumpEnv, filepath.Join(files[0], "below a file"))
	if err := runPasses(&Result{Kernel: b.Kernel}); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}
