package kernels

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// Updates are combined in an order that is the same in every run as follows. ScatterKeys finds where in memory the window of each index starts. The numbers of
// windows are sorted by that, so that the updates of a window are a run. ScatterSums takes parts of the sorted windows: runs that a part has whole are combined with the elements
// of x; the first run of a part, and its last one, may go on in the parts next to it, and their sums become a shorter list of windows, in the same order, for
// the next launch. The last launch has one part.
var (
	ScatterKeys = weft.NewKernel("scatter_keys", describeScatterKeys)
	ScatterSums = weft.NewKernel("scatter_sums", describeScatterSums)
)

// ScatterSumsConfig is what ScatterSums is built for.
type ScatterSumsConfig struct {
	Indexed IndexedConfig // whose Rows and Window count dimensions, and whose kind is ScatterAdd or ScatterMul
	Sums    bool          // what is read are sums of a launch before, of F32, not updates
	Last    bool          // one part has all windows
	Part    int           // windows of a part, a power of two
	Cols    int           // elements of a window in a tile, a power of two
	Threads int           // of a workgroup; 0 lets the compiler choose
}

// ScatterKeysConfig is the config of ScatterKeys.
func (p IndexedProblem) ScatterKeysConfig(caps target.Caps) IndexedConfig {
	cfg := p.Config(IndexedSizes{RowTile: 1 << 14, OuterTile: 1, InnerTile: 1})
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(128)
		cfg.RowTile = 4 * cfg.Threads
	}
	cfg.RowTile = min(cfg.RowTile, pow2.Ceil(max(p.Sizes[0], 1)))
	cfg.Window, cfg.RowsLast, cfg.XRun, cfg.YRun = 1, false, 0, 0
	return cfg
}

// ScatterSumsConfig is the launch rule, for n windows: columns that are runs of memory, and as many windows as a tile has room for.
func (p IndexedProblem) ScatterSumsConfig(caps target.Caps, n int, sums bool) ScatterSumsConfig {
	const columns = 64 // of a part, which are runs of memory
	cfg := ScatterSumsConfig{Indexed: p.Config(IndexedSizes{}), Sums: sums}
	cfg.Indexed.Coords, cfg.Indexed.RowsLast, cfg.Indexed.XRun, cfg.Indexed.YRun = 0, false, 0, 0
	area := 1 << 14
	if !caps.WholeTiles {
		cfg.Threads = caps.FitThreads(256)
		if area = 8 * cfg.Threads; scarce(caps) {
			area = 4 * cfg.Threads
		}
	}
	cfg.Cols = min(pow2.Ceil(max(p.Sizes[1]*p.Sizes[2], 1)), columns)
	cfg.Part = max(min(area/cfg.Cols, pow2.Ceil(max(n, 1))), 8) // of which a list gets shorter
	cfg.Last = n <= cfg.Part
	return cfg
}

// describeScatterKeys has the views indices, if windows have any, and keys [N] of I32: where in x's memory a window starts, or -1 if it is not within x.
func describeScatterKeys(k *tile.Builder, cfg IndexedConfig) {
	s := &indexed{k: k, cfg: cfg}
	if cfg.Coords > 0 {
		s.indices = k.In("indices", cfg.indexType(), 1)
	}
	keys := k.Out("keys", dtype.I32, 1)
	s.start()
	s.place()
	row := s.row.Broadcast(s.shape()...)
	keys.At(row).Mask(s.inside).Scatter(k.Where(s.reached, s.xs, -1))
}

// scatterSums describes ScatterSums. Tiles are [windows, elements of a window]; what is of a window has one column.
type scatterSums struct {
	k                 *tile.Builder
	cfg               ScatterSumsConfig
	s                 *indexed
	keys, order, from *tile.View // order is nil for sums
	nextKeys, next    *tile.View // nil if there is no next launch
	part, col         *tile.Value
	n, width          *tile.Value // windows, and elements of one
	i, w              *tile.Value // numbers of the windows and elements of a tile
	there, within     *tile.Value
	key, sum          *tile.Value
	run, runs         *tile.Value // the number of a window's run in the part, from 1 on, and how many there are
	tail              *tile.Value // holds for the last window of a run
}

// describeScatterSums has the views keys [N] in order; order [N], the number of each window, and updates, a vector of memory, or sums [N·W] of F32, for windows
// of W elements; out, x's memory; and but for the last launch keys and sums of the next one. Its scalars are those of Scatter without indices, and N.
func describeScatterSums(k *tile.Builder, cfg ScatterSumsConfig) {
	d := &scatterSums{k: k, cfg: cfg, s: &indexed{k: k, cfg: cfg.Indexed}}
	d.keys = k.In("keys", dtype.I32, 1)
	if cfg.Sums {
		d.from = k.In("sums", dtype.F32, 1)
	} else {
		d.order, d.from = k.In("order", dtype.I32, 1), k.In("updates", cfg.Indexed.From, 1)
	}
	out := k.InOut("out", cfg.Indexed.Elem, 1)
	if !cfg.Last {
		d.nextKeys, d.next = k.Out("next_keys", dtype.I32, 1), k.Out("next_sums", dtype.F32, 1)
	}
	d.s.cfg.Threads = cfg.Threads
	d.s.start()
	d.n = k.Scalar("windows", dtype.I32)
	d.load()
	d.combine()
	final := d.tail
	if !cfg.Last {
		final = final.And(d.run.Gt(1)).And(d.run.Lt(d.runs))
		d.pass()
	}
	x, _, _ := d.s.offsets(d.w, d.s.window)
	points := out.At(d.key.Add(x)).Mask(final.And(d.key.Ge(0)).And(d.within))
	points.Scatter(d.join(points.Gather().Cast(dtype.F32), d.sum).Cast(cfg.Indexed.Elem))
}

// join is two elements as one.
func (d *scatterSums) join(x, y *tile.Value) *tile.Value {
	if d.cfg.Indexed.Kind == ScatterMul {
		return x.Mul(y)
	}
	return x.Add(y)
}

// load reads the windows of a part, and declares the grid.
func (d *scatterSums) load() {
	k, cfg := d.k, d.cfg
	d.width = d.s.product(d.s.window)
	across := k.CDiv(d.width, cfg.Cols)
	k.Grid(k.CDiv(d.n, cfg.Part).Mul(across))
	at := k.ProgramID(0)
	d.part, d.col = at.Div(across), at.Rem(across)
	d.i = k.Iota(0, cfg.Part, 1).Add(d.part.Mul(cfg.Part))
	d.w = k.Iota(1, 1, cfg.Cols).Add(d.col.Mul(cfg.Cols))
	d.there, d.within = d.i.Lt(d.n), d.w.Lt(d.width)
	d.key = d.keys.At(d.i).Mask(d.there).Gather()
	place := d.i.Mul(d.width).Add(d.w)
	if !cfg.Sums {
		number := d.order.At(d.i).Mask(d.there).Gather()
		_, row, _ := d.s.offsets(number, d.s.rows)
		_, y, _ := d.s.offsets(d.w, d.s.window)
		place = row.Add(y).Add(d.s.firstY)
	}
	d.sum = d.from.At(place).Mask(d.there.And(d.within)).Gather().Cast(dtype.F32)
}

// combine makes of each window's elements those of all windows of its run so far.
func (d *scatterSums) combine() {
	k, cfg := d.k, d.cfg
	number := k.Iota(0, cfg.Part, 1)
	neighbour := func(by int) *tile.Value { return d.keys.At(d.i.Add(by)).Mask(d.there).Gather() }
	head := number.Eq(0).Or(d.key.Ne(neighbour(-1))).And(d.there)
	last := number.Eq(cfg.Part - 1).Or(d.i.Eq(d.n.Sub(1)))
	d.tail = last.Or(d.key.Ne(neighbour(1))).And(d.there)
	heads := head.Cast(dtype.I32)
	d.run, d.runs = heads.CumSum(0), heads.Sum(0)
	states := []*tile.Value{heads.Broadcast(cfg.Part, cfg.Cols), d.sum}
	d.sum = tile.Scan(states, 0, func(x, y []*tile.Value) []*tile.Value {
		return []*tile.Value{x[0].Or(y[0]), k.Where(y[0].Ne(0), y[1], d.join(x[1], y[1]))}
	})[1]
}

// pass gives the first run of the part and the last one to the next launch: the same one twice, and once without elements, if there is one alone.
func (d *scatterSums) pass() {
	k := d.k
	nothing := 0.0
	if d.cfg.Indexed.Kind == ScatterMul {
		nothing = 1
	}
	alone := d.runs.Eq(1)
	for end, run := range []*tile.Value{k.Full(dtype.I32, 1, 1, 1), d.runs} {
		to, here := d.part.Mul(2).Add(end), d.tail.And(d.run.Eq(run))
		sum := d.sum
		if end == 1 {
			sum = k.Where(alone, nothing, sum)
		}
		d.next.At(to.Mul(d.width).Add(d.w)).Mask(here.And(d.within)).Scatter(sum)
		d.nextKeys.At(k.Full(dtype.I32, 0, d.cfg.Part, 1).Add(to)).Mask(here.And(d.col.Eq(0))).Scatter(d.key)
	}
}

// Parts is the number of parts of n windows.
func (cfg ScatterSumsConfig) Parts(n int) int { return CeilDiv(n, cfg.Part) }
