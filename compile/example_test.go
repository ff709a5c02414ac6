package compile_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/weftgpu/weft/compile"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// The pure part of a kernel's way, without a device: from a description to CUDA C for an H200.
func ExampleEmit() {
	twice, err := tile.Build("twice", func(k *tile.Builder) {
		x := k.InOut("x", dtype.F32, 1)
		k.Grid(k.CDiv(x.Dim(0), 256))
		i := k.ProgramID(0)
		x.Block(256).Store(x.Block(256).Load(i).Mul(2), i)
	})
	if err != nil {
		log.Fatal(err)
	}
	h200, _ := target.PresetNamed("h200")
	a, err := compile.Emit(twice, compile.Generic(twice), h200.Caps)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Source.Entry, a.Source.Threads, "threads,", len(a.Source.Bindings), "buffer,", a.Source.Words, "words")
	for line := range strings.Lines(a.Source.Text) {
		if strings.Contains(line, "x[") {
			fmt.Print(line)
		}
	}
	// Output:
	// twice 256 threads, 1 buffer, 2 words
	//     float x_0 = in_bounds ? x[index] : 0.0f;
	//         x[index] = x_0 * 2.0f;
}
