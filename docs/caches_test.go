package docs_test

import (
	"fmt"

	"github.com/weftgpu/weft"
)

// The code of caches.md.

func Example_memoryStats() {
	dev := need(weft.Open("cpu"))
	defer dev.Close()
	for range 3 {
		x := need(weft.Zeros(dev, weft.F32, 1000))
		x.Close()
	}
	s := dev.MemoryStats()
	fmt.Println(s.InUse, s.Pooled, s.Peak, s.Hits, s.Misses)
	// Output:
	// 0 4096 4096 2 1
}
