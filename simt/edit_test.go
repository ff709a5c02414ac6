package simt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// doubled is a kernel that adds up what it loads, in a loop that carries what nothing uses, too.
const doubled = `workgroup k threads=32 {
    buffer 0 x : f32 read
    buffer 1 y : f32 write
    %zero.0 = const 0 : i32
    %two.1 = const 2 : i32
    %n.2 = const 8 : i32
    %none.3 = const 0 : f32
    %thread.4 = thread : i32
    %dead.5, %sum.6 = for %i.7 = %zero.0 to %n.2 step %two.1, %d.8 = %n.2, %s.9 = %none.3 {
        %at.10 = mul %i.7, %two.1 : i32
        %again.11 = mul %i.7, %two.1 : i32
        %x.12 = load x %at.10 : f32
        %x.13 = load x %again.11 : f32
        %next.14 = add %s.9, %x.12 : f32
        %more.15 = add %next.14, %x.13 : f32
        yield %again.11, %more.15
    }
    store y %thread.4, %sum.6
}
`

func parsed(t *testing.T, text string) *Func {
	t.Helper()
	k, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestRewrite replaces, removes and inserts ops in a body of a loop, with a new constant at the kernel's entry.
func TestRewrite(t *testing.T) {
	k := parsed(t, doubled)
	e := Edit(k)
	e.Rewrite(k.Body, func(op *Op) {
		switch {
		case op.Kind == Mul && e.Same(op) != nil:
			if !e.InLoop() {
				t.Error("the loop is not known")
			}
			e.Replace(op.Result(), e.Same(op))
			return
		case op.Kind == Load:
			op.Args[0] = e.Name("after", e.Binary(Add, op.Args[0], e.Int(5)))
		}
		e.Do(op)
	})
	if err := Verify(k); err != nil {
		t.Fatal(err)
	}
	want := `workgroup k threads=32 {
    buffer 0 x : f32 read
    buffer 1 y : f32 write
    %16 = const 5 : i32
    %zero.0 = const 0 : i32
    %two.1 = const 2 : i32
    %n.2 = const 8 : i32
    %none.3 = const 0 : f32
    %thread.4 = thread : i32
    %dead.5, %sum.6 = for %i.7 = %zero.0 to %n.2 step %two.1, %d.8 = %n.2, %s.9 = %none.3 {
        %at.10 = mul %i.7, %two.1 : i32
        %after.17 = add %at.10, %16 : i32
        %x.12 = load x %after.17 : f32
        %after.18 = add %at.10, %16 : i32
        %x.13 = load x %after.18 : f32
        %next.14 = add %s.9, %x.12 : f32
        %more.15 = add %next.14, %x.13 : f32
        yield %at.10, %more.15
    }
    store y %thread.4, %sum.6
}
`
	if d := cmp.Diff(want, k.String()); d != "" {
		t.Error(d)
	}
}

// TestCopy copies a loop, once as it is and once without what nothing uses of it. The copies share no value with it.
func TestCopy(t *testing.T) {
	k := parsed(t, doubled)
	loop := k.Body.Ops[5]
	e := Edit(k)
	c := e.Copy(loop)
	k.Body.InsertAfter(loop, c)
	e.ReplaceUses(&Block{Ops: k.Body.Ops[7:]})
	if err := Verify(k); err != nil {
		t.Fatal(err)
	}
	if store := k.Body.Ops[7]; store.Args[1] != c.Out[1] {
		t.Error("what follows does not use the copy")
	}
	seen := map[*Value]bool{}
	Walk(k.Body, func(op *Op) {
		for _, v := range op.Out {
			if seen[v] || v.Op != op {
				t.Errorf("%v is the result of two ops", v)
			}
			seen[v] = true
		}
	})
	c.DropResults(func(i int) bool { return i == 0 })
	Erase(k.Body, func(op *Op) bool { return op == loop })
	if err := Verify(k); err != nil {
		t.Fatal(err)
	}
	if len(c.Out) != 1 || len(c.Args) != 4 || len(c.Body.Args) != 2 || len(c.Body.Yield().Args) != 1 || c.Out[0].Hint != "sum" {
		t.Errorf("a result is left:\n%v", k)
	}
}
