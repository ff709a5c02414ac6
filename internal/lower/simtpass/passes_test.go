package simtpass

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/simt"
)

// body prints the ops of a kernel, without names of values and lines.
func body(k *simt.Func) (kinds []string) {
	simt.Walk(k.Body, func(op *simt.Op) { kinds = append(kinds, op.Kind.String()) })
	return kinds
}

func TestHoistCSEAndDCE(t *testing.T) {
	b := simt.NewBuilder("test", 32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
	b.Func.Buffers = []*simt.Buffer{out}
	b.Func.Words = []simt.Word{{Name: "unused", Elem: dtype.I32}, {Name: "n", Elem: dtype.I32}}
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	n := func() *simt.Value {
		return b.Emit(&simt.Op{Kind: simt.Param, Word: 1}, simt.Scalar(dtype.I32))
	}
	b.For(b.Int(0), n(), b.Int(1), nil, false, func(i *simt.Value, _ []*simt.Value) []*simt.Value {
		twice := b.Binary(simt.Mul, thread, n()) // the same in every iteration
		again := b.Binary(simt.Mul, thread, n()) // the same value once more
		b.Binary(simt.Mul, i, i)                 // unused
		b.Store(out, b.Binary(simt.Add, twice, i), again, nil).Alias = 1
		return nil
	})
	r := &Context{Kernel: b.Func}
	if err := Run(r); err != nil {
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
	var names []string
	for _, p := range Passes {
		names = append(names, p.Name)
	}
	for _, o := range pass.Broken(names, order) {
		t.Errorf("%s does not run after %s: %s", o.After, o.Before, o.Why)
	}
}

func TestDump(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(pass.DumpEnv, dir)
	b := simt.NewBuilder("dumped", 32)
	if err := Run(&Context{Kernel: b.Func}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*-dumped", "*"))
	if err != nil || len(files) != len(Passes)+1 {
		t.Errorf("%d files, want one for each of %d passes and the start: %v, %v", len(files), len(Passes), files, err)
	}
	t.Setenv(pass.DumpEnv, filepath.Join(files[0], "below a file"))
	if err := Run(&Context{Kernel: b.Func}); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}
