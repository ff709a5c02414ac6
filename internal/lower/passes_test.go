package lower

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// body prints the ops of a kernel, without names of values and lines.
func body(k *simt.Func) (kinds []string) {
	walk(k.Body, func(op *simt.Op) { kinds = append(kinds, op.Kind.String()) })
	return kinds
}

func TestHoistCSEAndDCE(t *testing.T) {
	b := simt.NewBuilder("test", 32)
	out := &simt.Buffer{Name: "out", Elem: dtype.I32, Write: true}
	b.Func.Buffers = []*simt.Buffer{out}
	b.Func.Words = []simt.Word{{Name: "unused", Elem: dtype.I32}, {Name: "n", Elem: dtype.I32}}
	thread := b.Emit(&simt.Op{Kind: simt.ThreadID}, simt.Scalar(dtype.I32))
	n := func() *simt.Value {
		return b.Emit(&simt.Op{Kind: simt.Param, Index: 1}, simt.Scalar(dtype.I32))
	}
	b.For(b.Int(0), n(), b.Int(1), nil, false, func(i *simt.Value, _ []*simt.Value) []*simt.Value {
		twice := b.Binary(simt.Mul, thread, n())                         // the same in every iteration
		again := b.Binary(simt.Mul, thread, n())                         // the same value once more
		b.Binary(simt.Mul, i, i)                                         // unused
		b.Store(out, b.Binary(simt.Add, twice, i), again, nil).Index = 1 // a place
		return nil
	})
	r := &Result{Kernel: b.Func}
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

func TestDump(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(DumpEnv, dir)
	b := simt.NewBuilder("dumped", 32)
	if err := runPasses(&Result{Kernel: b.Func}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*-dumped", "*"))
	if err != nil || len(files) != len(passes)+1 {
		t.Errorf("%d files, want one for each of %d passes and the start: %v, %v", len(files), len(passes), files, err)
	}
	t.Setenv(DumpEnv, filepath.Join(files[0], "below a file"))
	if err := runPasses(&Result{Kernel: b.Func}); err == nil {
		t.Error("a folder that cannot be made is no error")
	}
}

// Whatever a kernel is called, its stages are in a folder of its own right beneath the one that was named.
func TestDumpStaysInItsFolder(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "dump")
	t.Setenv(DumpEnv, dir)
	names := []string{
		"../../../escaped", "..", ".", "", "/etc/passwd", `..\..\escaped`, `C:\x`, "a/b", "a_b", "a.b", "a..b", "a.", "nul\x00", "new\nline", "Add", "add",
		"ünï", "\xff", strings.Repeat("x", 80), strings.Repeat("x", 81), strings.Repeat("x", 300), strings.Repeat("/", 5000),
	}
	for _, name := range names {
		if err := runPasses(&Result{Kernel: simt.NewBuilder(name, 32).Func}); err != nil {
			t.Errorf("%.20q: %v", name, err)
		}
	}
	if list, err := os.ReadDir(root); err != nil || len(list) != 1 {
		t.Errorf("beside the folder: %v, %v", list, err)
	}
	folders, err := os.ReadDir(dir)
	if err != nil || len(folders) != len(names) {
		t.Errorf("%d folders for %d kernels, %v", len(folders), len(names), err)
	}
	seen := map[string]string{}
	for _, name := range names {
		file := strings.ToLower(fileName(name))
		if other, taken := seen[file]; taken {
			t.Errorf("%q and %q are both called %s", name, other, file)
		}
		seen[file] = name
	}
	for _, name := range []string{"add", "softmax-rows", "matmul_2", "a.b"} {
		if got := fileName(name); got != name {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}

// What is dumped of tile IR is the kernel as it is after each pass.
func TestDumpOfTilePasses(t *testing.T) {
	k, err := tile.Build("twice", func(k *tile.Builder) {
		out := k.Out("out", dtype.I32, 1)
		k.Int(7) // nothing needs it
		out.Block(8).Store(k.Arange(8).Add(k.Int(1).Add(1)), 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv(DumpEnv, dir)
	if _, err := Lower(k, Generic(k), target.Caps{Language: target.CUDA}); err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]bool{"built": true, "canonicalise": true, "drop": false, "edges": false} {
		files, _ := filepath.Glob(filepath.Join(dir, "*-twice", "*-"+stage+".tile"))
		if len(files) != 1 {
			t.Fatalf("%s: files %v", stage, files)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "const 7 ") != want {
			t.Errorf("%s: the constant that nothing needs is there: %v, want %v\n%s", stage, !want, want, text)
		}
	}
}
