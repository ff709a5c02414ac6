package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// checkLimits compares what a workgroup needs with what the device has. Registers are
// not among it: what does not fit in them is spilled, which is slow but no error.
func checkLimits(k *simt.Func, source *tile.Func, caps target.Caps) error {
	for _, c := range []struct {
		resource    string
		need, limit int
		most        func() (line, share string) // of what needs the most
	}{
		{"threads in a workgroup", k.LaunchThreads(), caps.MaxThreads, func() (string, string) { return source.SchedulePos.String(), "" }},
		{"storage buffers", len(k.Buffers), caps.MaxBindings, func() (string, string) { return lastView(source), "" }},
		{"bytes of shared memory", k.SharedBytes(), caps.SharedBytes, func() (string, string) { return sharedShares(k.Shared) }},
	} {
		if c.limit > 0 && c.need > c.limit {
			line, share := c.most()
			return fault.New(fault.ErrLimit, k.Name, "the kernel needs %d %s, the device has %d%s", c.need, c.resource, c.limit, share).At(line)
		}
	}
	return nil
}

// mostHeld is how many elements of a tile a thread may hold: of the largest tile in the fewest threads that every device has. Code is straight-line, so that
// more take minutes to compile.
const mostHeld = tile.MaxTileElements / 128

// checkThreads refuses a schedule that no lowering can obey, before one is tried: tiles over a million threads, or over one, take
// long to distribute.
func checkThreads(k *tile.Func, caps target.Caps) error {
	n := k.Schedule.Threads
	if caps.MaxThreads > 0 && n > caps.MaxThreads {
		return fault.New(fault.ErrLimit, k.Name, "the schedule asks for %d threads in a workgroup, the device has %d", n, caps.MaxThreads).
			At(k.SchedulePos.String())
	}
	if widest, op := assign.Widest(k.Body); n > 0 && op != nil && widest/n > mostHeld {
		return fault.New(fault.ErrLimit, k.Name, "a tile of %d elements in %s, want at most %d a thread", widest, fault.Count(n, "thread"), mostHeld).
			At(op.Pos.String())
	}
	return nil
}

// lastView is the line of the view beyond which no buffer follows.
func lastView(k *tile.Func) string { return k.Views[len(k.Views)-1].Pos.String() }

// sharedShares says which array is the largest, whose line it returns, and what the
// others are.
func sharedShares(arrays []*simt.Shared) (line, text string) {
	arrays = slices.Clone(arrays)
	slices.SortStableFunc(arrays, func(a, b *simt.Shared) int { return b.Bytes() - a.Bytes() })
	var shares []string
	for i, s := range arrays {
		share := fmt.Sprintf("%d for %s", s.Bytes(), s.Note)
		if i > 0 && s.Line != arrays[0].Line {
			share += " (" + s.Line + ")"
		}
		shares = append(shares, share)
	}
	return arrays[0].Line, ": " + strings.Join(shares, ", ")
}
