package simtpass

import (
	"slices"

	"github.com/weftgpu/weft/simt"
)

// Copies of a loop whose products depend on others of the same iteration are in rings: those that the first products read, and those that the products read
// which depend on them. Each ring has barriers of its own, so that its stages are given back as soon as their products are over.

// ring is the copies of a loop that are waited for and given back together.
type ring struct {
	copies      []*simt.Op
	full, empty *simt.Shared // barriers
}

// ranks tells of each op of a loop's body how many products it depends on, one after the other.
func ranks(own []*simt.Op) map[*simt.Op]int {
	rank := map[*simt.Op]int{}
	for _, op := range own {
		simt.Walk(&simt.Block{Ops: []*simt.Op{op}}, func(inner *simt.Op) {
			for _, a := range inner.Args {
				if a.Op == nil {
					continue
				}
				r := rank[a.Op]
				if a.Op.Kind == simt.GroupWait {
					r++
				}
				rank[op] = max(rank[op], r)
			}
		})
	}
	return rank
}

// ringsOf groups copies by the rank of the products that read them, if it is two of which each has copies, and nothing else reads them; else it is one ring.
func ringsOf(own, copies []*simt.Op) []*ring {
	one := []*ring{{copies: copies}}
	ranks, read := ranks(own), map[*simt.Shared]int{}
	for _, op := range own {
		for _, place := range placesOf(op) {
			if was, found := read[place.Shared]; found && was != ranks[op] {
				return one
			}
			read[place.Shared] = ranks[op]
		}
	}
	rings := []*ring{{}, {}}
	for _, op := range copies {
		rank, found := read[op.Shared]
		if !found || rank >= len(rings) {
			return one
		}
		rings[rank].copies = append(rings[rank].copies, op)
	}
	otherwise := false
	simt.Walk(&simt.Block{Ops: own}, func(op *simt.Op) {
		_, copied := read[op.Shared]
		otherwise = otherwise || copied && op.Kind != simt.MatrixPlace && op.Kind != simt.TensorCopy
	})
	if otherwise || len(rings[0].copies) == 0 || len(rings[1].copies) == 0 {
		return one
	}
	return rings
}

// placesOf are the places of the operands of products, none of another op.
func placesOf(op *simt.Op) (places []*simt.Op) {
	if op.Kind != simt.GroupMMA {
		return nil
	}
	products, _ := op.Products()
	for _, pair := range products {
		for _, factor := range pair {
			if factor.Op != nil && factor.Op.Kind == simt.MatrixPlace {
				places = append(places, factor.Op)
			}
		}
	}
	return places
}

// chain lets products that do nothing with others' sums but add to them begin without a wait for those.
func chain(b *simt.Block) {
	uses := simt.UsesIn(b)
	for _, op := range b.Ops {
		if op.Kind != simt.GroupMMA {
			continue
		}
		_, c := op.Products()
		if wait := waitFor(b, c); wait != nil && onlyFor(uses, wait, op) {
			for i, part := range c {
				c[i] = wait.Args[slices.Index(wait.Out, laneSource(part, 0).v)]
			}
		}
	}
}

// waitFor is the wait of a block that gives parts of sums as they are, each once, nil if there is none.
func waitFor(b *simt.Block, parts []*simt.Value) (wait *simt.Op) {
	for _, part := range parts {
		from := laneSource(part, 0).v
		if from.Op == nil || from.Op.Kind != simt.GroupWait || wait != nil && from.Op != wait || from.Type != part.Type {
			return nil
		}
		for j := range part.Type.Width {
			if laneSource(part, j) != (lane{from, j}) {
				return nil
			}
		}
		wait = from.Op
	}
	if wait == nil || len(wait.Out) != len(parts) || !slices.Contains(b.Ops, wait) {
		return nil
	}
	return wait
}

// onlyFor reports whether one op alone uses what a wait gives.
func onlyFor(uses *simt.Uses, wait, op *simt.Op) bool {
	var only func(v *simt.Value) bool
	only = func(v *simt.Value) bool {
		for u := range uses.Of(v) {
			passes := u.Op.Kind == simt.Extract || u.Op.Kind == simt.Compose
			if u.Op != op && !(passes && only(u.Op.Result())) {
				return false
			}
		}
		return true
	}
	return !slices.ContainsFunc(wait.Out, func(v *simt.Value) bool { return !only(v) })
}
