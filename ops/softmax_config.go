package ops

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/target"
)

// mergedRows brings x and out, which are not empty, into the fewest dimensions: those beside the
// rows ordered by out's strides and merged where they are one run in both, and the rows as the last
// dimension, or before the last where that runs with smaller strides.
func mergedRows(op string, axis int, x, out layout.Layout) (rows [2]layout.Layout, columns bool, err error) {
	both := []layout.Layout{x, out}
	kept := make([]layout.Layout, len(both))
	for i, l := range both {
		kept[i], _ = l.Select(axis, 0)
	}
	order := memoryOrder(kept[1])
	for i := range kept {
		kept[i], _ = kept[i].Permute(order...)
	}
	kept = layout.CoalesceTogether(kept...)
	at := kept[1].Rank()
	if err := checkMerged(op, x.Shape(), at+1); err != nil {
		return rows, false, err
	}
	size := func(stride int) int { return max(stride, -stride) }
	if columns = kept[1].Size(at-1) > 1 && size(kept[1].Stride(at-1)) < size(out.Stride(axis)); columns {
		at--
	}
	for i, l := range both {
		shape := slices.Insert(kept[i].Shape(), at, l.Size(axis))
		strides := slices.Insert(kept[i].Strides(), at, l.Stride(axis))
		if rows[i], err = layout.Strided(shape, strides, l.Offset()); err != nil {
			return rows, columns, err
		}
	}
	return rows, columns, nil
}

// softmaxWidest is the longest row that is held in one tile.
func softmaxWidest(caps target.Caps) int {
	if caps.Language == target.TileIR {
		return 1 << 16
	}
	return 8192
}

// SoftmaxConfigFor chooses the config for merged rows, and whether they are so long
// that they take SoftmaxOnlineKernel.
func SoftmaxConfigFor(caps target.Caps, elem weft.DType, rows layout.Layout) (cfg SoftmaxConfig, online bool) {
	p := softmaxPlanFor(caps, elem, rows, false)
	return p.cfg, p.online
}

// SoftmaxConfigs lists legal configs for tuning, for merged rows in the last dimension, the launch
// rule's first.
func SoftmaxConfigs(caps target.Caps, elem weft.DType, rows layout.Layout) []SoftmaxConfig {
	var list []SoftmaxConfig
	length, _ := softmaxLines(rows, false)
	for _, s := range softmaxSpace(caps, rows, false) {
		if s.legal(caps, length) == nil {
			if cfg := s.plan(elem, rows, false).cfg; !slices.Contains(list, cfg) {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// softmaxSizes are what is chosen for a device and rows; the rest of a plan follows from them.
type softmaxSizes struct {
	Cols     int // elements of a row in one tile: all of them, or as many as are walked at a time
	Rows     int // of one program
	Threads  int // of a workgroup
	Programs int // that fill the machine, so that rows are shared where there are fewer
}

// softmaxPlan is how a softmax is computed.
type softmaxPlan struct {
	cfg    SoftmaxConfig
	online bool
	parts  int // of a row, if more than 1
}

// softmaxPlanFor chooses the plan for merged rows, which lie in the last dimension or, as columns,
// before it.
func softmaxPlanFor(caps target.Caps, elem weft.DType, rows layout.Layout, columns bool) softmaxPlan {
	return softmaxSizesFor(caps, rows, columns).plan(elem, rows, columns)
}

// softmaxLines are the length of a row and the number of those that lie side by side.
func softmaxLines(rows layout.Layout, columns bool) (length, beside int) {
	axis := SoftmaxConfig{Rank: rows.Rank(), Columns: columns}.axis()
	return rows.Size(axis), rows.Size(2*rows.Rank() - 3 - axis)
}

// softmaxSizesFor is the launch rule.
func softmaxSizesFor(caps target.Caps, rows layout.Layout, columns bool) softmaxSizes {
	length, beside := softmaxLines(rows, columns)
	beside = pow2.Ceil(beside)
	widest, area := softmaxWidest(caps), 1024
	if caps.Language == target.TileIR {
		area = 1 << 15
	}
	least := 1 // rows side by side: as columns, they fill transactions of memory
	if columns {
		least = min(beside, 32)
	}
	s := softmaxSizes{Cols: pow2.Ceil(length), Rows: least, Programs: reduceSizesFor(caps).Programs / 2}
	online := s.Cols*least > widest
	if online {
		s.Cols = widest / 4 / least
	}
	s.Threads = softmaxThreads(caps, s.Cols*least)
	if !online {
		s.Rows = max(least, min(area/s.Cols, beside))
	}
	return s
}

// softmaxSpace lists the sizes to choose from, the launch rule's first.
func softmaxSpace(caps target.Caps, rows layout.Layout, columns bool) []softmaxSizes {
	chosen := softmaxSizesFor(caps, rows, columns)
	list := []softmaxSizes{chosen}
	for _, threads := range slices.Compact([]int{chosen.Threads / 4, chosen.Threads / 2, chosen.Threads, 2 * chosen.Threads}) {
		for _, cols := range []int{chosen.Cols, chosen.Cols / 4, chosen.Cols / 2, 2 * chosen.Cols} {
			for _, count := range []int{chosen.Rows / 2, chosen.Rows, 2 * chosen.Rows, 4 * chosen.Rows} {
				for _, programs := range []int{chosen.Programs / 2, chosen.Programs, 2 * chosen.Programs} {
					length, _ := softmaxLines(rows, columns)
					s := softmaxSizes{cols, count, threads, programs}
					if cols >= length {
						s.Programs = chosen.Programs // which changes nothing
					}
					if s != chosen && cols < 2*pow2.Ceil(length) {
						list = append(list, s)
					}
				}
			}
		}
	}
	return list
}

// legal says why sizes are refused.
func (s softmaxSizes) legal(caps target.Caps, length int) error {
	if err := checkThreads(caps, s.Threads); err != nil {
		return err
	}
	if err := checkPowers(s.Cols, s.Rows); err != nil {
		return err
	}
	widest := softmaxWidest(caps)
	if s.Cols < length {
		widest /= 2 // the second pass has tiles of twice as many parts
	}
	if area := s.Cols * s.Rows; area > widest {
		return fmt.Errorf("a tile of %d elements, at most %d", area, widest)
	}
	if s.Programs < 1 || s.Programs > 1<<20 {
		return fmt.Errorf("%d programs", s.Programs)
	}
	return checkArea(caps, s.Cols*s.Rows, s.Threads)
}

// plan is the plan for rows by these sizes.
func (s softmaxSizes) plan(elem weft.DType, rows layout.Layout, columns bool) softmaxPlan {
	p := softmaxPlan{cfg: SoftmaxConfig{Elem: elem, Rank: rows.Rank(), Columns: columns, Cols: s.Cols, Rows: s.Rows, Threads: s.Threads}, parts: 1}
	length, beside := softmaxLines(rows, columns)
	if p.online = s.Cols < length; !p.online {
		return p
	}
	tiles := rows.Len() / length / beside * ceilDiv(beside, s.Rows)
	// Every program of the second pass reads all parts of its rows, into one tile: fewer than of a sum.
	steps := ceilDiv(length, s.Cols)
	if parts := min(s.Programs/tiles, steps/2, 2*s.Cols); parts > 1 {
		p.parts = ceilDiv(steps, ceilDiv(steps, parts))
		p.cfg.Parts = pow2.Ceil(p.parts)
	}
	return p
}

// softmaxThreads are those of a workgroup that holds rows of cols elements.
func softmaxThreads(caps target.Caps, cols int) int {
	if caps.Language == target.TileIR {
		return 0
	}
	threads := min(max(cols/8, 128), 256)
	threads = caps.FitThreads(threads)
	return threads
}
