package simt

import "testing"

// TestUses counts operands by hand, in the order of the program.
func TestUses(t *testing.T) {
	k := parsed(t, doubled)
	uses, want := UsesIn(k.Body), map[*Value][]*Op{}
	Walk(k.Body, func(op *Op) {
		for _, a := range op.Args {
			want[a] = append(want[a], op)
		}
	})
	Walk(k.Body, func(op *Op) {
		for _, v := range op.Out {
			var got []*Op
			for u := range uses.Of(v) {
				if got = append(got, u.Op); u.Op.Args[u.Arg] != v {
					t.Errorf("operand %d of %v is not %v", u.Arg, u.Op.Kind, v)
				}
			}
			only, once := uses.Only(v)
			if n := len(want[v]); len(got) != n || uses.Count(v) != n || once != (n == 1) || once && only.Op != want[v][0] {
				t.Errorf("%v has %d uses: found %d, counted %d, only one: %v", v, n, len(got), uses.Count(v), once)
			}
			for i, user := range got {
				if user != want[v][i] {
					t.Errorf("use %d of %v is by %v, not by %v", i, v, user.Kind, want[v][i].Kind)
				}
			}
		}
	})
	loop := k.Body.Ops[5]
	if uses.Block(loop.Body.Args[0]) != loop.Body || uses.Block(loop.Out[0]) != k.Body || UsesIn(loop.Body).Block(loop.Out[0]) != nil {
		t.Error("values are in other blocks")
	}
}
