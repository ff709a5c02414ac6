package compile

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// TestEntry emits kernels that are called by words of the targets' languages and by none of their
// identifiers: the source says what its entry point is called.
func TestEntry(t *testing.T) {
	for _, name := range []string{"plain", "long", "shared", "for", "fn", "a b", "ärger", ""} {
		k, err := tile.Build(name, func(k *tile.Builder) {
			y := k.Out("y", dtype.F32, 1)
			y.Block(8).Store(k.Zeros(dtype.F32, 8), 0)
		})
		if err != nil {
			t.Fatal(err)
		}
		for caps, form := range map[target.Caps]string{
			{Language: target.WGSL}: "fn %(", {Language: target.CUDA, Arch: "sm_80"}: " %(",
		} {
			a, err := Emit(k, lower.Generic(k), caps)
			if err != nil {
				t.Errorf("%q for %v: %v", name, caps.Language, err)
				continue
			}
			entry := a.Source.Entry
			if entry == "" || name == "plain" && entry != name || !strings.Contains(a.Source.Text, strings.Replace(form, "%", entry, 1)) {
				t.Errorf("%q for %v has the entry point %q in\n%s", name, caps.Language, entry, a.Source.Text)
			}
		}
	}
}
