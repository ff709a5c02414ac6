package tile_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
	"github.com/weftgpu/weft/tile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/name, or writes it there under -update.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}

func build(t testing.TB, name string, describe func(k *tile.Builder)) *tile.Func {
	t.Helper()
	k, err := tile.Build(name, describe)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// here is the position of the caller's line plus by, as errors say it.
func here(by int) tile.Pos {
	_, file, n, _ := runtime.Caller(1)
	return tile.Pos{File: "tile/" + filepath.Base(file), Line: n + by}
}

// wantError checks kind and source position of an error.
func wantError(t *testing.T, err, kind error, pos tile.Pos) {
	t.Helper()
	var f *fault.Error
	if !errors.Is(err, kind) || !errors.As(err, &f) {
		t.Errorf("error %v, want %v", err, kind)
		return
	}
	if f.Pos != pos.String() {
		t.Errorf("error %v is at %q, want %v", err, f.Pos, pos)
	}
}

func TestFactsAreComplete(t *testing.T) {
	names := map[string]tile.Kind{}
	for k := tile.Invalid; k < tile.NumKinds; k++ {
		f := k.Fact()
		if f.Name == "" || k.String() != f.Name {
			t.Errorf("kind %d has no name", k)
		}
		if other, dup := names[f.Name]; dup {
			t.Errorf("kinds %d and %d are both %q", other, k, f.Name)
		}
		names[f.Name] = k
		if want, fixed := arities[f.Class]; fixed && f.Arity != want && k != tile.OpJoin && k != tile.OpAt && k != tile.OpReorder && k != tile.OpHistogram && k != tile.OpTake {
			t.Errorf("%v: %d operands in a class of %d", k, f.Arity, want)
		}
		if f.Arity < -1 || f.Class > tile.Hint {
			t.Errorf("%v: fact %+v", k, f)
		}
	}
	if got := tile.NumKinds.String(); got != "invalid" {
		t.Errorf("a kind beyond the set is %q", got)
	}
	// A fact without a rule would panic here.
	for k := tile.OpConst; k < tile.NumKinds; k++ {
		op := &tile.Op{Kind: k}
		err := tile.Verify(&tile.Func{Name: "k", Body: &tile.Region{Ops: []*tile.Op{op}}})
		if !errors.Is(err, fault.ErrKernel) && !errors.Is(err, fault.ErrShape) {
			t.Errorf("%v without operands and result: %v", k, err)
		}
	}
}

var arities = map[tile.Class]int{
	tile.Leaf: 0, tile.Unary: 1, tile.Binary: 2, tile.Compare: 2, tile.Ternary: 3, tile.Shape: 1, tile.Reduction: 1, tile.Combine: -1, tile.Matrix: 3, tile.Memory: -1, tile.Control: -1, tile.Debug: -1, tile.Hint: 1,
}

// Every op says which line of the description made it.
func TestPositions(t *testing.T) {
	var first tile.Pos
	k := build(t, "lines", func(k *tile.Builder) {
		first = here(1)
		x := k.In("x", dtype.F32, 1)
		v := x.Block(8).
			Load(0)
		helper(v)
		for range k.Range(3) {
			v.Neg()
		}
	})
	want := map[tile.Kind]int{tile.OpLoad: first.Line + 2, tile.OpFor: first.Line + 4}
	for _, op := range k.Body.Ops {
		if n, ok := want[op.Kind]; ok && op.Pos != (tile.Pos{File: first.File, Line: n}) {
			t.Errorf("%v is at %v, want line %d", op.Kind, op.Pos, n)
		}
		if op.Kind == tile.OpExp && op.Pos != helperPos {
			t.Errorf("the helper's op is at %v, want %v", op.Pos, helperPos)
		}
		if op.Body != nil {
			if got := op.Body.Ops[0].Pos.Line; got != first.Line+5 {
				t.Errorf("the op in the loop is at line %d, want %d", got, first.Line+5)
			}
		}
	}
	if got := k.Views[0].Pos; got != first {
		t.Errorf("the view is at %v, want %v", got, first)
	}
}

var helperPos tile.Pos

func helper(v *tile.Value) {
	helperPos = here(1)
	v.Exp()
}
