package spirv

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/simtpass"
	"github.com/weftgpu/weft/internal/spirv/assembly"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// FuzzEmit prints any kernel that verifies: what is printed assembles, and what is not is refused.
func FuzzEmit(f *testing.F) {
	files, err := filepath.Glob("../internal/emittest/testdata/*.simt")
	if err != nil || len(files) == 0 {
		f.Fatal("no kernels", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, c := range texts {
		f.Add("workgroup k threads=32 {" + c.kernel + "\n}\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := simt.Parse(text)
		if err != nil || simt.Verify(k) != nil || len(text) > 1<<13 {
			return
		}
		k.Name = EntryName(k.Name)
		for _, p := range simtpass.Passes {
			if p.Name == "declare" {
				p.Run(&simtpass.Context{Kernel: k, Caps: target.Caps{Language: target.SPIRV}})
			}
		}
		for _, caps := range []target.Caps{whole, {Language: target.SPIRV}} {
			out, err := Emit(k, caps)
			if err != nil {
				if !errors.Is(err, fault.ErrUnsupported) {
					t.Fatalf("%v\n%v", err, k)
				}
				continue
			}
			if _, err := assembly.Assemble(out); err != nil {
				t.Fatalf("%v\n%v\n%s", err, k, out)
			}
			if again, _ := Emit(k, caps); again != out {
				t.Fatalf("two texts:\n%s\n%s", out, again)
			}
			if strings.Contains(out, "  =") {
				t.Fatalf("a result without a name:\n%s", out)
			}
		}
	})
}
