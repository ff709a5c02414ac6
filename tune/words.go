package tune

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Words says what a config is to a person: "tiles 128×256×64, 4 stages, 2 consumer warpgroups + 1 producer, grouped by
// 8". It leaves out what follows from the problem, such as element types. A config of which it knows nothing is as JSON.
func Words(config json.RawMessage) string {
	var x any
	if json.Unmarshal(config, &x) != nil {
		return string(config)
	}
	switch x := x.(type) {
	case string:
		return x
	case map[string]any:
		if list := fields(x).words(); len(list) > 0 {
			return strings.Join(list, ", ")
		}
	}
	return string(config)
}

// WordsOf is Words of a config itself.
func WordsOf(config any) string { return Words(asJSON(config)) }

// fields are those of a config, by name.
type fields map[string]any

// number is a field's, 0 where it is none.
func (f fields) number(name string) int {
	n, _ := f[name].(float64)
	return int(n)
}

// is reports whether a field is set.
func (f fields) is(name string) bool {
	set, _ := f[name].(bool)
	return set
}

// words are the phrases of a config, the most telling first.
func (f fields) words() (list []string) {
	add := func(when bool, format string, args ...any) {
		if when {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	if part, ok := f["Rows"].(map[string]any); ok { // how a norm walks over rows
		list = append(list, fields(part).words()...)
	}
	n := f.number
	add(algorithms[n("Algorithm")] != "", "%s", algorithms[n("Algorithm")])
	add(f.tile() != "", "%s", f.tile())
	add(n("Rest") > 0, "a second tile of %d in a row", n("Rest"))
	add(n("BD") > 0 && n("BD") < n("Head"), "the head in steps of %d", n("BD"))
	add(n("Stages") > 1, "%d stages", n("Stages"))
	add(n("Threads") > 0, "%s", f.threads())
	add(n("InFlight") > 1, "%d steps of wgmma outstanding", n("InFlight"))
	add(f.is("KMajor"), "K-major in shared memory")
	add(n("Resident") > 0, "%d workgroups of a multiprocessor", n("Resident"))
	add(f.is("Resident"), "queries kept on the multiprocessor")
	add(n("ThreadRows") > 0 && n("ThreadColumns") < 2, "windows for %d rows of a thread", n("ThreadRows"))
	add(f.is("ByChannels"), "channels shared by threads of %s", fault.Count(n("ThreadColumns"), "pixel"))
	add(!f.is("ByChannels") && n("ThreadColumns") > 1, "windows for %d rows and %d columns of a thread", n("ThreadRows"), n("ThreadColumns"))
	add(n("ChannelStep") > 1, "%d channels in a step", n("ChannelStep"))
	add(n("Run") > 1, "runs of %d weights", n("Run"))
	add(n("SliceK") > 1, "K in %d slices", n("SliceK"))
	add(n("Strips") > 1, "%d strips of columns", n("Strips"))
	add(n("SplitK") > 1 && !f.is("Atomic"), "K split in %d", n("SplitK"))
	add(n("SplitK") > 1 && f.is("Atomic"), "K split in %d, added atomically", n("SplitK"))
	add(f.is("ClusterK"), "K shared by clusters of 2")
	add(n("MostRows") > 0, "for up to %s", fault.Count(n("MostRows"), "row"))
	add(n("RowPitch") > 0, "%s apart", fault.Count(n("RowPitch"), "row"))
	add(n("ColumnPitch") > 0, "%s apart", fault.Count(n("ColumnPitch"), "column"))
	add(f.is("Together"), "tiles of one left operand together")
	add(n("MostColumns") > 0, "for up to %s", fault.Count(n("MostColumns"), "column"))
	add(n("Parts") > 1, "split in %d", n("Parts"))
	add(f.is("Split"), "keys split")
	add(f.is("ByRows"), "queries by rows")
	add(n("TileHeads") > 0, "%d heads in a tile", n("TileHeads"))
	order, _ := f["Order"].(map[string]any)
	add(fields(order).number("Group") > 1, "%s by %d", groupings[fields(order).number("Kind")], fields(order).number("Group"))
	add(n("Persistent") > 0, "%d persistent programs", n("Persistent"))
	add(n("Programs") > 0, "%d programs to fill the machine", n("Programs"))
	add(n("Cluster") > 1, "clusters of %d", n("Cluster"))
	add(f.is("Repacked"), "x copied with its channels last")
	add(n("ChannelBlocks") > 0, "%d steps of channels at a position", n("ChannelBlocks"))
	add(f.is("Shifts"), "by shifts")
	add(f.is("Permuted"), "a permutation of pixels")
	add(f.is("Dense"), "of copies of its phases")
	add(f.is("Transposed"), "of transposed copies")
	whole := f.is("Shifts") || n("ThreadRows") > 0
	add(whole && n("Channels") > 0, "%d channels in one go", n("Channels"))
	add(!whole && n("Channels") > 0, "%d channels at a position after the other", n("Channels"))
	return list
}

// groupings are the orders of tiles in groups, by their numbers in package tile.
var groupings = map[int]string{2: "grouped", 3: "columns grouped"}

// algorithms are those of convolutions, by their numbers.
var algorithms = map[int]string{1: "direct", 2: "by columns", 3: "implicit product"}

// tile is what a program works on at a time, empty if nothing says so.
func (f fields) tile() string {
	n := f.number
	sides := func(names ...string) string {
		list := make([]any, len(names))
		for i, name := range names {
			list[i] = f[name]
		}
		return "tiles " + cross(list)
	}
	block := f["Block"]
	if image, ok := block.(map[string]any); ok {
		block = image["Size"]
	}
	many, _ := block.([]any)
	switch {
	case f.is("RowByRow"):
		return fmt.Sprintf("rows one by one, blocks %d×%d", n("BK"), n("BN"))
	case n("BD") > 0:
		return fmt.Sprintf("tiles of %d queries × %d keys", n("BM"), n("BN"))
	case n("BO") > 0:
		return sides("BO", "BP", "BK")
	case n("BK") > 0:
		return sides("BM", "BN", "BK")
	case n("BM") > 0:
		return sides("BM", "BN")
	case n("Cols") > 0 && f["Rows"] == nil: // of one row
		return fmt.Sprintf("tiles of %d elements", n("Cols"))
	case n("Cols") > 0:
		return sides("Rows", "Cols")
	case n("Area") > 0:
		return fmt.Sprintf("tiles of %d elements", n("Area"))
	case n("Block") > 0:
		return fmt.Sprintf("blocks of %d", n("Block"))
	case cross(many) != "":
		if all := cross(many); strings.Contains(all, "×") {
			return "blocks " + all
		}
		return "blocks of " + cross(many)
	}
	return ""
}

// cross joins sizes up to the last that is not 0.
func cross(sizes []any) string {
	for len(sizes) > 0 && (sizes[len(sizes)-1] == 0.0 || sizes[len(sizes)-1] == nil) {
		sizes = sizes[:len(sizes)-1]
	}
	parts := make([]string, len(sizes))
	for i, n := range sizes {
		parts[i] = fmt.Sprint(n)
	}
	return strings.Join(parts, "×")
}

// threads are those of a workgroup, as warpgroups where some of them only copy.
func (f fields) threads() string {
	const warpgroup = 128
	threads, producers, consumers := f.number("Threads"), f.number("Producers"), max(f.number("Consumers"), 1)
	kind := "consumer"
	if consumers > 1 {
		kind = "ping-pong consumer"
	}
	switch groups := consumers * threads / warpgroup; {
	case producers == 0:
		return fmt.Sprintf("%d threads", threads)
	case groups == 1:
		return fmt.Sprintf("1 %s warpgroup + %d producer", kind, producers)
	default:
		return fmt.Sprintf("%d %s warpgroups + %d producer", groups, kind, producers)
	}
}
