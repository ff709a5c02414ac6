//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"errors"
	"math/bits"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/testenv"
)

func withSubgroups(t *testing.T) *device {
	d := openDevice(t).(*device)
	if d.caps.SubgroupSize == 0 {
		testenv.Skip(t, "vulkan subgroups", d.info.Name)
	}
	return d
}

// The kernel that asks for the threads' order finds out if it is another one.
func TestOrderIsAsked(t *testing.T) {
	d := withSubgroups(t)
	if n := d.caps.SubgroupSize; n != int(d.phys.facts.subgroup_size) || bits.OnesCount(uint(n)) != 1 {
		t.Errorf("subgroups of %d, the driver says %d", n, d.phys.facts.subgroup_size)
	}
	for number, want := range map[string]bool{"thread": true, "thread ^ 1u": true, "thread * 3u": false, "reverseBits(thread)": false, "thread >> 1u": false} {
		if got, err := askOrder(d, number); err != nil || got != want {
			t.Errorf("threads numbered %s: %v, %v, want %v", number, got, err, want)
		}
	}
}

// A workgroup that fills no subgroup has no promise.
func TestSmallWorkgroupsDoNotShuffle(t *testing.T) {
	d := withSubgroups(t)
	for _, threads := range []int{1, d.caps.SubgroupSize / 2, d.caps.SubgroupSize} {
		src := orderSource(threads, d.caps.SubgroupSize, "thread")
		binary, err := d.Compile(src)
		must(t, err)
		p, err := d.Load(src, binary)
		if full := threads == d.caps.SubgroupSize; full != (err == nil) || !full && !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%d threads in subgroups of %d: %v", threads, d.caps.SubgroupSize, err)
		}
		if p != nil {
			must(t, p.Close())
		}
	}
}
