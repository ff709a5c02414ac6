package machine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
)

// stores writes blocks of 8 lines of 32 numbers to a matrix, one below the other, alternately through two places in shared memory: 1 for
// the first element, 2 for the next.
const stores = `workgroup stores threads=256 {
	buffer 0 y : f32 write
	map 0 m : y of view 0 dims 1, 0 box 32, 8
	word 0 blocks : i32
	shared 0 tile : f32[512]
	%blocks.0 = param 0 : i32
	%zero.1 = const 0 : i32
	%one.2 = const 1 : i32
	%four.3 = const 4 : i32
	%seven.4 = const 7 : i32
	%eight.5 = const 8 : i32
	%size.6 = const 256 : i32
	%thread.7 = thread : i32
	%line.8 = const 32 : i32
	%row.10 = div %thread.7, %line.8 : i32
	%swap.12 = mul %row.10, %four.3 : i32
	%place.13 = xor %thread.7, %swap.12 : i32
	for %i.20 = %zero.1 to %blocks.0 step %one.2 {
		%slot.21 = and %i.20, %one.2 : i32
		%from.22 = mul %slot.21, %size.6 : i32
		%to.23 = add %from.22, %place.13 : i32
		%n.24 = mul %i.20, %size.6 : i32
		%m.25 = add %n.24, %thread.7 : i32
		%k.26 = add %m.25, %one.2 : i32
		%x.27 = convert %k.26 : f32
		%down.28 = mul %i.20, %eight.5 : i32
		store.wait 1
		barrier
		shared.store tile %to.23, %x.27
		barrier buffers
		tensor.store m tile %from.22, %zero.1, %down.28
		yield
	}
	store.wait 0
}
`

// runStores executes a text like stores on a matrix of given sizes and compares all of its memory.
func runStores(text string, rows, columns, blocks int) error {
	k, err := simt.Parse(text)
	if err != nil {
		return err
	}
	const stride, offset = 36, 4
	want := make([]float64, offset+rows*stride)
	for i := range want {
		want[i] = -1
	}
	memory := make([]byte, 4*len(want))
	dtype.PutFloats(dtype.F32, memory, want)
	for row := range min(rows, 8*blocks) {
		for column := range columns {
			want[offset+row*stride+column] = float64(32*row + column + 1)
		}
	}
	launch := Launch{Grid: [3]int{1, 1, 1}, Buffers: [][]byte{memory}, Words: []uint32{uint32(blocks)}, Views: []View{{Offset: offset, Sizes: []int{columns, rows}, Strides: []int{1, stride}}}}
	if err := launch.Run(k); err != nil {
		return err
	}
	got := make([]float64, len(want))
	dtype.Floats(dtype.F32, got, memory)
	for i := range got {
		if got[i] != want[i] {
			return fmt.Errorf("%w: element %d is %v, want %v", errOther, i, got[i], want[i])
		}
	}
	return nil
}

// TestStores: blocks reach the view and nothing around it.
func TestStores(t *testing.T) {
	for _, blocks := range []int{0, 1, 2, 5} {
		for _, size := range [][2]int{{8 * blocks, 32}, {8*blocks + 3, 17}, {max(1, 8*blocks-3), 1}} {
			if err := runStores(stores, size[0], size[1], blocks); err != nil {
				t.Errorf("%d blocks of %v: %v", blocks, size, err)
			}
		}
	}
}

// TestStoreRefusals: each of these is an error.
func TestStoreRefusals(t *testing.T) {
	for what, c := range map[string]struct {
		from, to, want string
	}{
		"no wait for what the place held":   {"\t\tstore.wait 1\n", "", "which a copy may still read"},
		"a wait for too little":             {"store.wait 1", "store.wait 2", "which a copy may still read"},
		"no barrier after the wait":         {"\t\tbarrier\n", "", "which a copy may still read"},
		"no barrier before the store":       {"\t\tbarrier buffers\n", "", "which thread 0 wrote since the last barrier"},
		"no wait at the end":                {"\tstore.wait 0\n", "", "no thread waits for the store"},
		"stores of one element":             {"tensor.store m tile %from.22, %zero.1, %down.28", "tensor.store m tile %from.22, %zero.1, %zero.1", "to which a store may be outstanding"},
		"a store of what nobody wrote":      {"%from.22, %zero.1, %down.28", "%size.6, %zero.1, %down.28", "element 256 of tile, which no thread wrote"},
		"a store that does not begin right": {"%from.22, %zero.1, %down.28", "%slot.21, %zero.1, %down.28", "256 elements at 1, the memory has 512"},
		"threads that disagree":             {"%from.22, %zero.1, %down.28", "%from.22, %zero.1, %thread.7", "disagree on operand 2"},
		"a store of an element that comes":  {"\t\tyield", "\t\tstore y %four.3, %x.27\n\t\tyield", "element 4 of y, to which a store may be outstanding"},
		"stores of two kinds":               {"\t\ttensor.store", "\t\tstore y %four.3, %x.27\n\t\ttensor.store", "since the last barrier"},
	} {
		text := strings.Replace(stores, c.from, c.to, 1)
		if text == stores {
			t.Fatalf("%s: nothing changes", what)
		}
		if err := runStores(text, 80, 32, 4); err == nil || errors.Is(err, errOther) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}
