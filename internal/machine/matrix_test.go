package machine

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weftgpu/weft/simt"
)

// TestStoredMatricesAreLoaded: a load of matrices gives back what the store of the same kind has put there, and one
// of the other kind does not.
func TestStoredMatricesAreLoaded(t *testing.T) {
	for _, words := range []string{"u32", "u32x2", "u32x4"} {
		for _, forms := range [][2]string{{"", ""}, {"transposed", "transposed"}, {"", "transposed"}} {
			k, err := simt.Parse(fmt.Sprintf(`workgroup k threads=64 {
				buffer 0 x : u32 read
				buffer 1 y : u32 write
				shared 0 s : f16[512]
				%%eight.0 = const 8 : i32
				%%width.1 = const %d : i32
				%%thread.2 = thread : i32
				%%at.3 = mul %%thread.2, %%eight.0 : i32
				%%from.4 = mul %%thread.2, %%width.1 : i32
				%%a.5 = load x %%from.4 : %[2]s
				store.matrix s %[3]s %%at.3, %%a.5
				barrier
				%%b.6 = load.matrix s %[4]s %%at.3 : %[2]s
				store y %%from.4, %%b.6
			}`, map[string]int{"u32": 1, "u32x2": 2, "u32x4": 4}[words], words, forms[0], forms[1]))
			if err != nil {
				t.Fatal(err)
			}
			x, y := make([]byte, 4*64*4), make([]byte, 4*64*4)
			n := len(x)
			switch words {
			case "u32":
				n /= 4
			case "u32x2":
				n /= 2
			}
			for i := range n {
				x[i] = byte(i*7 + i/256 + 1)
				if i%2 == 1 {
					x[i] &= 0x3f // no infinities, whose bits need not stay
				}
			}
			if err := Run(k, [3]int{1, 1, 1}, [][]byte{x, y}, nil); err != nil {
				t.Fatal(err)
			}
			if same := bytes.Equal(x, y); same != (forms[0] == forms[1]) {
				t.Errorf("%s stored as %q and loaded as %q: equal is %v", words, forms[0], forms[1], same)
			}
		}
	}
}
