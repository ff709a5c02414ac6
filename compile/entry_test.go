package compile

import (
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A kernel's name may be a word of a target's language: its entry point then has one like it.
func TestEntryPointsAvoidWordsOfTheLanguage(t *testing.T) {
	l, err := layout.Contiguous(64)
	if err != nil {
		t.Fatal(err)
	}
	for name, taken := range map[string]map[target.Language]bool{ // by whom
		"copy64": {}, "tanh": {target.WGSL: true, target.CUDA: true}, "where": {target.WGSL: true}, "float": {target.CUDA: true},
		"for": {target.WGSL: true, target.CUDA: true}, "2x": {target.WGSL: true, target.CUDA: true},
	} {
		k, err := tile.Build(name, func(k *tile.Builder) {
			out := k.Out("out", dtype.F32, 1)
			k.Grid(1)
			out.Block(64).Store(k.Zeros(dtype.F32, 64), 0)
		})
		if err != nil {
			t.Fatal(err)
		}
		for lang, before := range map[target.Language]string{target.WGSL: "fn ", target.CUDA: ") "} {
			a, err := Emit(k, axis.FactsOf([]layout.Layout{l}, []int{0}), target.Caps{Language: lang, MaxThreads: 256})
			if err != nil {
				t.Errorf("%s in %v: %v", name, lang, err)
				continue
			}
			if entry := a.Source.Entry; (entry != name) != taken[lang] || !strings.Contains(a.Source.Text, before+entry+"(") {
				t.Errorf("%s in %v has the entry point %q", name, lang, entry)
			}
		}
	}
}
