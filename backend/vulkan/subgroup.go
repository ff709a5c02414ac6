//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/target"
)

// Pipelines that exchange registers ask for full subgroups of one size, which Vulkan 1.3
// then promises. It does not promise which thread of a workgroup is which thread of a
// subgroup, though lowering relies on the threads' order; so a kernel is asked once.

// subgroup is the size that caps report before the order of threads is known. Where
// pipelines name the size, the largest workgroup may not have more subgroups than the
// device takes.
func (p *physical) subgroup() int {
	size := p.full()
	if size < 2 || size > 128 || size&(size-1) != 0 {
		return 0
	}
	if threads := int(min(p.limits.MaxComputeWorkGroupInvocations, p.limits.MaxComputeWorkGroupSize[0])); p.settable() && threads > size*int(p.facts.max_subgroups) {
		return 0
	}
	return size
}

// orders holds what the kernel said, by fingerprint: it is the same all along.
var orders sync.Map

// ordered reports whether the threads of subgroups are those of the workgroup in order. A
// device that cannot run the kernel uses no shuffles.
func ordered(d *device) bool {
	if d.caps.SubgroupSize == 0 {
		return false
	}
	if known, ok := orders.Load(d.caps.Fingerprint); ok {
		return known.(bool)
	}
	ok, err := askOrder(d, "thread")
	orders.Store(d.caps.Fingerprint, err == nil && ok)
	return err == nil && ok
}

// askOrder shuffles the threads' numbers, an expression of WGSL, in the ways that lowering
// uses, in one large workgroup.
func askOrder(d *device, number string) (bool, error) {
	threads := 1
	for threads*2 <= min(d.caps.MaxThreads, 1024) {
		threads *= 2
	}
	words, err := ask(d, orderSource(threads, d.caps.SubgroupSize, number), nil, threads)
	return err == nil && !slices.ContainsFunc(words, func(w uint32) bool { return w != 0 }), err
}

// orderSource writes 0 for every thread whose partners are those that its number says.
func orderSource(threads, size int, number string) backend.Source {
	var shuffles strings.Builder
	for mask := 1; mask < size; mask *= 2 {
		fmt.Fprintf(&shuffles, "    wrong |= subgroupShuffleXor(number, %du) ^ number ^ %du;\n", mask, mask)
	}
	return backend.Source{
		Language: target.WGSL, Entry: "order", Threads: threads,
		Bindings: []backend.Binding{{Name: "out", Access: backend.Write}},
		Text: fmt.Sprintf(`enable subgroups;
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(%d, 1, 1)
fn order(@builtin(local_invocation_index) thread: u32) {
    let number = %s;
    var wrong = 0u;
%s    out[thread] = wrong;
}
`, threads, number, shuffles.String()),
	}
}
