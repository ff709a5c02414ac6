package cuda

import (
	"fmt"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// renewed is an opaque copy of words: the compiler cannot know them to be those of the iteration before, see simt.Op.Opaque.
func (w *writer) renewed(words string) string {
	t := w.typeName(simt.Vector(dtype.U32, 4))
	head := fmt.Sprintf("__device__ inline %s renewed(%s a)", t, t)
	w.helpers.add(head, head+` {
    unsigned zero = threadIdx.y; // unknown to ptxas, which in 12.8 to 13.0 overwrites left operands of wgmma that a loop does not change
    asm volatile("xor.b32 %0, %0, %4; xor.b32 %1, %1, %4; xor.b32 %2, %2, %4; xor.b32 %3, %3, %4;"
        : "+r"(a.x), "+r"(a.y), "+r"(a.z), "+r"(a.w) : "r"(zero));
    return a;
}
`)
	name := w.Names.Unique("words")
	w.Line("const %s %s = renewed(%s);", t, name, words)
	return name
}
