package ops_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/cuda"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/spirv"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/wgsl"
)

// TestSimtIRReadsBack: the printed thread-level IR of every kernel is all of it,
// since what is read back emits the same source text.
func TestSimtIRReadsBack(t *testing.T) {
	for _, c := range []struct {
		caps target.Caps
		emit func(*simt.Func, target.Caps) (string, error)
	}{{wgslCaps, wgsl.Emit}, {cudaCaps, cuda.Emit}, {spirvCaps, spirv.Emit}} {
		n := 0
		eachKernel(t, c.caps, true, func(t *testing.T, a *compile.Artifact) {
			n++
			k, err := simt.Parse(a.SimtIR())
			if err != nil {
				t.Fatal(err)
			}
			if err := simt.Verify(k); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(a.SimtIR(), k.String()); d != "" {
				t.Errorf("prints otherwise:\n%s", d)
			}
			text, err := c.emit(k, c.caps)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(a.Source.Text, text); d != "" {
				t.Errorf("emits otherwise:\n%s", d)
			}
		})
		if n == 0 {
			t.Error("no kernel")
		}
	}
}
