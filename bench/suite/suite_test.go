package suite

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
)

var sizes = []Size{Full, Small, Tiny}

// all is every work of a size.
func all(t *testing.T, s Size) []Work {
	t.Helper()
	var names []string
	for _, set := range Sets {
		names = append(names, set.Name)
	}
	list, err := List(s, names...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Names are unique within a set, tell the op and the size, and every work counts what it does.
func TestNames(t *testing.T) {
	for _, s := range sizes {
		for _, set := range Sets {
			seen := map[string]bool{}
			for _, w := range set.works(s) {
				if seen[w.Name] {
					t.Errorf("%v %s: two works are called %q", s, set.Name, w.Name)
				}
				seen[w.Name] = true
			}
			if len(seen) == 0 {
				t.Errorf("%v %s has no works", s, set.Name)
			}
		}
		for _, w := range all(t, s) {
			if !strings.HasPrefix(w.Name, w.Op+" ") {
				t.Errorf("%q does not begin with its op, %q", w.Name, w.Op)
			}
			if !(w.Bytes > 0) || w.Flop < 0 || (w.Flop > 0) != (w.Unit != "") || len(w.Sets) == 0 {
				t.Errorf("%s: %v bytes, %v operations in %q, sets %v", w.Name, w.Bytes, w.Flop, w.Unit, w.Sets)
			}
		}
	}
}

// Works of one name from several sets are one work.
func TestListMerges(t *testing.T) {
	for _, s := range sizes {
		seen := map[string]bool{}
		for _, w := range all(t, s) {
			if seen[w.Name] {
				t.Errorf("%v: two works are called %q", s, w.Name)
			}
			seen[w.Name] = true
		}
	}
	list, err := List(Full, "square", "scaling")
	at := slices.IndexFunc(list, func(w Work) bool { return w.Name == "matmul f32 4096x4096x4096" })
	if err != nil || at < 0 || len(list[at].Sets) != 2 || list[at].Series == "" {
		t.Errorf("a product of square and scaling is not one work of both: %v", err)
	}
	if _, err := List(Full, "lama"); !errors.Is(err, weft.ErrArgument) || !strings.Contains(err.Error(), "llama") {
		t.Errorf("an unknown set gives %v", err)
	}
}

// Every function of package ops that computes into a tensor has a work.
func TestEveryOpHasWork(t *testing.T) {
	have := map[string]bool{}
	for _, w := range all(t, Full) {
		have[strings.ReplaceAll(w.Op, "_", "")] = true
	}
	files, err := filepath.Glob("../../ops/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files of package ops", err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() {
				continue
			}
			if op, into := strings.CutSuffix(f.Name.Name, "Into"); into && !have[strings.ToLower(op)] {
				t.Errorf("ops.%s has no work", f.Name.Name)
			}
		}
	}
}

// Samples are within the output, are the same every time and have both ends.
func TestSample(t *testing.T) {
	for _, w := range all(t, Full) {
		sample, n := w.Sample(), w.Output.Len()
		if len(sample) == 0 || slices.Min(sample) < 0 || slices.Max(sample) >= n || !slices.Equal(sample, w.Sample()) {
			t.Errorf("%s: a bad sample of %d", w.Name, n)
		}
		if w.sample == nil && (slices.Min(sample) != 0 || slices.Max(sample) != n-1) {
			t.Errorf("%s: the sample lacks an end", w.Name)
		}
	}
}

// Operands longer than what is drawn repeat it, and are rounded on the host as on the device.
func TestOperands(t *testing.T) {
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	for _, o := range []Operand{
		normal(weft.F32, 3, 5), normal(weft.BF16, 2*period+3), uniform(-8, 8, weft.I8, 7, 11), uniform(0, 1, weft.F16, period+1, 1),
		normal(weft.F32, 0), uniform(0, 2, weft.Bool, 100),
	} {
		x, err := o.Tensor(dev, 7)
		if err != nil {
			t.Fatal(err)
		}
		got, err := weft.ToFloats(x)
		if err != nil {
			t.Fatal(err)
		}
		host := o.Values(7)
		for i, v := range got {
			if v != host(i) || !o.Elem.IsFloat() && (v < o.Draw.Lo || v >= o.Draw.Hi || v != math.Floor(v)) {
				t.Fatalf("%v %v: element %d is %v, the host has %v", o.Elem, o.Shape, i, v, host(i))
			}
		}
		x.Close()
	}
}

// The numbers drawn for a long operand begin with those for a short one, whichever came first.
func TestContentsShare(t *testing.T) {
	short := slices.Clone(normal(weft.F32, 10).Contents(99))
	if long := normal(weft.F32, 1000).Contents(99); len(long) != 1000 || !slices.Equal(long[:10], short) || !slices.Equal(normal(weft.F32, 10).Contents(99), short) {
		t.Error("contents of one seed differ")
	}
}
