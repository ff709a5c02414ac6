package kernels

import (
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/tile"
)

// ScanConfig is what Scan is built for. A row is what is combined, along whichever dimension it is.
type ScanConfig struct {
	Op        ReduceOp // ReduceSum, ReduceProd, ReduceMax or ReduceMin
	Elem      weft.DType
	Rank      int  // dimensions after merging, 2 to 5; the last one holds a row
	Columns   bool // the dimension before the last one holds a row instead
	Exclusive bool // an element of the result is without the element of x at its place
	Reverse   bool // from the last element of a row to the first
	Walk      bool // a row takes several tiles
	Rows      int  // rows of one program, a power of two
	Cols      int  // elements of a row in one tile, a power of two
	Parts     int  // for rows that programs share: a power of two that is at least the number of their parts
	Group     int  // for rows that programs share in one pass, which wait for each other: a power of two, of whose parts a program combines the states
	Threads   int  // of a workgroup; 0 lets the compiler choose
}

// Scan is the kernel of cumulative sums, products, and largest and smallest elements. Its views are x and out, of one shape. A program scans the tiles of its
// rows one after the other and carries what stands before each tile.
//
// Where rows are few and long, programs share them. ReduceParts of Sums first reduces each part of a row to a state, with which Scan has views of
// states between x and out, whose dimension of rows has an element for each part. A program combines the states before its part by itself, in
// the same order in every run, so that no launch is needed for their scan. Where programs may wait for each other, one pass is enough: see
// lookBack. Scan then has a view of words between x and out.
var Scan = weft.NewKernel("scan", describeScan)

// Axis is the dimension that holds a row.
func (cfg ScanConfig) Axis() int {
	return SoftmaxConfig{Rank: cfg.Rank, Columns: cfg.Columns}.Axis()
}

// block is a tile with cols elements of each of a program's rows.
func (cfg ScanConfig) block(cols int) [MaxRank]int {
	block := [MaxRank]int{}
	copy(block[:], SoftmaxConfig{Rank: cfg.Rank, Columns: cfg.Columns, Rows: cfg.Rows}.block(cols))
	return block
}

// Sums is the config of the reduction of parts, which walks the same tiles.
func (cfg ScanConfig) Sums() ReduceConfig {
	sums := ReduceConfig{Op: cfg.Op, Pass: ReduceParts, Elem: cfg.Elem, Out: cfg.Op.Result(cfg.Elem), Rank: cfg.Rank,
		Block: cfg.block(cfg.Cols), Split: cfg.Axis(), Threads: cfg.Threads, AtOnce: cfg.Threads == 0}
	sums.Reduced[cfg.Axis()], sums.Walk[cfg.Axis()] = true, true
	return sums
}

// scan describes the kernel.
type scan struct {
	k    *tile.Builder
	cfg  ScanConfig
	r    reducer
	e    *element
	axes []int // along which a tile has several elements of a row
}

func describeScan(k *tile.Builder, cfg ScanConfig) {
	r, axis := Reducers[cfg.Op], cfg.Axis()
	x, out, states, words := scanViews(k, cfg)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	var at []tile.Operand
	var back *lookBack
	if cfg.Group > 0 {
		back, at = newLookBack(k, cfg, words, out)
	} else {
		grid, cut := cfg.block(0), out
		if cfg.Parts > 0 {
			grid[axis], cut = 1, states[0]
		}
		at = k.ProgramTile(cut, grid[:cfg.Rank]...)
	}
	s := &scan{k: k, cfg: cfg, r: r, e: newElement(k, cfg.Sums(), x, at)}
	if cfg.Cols > 1 {
		s.axes = []int{axis}
	}
	store := func(v []*tile.Value) {
		out.Block(s.e.shape...).Store(r.finish(v).Cast(cfg.Op.Result(cfg.Elem)), s.e.at...)
	}
	if back != nil {
		s.once(back, store)
		return
	}
	if !cfg.Walk {
		s.e.loadValue(r)
		store(s.scan(r.lift(*s.e)))
		return
	}
	var from, to tile.Operand = 0, k.CDiv(x.Dim(axis), cfg.Cols)
	before := s.nothing(1)
	if cfg.Parts > 0 {
		before = s.before(states, at)
		from, to = partOf(k, to.(*tile.Value), states[0].Dim(axis), at[axis].(*tile.Value))
	}
	carry := make([]*tile.Var, len(before))
	for i, v := range before {
		carry[i] = k.Var(v)
	}
	for i := range k.RangeStep(from, to, 1) {
		s.e.at[axis] = i
		if cfg.Reverse {
			s.e.at[axis] = to.(*tile.Value).Sub(1).Sub(i.Sub(from))
		}
		s.e.loadValue(r)
		here, above := r.lift(*s.e), make([]*tile.Value, len(carry))
		for j := range carry {
			above[j] = carry[j].Get()
		}
		store(r.combine(above, s.scan(here)))
		for j, v := range r.combine(above, r.gather(*s.e, here, s.axes)) {
			carry[j].Set(v)
		}
	}
}

// scanViews declares what the kernel reads and writes.
func scanViews(k *tile.Builder, cfg ScanConfig) (x, out *tile.View, states []*tile.View, words *tile.View) {
	x = k.In("x", cfg.Elem, cfg.Rank)
	if cfg.Group > 0 {
		words = k.InOut("words", weft.U32, 1)
		words.Cleared = true
	}
	if cfg.Parts > 0 {
		for _, s := range Reducers[cfg.Op].States(cfg.Elem) {
			states = append(states, k.In(s.name, s.Elem, cfg.Rank))
		}
	}
	out = k.Out("out", cfg.Op.Result(cfg.Elem), cfg.Rank)
	for d := range cfg.Rank {
		k.Require(x.Dim(d).Eq(out.Dim(d)))
		for _, s := range states {
			if d != cfg.Axis() {
				k.Require(s.Dim(d).Eq(out.Dim(d)))
			}
		}
	}
	return x, out, states, words
}

// nothing is the state of no elements, for cols elements of each row.
func (s *scan) nothing(cols int) (states []*tile.Value) {
	block := s.cfg.block(cols)
	for _, slot := range s.r.States(s.cfg.Elem) {
		states = append(states, slot.start.full(s.k, slot.Elem, block[:s.cfg.Rank]))
	}
	return states
}

// before combines the states of the parts before this program's.
func (s *scan) before(views []*tile.View, at []tile.Operand) []*tile.Value {
	axis, block := s.cfg.Axis(), s.cfg.block(s.cfg.Parts)
	shape, from := block[:s.cfg.Rank], slices.Clone(at)
	from[axis] = 0
	part := s.k.Iota(axis, shape...)
	counts := part.Lt(at[axis])
	if s.cfg.Reverse {
		counts = part.Gt(at[axis]).And(part.Lt(views[0].Dim(axis)))
	}
	states := s.nothing(s.cfg.Parts)
	for i, v := range views {
		states[i] = s.k.Where(counts, v.Block(shape...).Load(from...), states[i])
	}
	return s.r.gather(*s.e, states, []int{axis})
}

// scan combines the states of a tile along rows.
func (s *scan) scan(states []*tile.Value) []*tile.Value {
	var options []tile.ScanOption
	if s.cfg.Reverse {
		options = append(options, tile.Reverse)
	}
	if !s.cfg.Exclusive {
		return tile.Scan(states, s.cfg.Axis(), s.r.combine, options...)
	}
	var identity []tile.Operand
	for _, slot := range s.r.States(s.cfg.Elem) {
		identity = append(identity, slot.start.scalar(s.k, s.cfg.Elem, slot.Elem))
	}
	return tile.ScanExclusive(states, identity, s.cfg.Axis(), s.r.combine, options...)
}
