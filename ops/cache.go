package ops

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/tune"
)

var appends = declare(declaration[given]{
	inputs: []string{"x", "positions", "table"}, needed: 2, alike: 1, output: "cache", part: true,
	types: func(_ given, t weft.DType) bool { return t.IsFloat() },
	check: checkAppend, accepts: acceptsCache, launch: launchAppend,
})

// CacheAppend writes x [B,H,S,D], of floats, into a cache of keys or values: row s of
// batch b becomes row positions[b]+s of that batch, for positions [B] of I32, which the kernel
// reads, so that a step that is captured appends elsewhere when it is replayed. All other rows stay
// as they are. Any views will do, and elements are moved as by Embedding.
//
// Without a table (nil) the cache is [B,H,Capacity,D]. With a table [B,MaxPages] of I32 it is a
// pool of pages [Pages,H,PageSize,D] (Kwon et al., Efficient Memory Management for Large Language
// Model Serving with PagedAttention, 2023): row r of batch b is row r % PageSize of page table[b,
// r/PageSize].
//
// Rows that the cache does not have are not written: those below 0, from Capacity or
// MaxPages·PageSize on, or in a page below 0 or from Pages on. Where two rows of x are to be one of
// the cache, since a page is listed twice, it is one of the two, element by element.
//
// Errors: ErrShape for shapes that do not fit, ErrArgument for nil and element types that do not
// fit, ErrUnsupported for other element types and if the cache repeats elements or overlaps another
// argument, ErrDevice, ErrClosed.
func CacheAppend(cache, x, positions, table *weft.Tensor) error {
	return appends.into(given{op: "cache_append"}, cache, x, positions, table)
}

func checkAppend(o *given, in []*weft.Tensor) ([]int, error) {
	return nil, checkRows(o.op, operand{"x", in[0]}, in[1], in[2])
}

// checkRows checks the rows that are appended to a cache, their positions and a table, if there is one.
func checkRows(op string, x operand, positions, table *weft.Tensor) error {
	if err := checkHeads(op, x); err != nil {
		return err
	}
	if err := checkPositions(op, operand{"positions", positions}, x); err != nil || table == nil {
		return err
	}
	if err := checkGiven(op, operand{"table", table}, x, weft.I32); err != nil {
		return err
	}
	if batches := x.tensor.Dim(0); table.Rank() != 2 || table.Dim(0) != batches {
		return fault.New(weft.ErrShape, op, "shape %v, want %s, one of each batch", table.Shape(), fault.Count(batches, "row")).For("table")
	}
	return nil
}

// checkHeads refuses a tensor that is not one of batches, heads, rows and elements.
func checkHeads(op string, x operand) error {
	if x.tensor.Rank() != 4 {
		return fault.New(weft.ErrShape, op, "shape %v has %s, want 4: batch, heads, length, head size", x.tensor.Shape(),
			fault.Count(x.tensor.Rank(), "dimension")).For(x.name)
	}
	return nil
}

// checkPositions checks the positions of x's batches.
func checkPositions(op string, positions, x operand) error {
	if err := checkGiven(op, positions, x, weft.I32); err != nil {
		return err
	}
	return checkShape(op, positions, []int{x.tensor.Dim(0)})
}

// acceptsCache checks a cache for what is appended to it.
func acceptsCache(o given, cache operand, in []*weft.Tensor) error {
	return checkCache(o.op, cache, operand{"x", in[0]}, in[2] != nil)
}

func checkCache(op string, cache, rows operand, paged bool) error {
	x, c := rows.tensor, cache.tensor
	if err := checkGiven(op, cache, rows, x.DType()); err != nil {
		return err
	}
	if err := checkHeads(op, cache); err != nil {
		return err
	}
	if c.Dim(1) != x.Dim(1) || c.Dim(3) != x.Dim(3) || !paged && c.Dim(0) != x.Dim(0) {
		return fault.New(weft.ErrShape, op, "shape %v does not fit %s's %v: all but the length must be equal, and with a table all but the first and the length",
			c.Shape(), rows.name, x.Shape()).For(cache.name)
	}
	return nil
}

func launchAppend(_ *given, cache *weft.Tensor, in []*weft.Tensor) error {
	if in[0].Len() == 0 {
		return nil
	}
	moved := asWords(ownView(in[0]), ownView(cache))
	p := kernels.CacheProblem{Elem: seenElem(moved[0]), X: viewOf(moved[0].Layout), Cache: tune.StridesOf(moved[1].Layout), Paged: in[2] != nil}
	views := []weft.TensorView{moved[0], ownView(in[1])}
	if p.Paged {
		views = append(views, ownView(in[2]))
	}
	return kernels.CacheAppend.LaunchViews(p.Config(pick(cacheTune, cache.Device(), p)), nil, append(views, moved[1])...)
}
