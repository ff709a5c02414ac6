package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/lower/axis/axistest"
	"github.com/weftgpu/weft/internal/lower/lowertest"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// specialised is a product whose operands come by tensor maps: sizes of the problem and of its tiles, and how they are laid out.
type specialised struct {
	elem, out             dtype.Type
	m, n, k               int
	bm, bn, bk            int
	threads, stages       int
	batch                 int // 0 for none
	persistent            int // the most programs, 0 for one for each tile
	consumers             int // groups that alternate, 0 for one
	inFlight              int // iterations whose products are outstanding
	cluster               int // workgroups of a cluster, 0 for none
	columnsA, columnsB    bool
	columnsOut            bool
	folded                bool
	sharedBytes, pad, off int
	split                 bool // operands of F32 are taken in two parts, one of which threads make
	plain                 bool // without tensor maps: all threads copy
}

func (c specialised) String() string {
	return fmt.Sprintf("%v to %v, %dx%dx%d in %dx%dx%d, %d threads, %d stages, batch %d, persistent %d, consumers %d, in flight %d, cluster %d, columns %v %v %v, folded %v, %d bytes, pad %d, offset %d, split %v, plain %v", c.elem, c.out,
		c.m, c.n, c.k, c.bm, c.bn, c.bk, c.threads, c.stages, c.batch, c.persistent, c.consumers, c.inFlight, c.cluster, c.columnsA, c.columnsB, c.columnsOut, c.folded, c.sharedBytes, c.pad, c.off, c.split, c.plain)
}

// stageBytes is what one step of the product takes in shared memory, with the part of the right operand that threads make.
func (c specialised) stageBytes() int {
	columns := c.bn
	if c.split {
		columns *= 2
	}
	return (c.bm + columns) * c.bk * c.elem.Size()
}

// kernel describes the product.
func (c specialised) kernel(t *testing.T) *tile.Func {
	return axistest.Build(t, "specialised", func(k *tile.Builder) {
		k.Schedule(tile.Schedule{Threads: c.threads, Stages: c.stages, Producers: 1, Consumers: c.consumers, InFlight: c.inFlight, Cluster: c.cluster, Order: tile.Order{Kind: tile.GroupedRows, Group: 2}})
		rank := 2 + min(c.batch, 1)
		a, b, out := k.In("a", c.elem, rank), k.In("b", c.elem, rank), k.Out("out", c.out, rank)
		rows, columns := k.CDiv(out.Dim(rank-2), c.bm*k.Cluster()), k.CDiv(out.Dim(rank-1), c.bn)
		cluster, below := k.ClusterID() // whose programs have tiles below each other
		block := func(v *tile.View, rows, columns int) tile.Block {
			if c.batch > 0 {
				return v.Block(1, rows, columns)
			}
			return v.Block(rows, columns)
		}
		product := func(before []tile.Operand, row, column *tile.Value) {
			row = row.Mul(k.Cluster()).Add(below)
			at := func(x, y tile.Operand) []tile.Operand { return append(slices.Clone(before), x, y) }
			sums, precision := dtype.F32, tile.Float32Accumulate
			switch {
			case c.split:
				precision = tile.TF32x3
			case c.elem == dtype.F32:
				precision = tile.TF32
			case c.elem.IsInt():
				sums, precision = dtype.I32, tile.IEEE
			}
			acc := k.Var(k.Zeros(sums, c.bm, c.bn))
			for i := range k.Range(k.CDiv(a.Dim(rank-1), c.bk)) {
				x, y := block(a, c.bm, c.bk).Load(at(row, i)...), block(b, c.bk, c.bn).Load(at(i, column)...)
				if c.batch > 0 {
					x, y = x.Reshape(c.bm, c.bk), y.Reshape(c.bk, c.bn)
				}
				acc.Set(tile.Dot(x, y, acc.Get(), precision))
			}
			sum := acc.Get()
			if c.batch > 0 {
				sum = sum.Reshape(1, c.bm, c.bn)
			}
			block(out, c.bm, c.bn).Store(sum.Cast(c.out), at(row, column)...)
		}
		switch {
		case c.persistent == 0 && c.batch == 0 && c.cluster < 2:
			row, column := k.TileID(rows, columns)
			product(nil, row, column)
		default:
			total := rows.Mul(columns)
			if c.batch > 0 {
				total = total.Mul(out.Dim(0))
			}
			k.Grid(total.Minimum(max(c.persistent, 1)).Mul(k.Cluster()))
			for n := range k.RangeStep(cluster, total, k.NumPrograms(0).Div(k.Cluster())) {
				var before []tile.Operand
				if c.batch > 0 {
					before, n = []tile.Operand{n.Div(rows.Mul(columns))}, n.Rem(rows.Mul(columns))
				}
				row, column := k.TileAt(n, rows, columns)
				product(before, row, column)
			}
		}
	})
}

// layouts are those of the operands and of the result, whose lines are multiples of 16 bytes apart, and how many elements their buffers have.
func (c specialised) layouts(t *testing.T) (args []tensor, sizes []int) {
	matrix := func(rows, columns int, across bool, aligned int) {
		strides := []int{columns, 1}
		if across {
			strides = []int{1, rows}
		}
		lines := &strides[slices.Index(strides, max(strides[0], strides[1]))]
		*lines = (*lines+aligned-1)/aligned*aligned + c.pad*aligned
		shape := []int{rows, columns}
		if c.batch > 0 {
			shape, strides = append([]int{c.batch}, shape...), append([]int{max(rows, columns) * *lines}, strides...)
		}
		l := axistest.Strided(t, shape, strides, c.off*aligned)
		_, last := l.Bounds()
		args, sizes = append(args, tensor{l, len(args)}), append(sizes, last+9)
	}
	matrix(c.m, c.k, c.columnsA, 16/c.elem.Size())
	matrix(c.k, c.n, c.columnsB, 16/c.elem.Size())
	matrix(c.m, c.n, c.columnsOut, 16/c.out.Size())
	return args, sizes
}

// lower lowers the product.
func (c specialised) lower(t *testing.T) lowering {
	caps := lowertest.MatrixTarget("sm_90a", c.sharedBytes).WithCapability(target.Hopper)
	caps.TensorMaps = !c.plain
	args, sizes := c.layouts(t)
	return cases(t, map[string]target.Caps{"hopper": caps}, c.kernel(t), sizes, args, c.folded, matrixTolerance(c.elem, c.k)+2*c.out.Epsilon())[0]
}

// drawSpecialised draws a product.
func drawSpecialised(r *rapid.T) specialised {
	flag := func(name string) bool { return rapid.Bool().Draw(r, name) }
	of := func(name string, from ...int) int { return rapid.SampledFrom(from).Draw(r, name) }
	c := specialised{
		elem: rapid.SampledFrom([]dtype.Type{dtype.F16, dtype.F16, dtype.BF16, dtype.F32, dtype.I8}).Draw(r, "elem"),
		bm:   of("bm", 64, 128), bn: of("bn", 64, 128),
		stages: of("stages", 1, 2, 3, 4), batch: of("batch", 0, 0, 1, 3), persistent: of("persistent", 0, 1, 2, 3),
		columnsA: flag("a in columns"), columnsB: flag("b in columns"), columnsOut: flag("out in columns"), folded: flag("folded"),
		sharedBytes: of("shared", 48<<10, 100<<10, 227<<10), pad: of("pad", 0, 1), off: of("offset", 0, 2),
	}
	c.bk = of("lines", 1, 2) * simt.LineBytes / c.elem.Size()
	c.split, c.plain = c.elem == dtype.F32 && flag("split"), rapid.IntRange(0, 4).Draw(r, "plain") == 0
	if c.stageBytes() > c.sharedBytes { // for products without producers
		c.sharedBytes = 227 << 10
	}
	if c.out = rapid.SampledFrom([]dtype.Type{dtype.F32, c.elem}).Draw(r, "out"); c.elem == dtype.I8 {
		c.out = dtype.I32
	}
	if c.elem.Size() != 2 && flag("along the sums") { // as operands have to be stored that are not of 16 bits, but for a left one of words
		c.columnsA, c.columnsB = c.columnsA && c.elem == dtype.F32, true
	}
	c.threads = 2 * c.bm // a warpgroup has 64 rows, or twice as many
	if c.bm == 128 && flag("two parts of rows") {
		c.threads = c.bm
	}
	c.consumers, c.inFlight = of("consumers", 0, 1, 2, 3), of("in flight", 0, 1, 2)
	c.cluster = of("cluster", 0, 1, 2, 2)
	size := func(name string, block, most int) int { return rapid.IntRange(1, most*block).Draw(r, name) }
	c.m, c.n, c.k = size("m", c.bm, 2), size("n", c.bn, 2), size("k", c.bk, 5)
	if flag("multiples of 8") {
		c.m, c.n, c.k = (c.m+7)&^7, (c.n+7)&^7, (c.k+7)&^7
	}
	return c
}

// TestSpecialisedProducts compares products whose operands a thread of its own copies with the interpreter's: sizes that are no multiples of the
// tiles, each operand in either order, batches, persistent grids, and as many stages as there is room for, in all schedules of both roles.
func TestSpecialisedProducts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := drawSpecialised(r)
		l := c.lower(t)
		// Where threads would load single elements, the layout of the sums may be one that leaves an operand in registers.
		suits := !c.plain && !c.split && (c.elem.Size() == 2 || (!c.columnsA || c.elem == dtype.F32) && c.columnsB) && (c.m|c.n|c.k)%8 == 0
		room := c.stageBytes() + c.bm*c.bn*c.out.Size() + 2048 // for one stage, the result and what is small
		if specialised := lowertest.Count(l.kernel, simt.Roles) == 1; !specialised && suits && room <= c.sharedBytes {
			r.Fatalf("%v: no roles\n%v", c, l.kernel)
		}
		if stores := lowertest.Count(l.kernel, simt.TensorStore); stores == 0 && lowertest.Count(l.kernel, simt.Roles) == 1 && min(c.m, c.n) > 1 {
			r.Fatalf("%v: no stores by tensor maps\n%v", c, l.kernel)
		}
		share := lowertest.Count(l.kernel, simt.Roles) == 1 && c.consumers > 1 && (c.persistent > 0 || c.batch > 0 || c.cluster > 1)
		own := c.threads > 128 && c.consumers < 2 // warpgroups may go on by themselves
		if share != (l.kernel.Consumers > 1) && !own && (l.kernel.Consumers > 1 || c.consumers*room <= c.sharedBytes) {
			r.Fatalf("%v: %d groups\n%v", c, l.kernel.Consumers, l.kernel)
		}
		if together := c.cluster > 1 && !c.folded && copiesOf(l.kernel, "b_map") > 0; together != (l.kernel.Cluster > 1) {
			r.Fatalf("%v: clusters of %d\n%v", c, l.kernel.Cluster, l.kernel)
		}
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			r.Fatalf("%v: %v\n%v", c, err, l.kernel)
		}
	})
}

// TestResultsAliasStages: where results have no room beside the stages of copies they alias these, and warpgroups, which meet for that, do not go on by themselves.
func TestResultsAliasStages(t *testing.T) {
	c := specialised{elem: dtype.F16, out: dtype.F32, bm: 128, bn: 64, bk: 64, threads: 256, m: 130, n: 72, k: 200}
	for _, of := range []struct{ stages, sharedBytes, consumers int }{{3, 100 << 10, 0}, {4, 100 << 10, 0}, {3, 108 << 10, 2}, {3, 227 << 10, 2}} {
		c.stages, c.sharedBytes = of.stages, of.sharedBytes
		l := c.lower(t)
		if lowertest.Count(l.kernel, simt.Roles) != 1 || l.kernel.Consumers != of.consumers {
			t.Errorf("%d stages in %d bytes: %d roles, %d groups", of.stages, of.sharedBytes, lowertest.Count(l.kernel, simt.Roles), l.kernel.Consumers)
		}
		if err := l.run(lowertest.ReadBack(t, l.kernel)); err != nil {
			t.Errorf("%d stages in %d bytes: %v", of.stages, of.sharedBytes, err)
		}
	}
}

// copiesOf counts the copies by maps of a name.
func copiesOf(k *simt.Func, name string) (n int) {
	simt.Walk(k.Body, func(op *simt.Op) {
		if op.Kind == simt.TensorCopy && op.Map.Name == name {
			n++
		}
	})
	return n
}

// without calls f with a kernel as it is without one of its ops of some kinds, one after the other, and returns their number.
func without(b *simt.Block, f func(op *simt.Op), kinds ...simt.Kind) (n int) {
	for i, op := range b.Ops {
		for _, body := range op.Blocks() {
			n += without(body, f, kinds...)
		}
		if slices.Contains(kinds, op.Kind) {
			all := b.Ops
			b.Ops = slices.Delete(slices.Clone(all), i, i+1)
			f(op)
			b.Ops = all
			n++
		}
	}
	return n
}

// TestSpecialisedIsMinimal: without any one of its copies, stores, waits, arrivals and barriers, a product fails.
func TestSpecialisedIsMinimal(t *testing.T) {
	t.Parallel()
	for _, c := range []specialised{
		{elem: dtype.F16, out: dtype.F16, m: 128, n: 128, k: 320, bm: 64, bn: 64, bk: 64, threads: 128, stages: 2, persistent: 1, sharedBytes: 227 << 10},
		{elem: dtype.BF16, out: dtype.F32, m: 128, n: 192, k: 576, bm: 64, bn: 64, bk: 128, threads: 128, stages: 3, persistent: 2, columnsA: true, columnsB: true, sharedBytes: 227 << 10},
		{elem: dtype.F16, out: dtype.F32, m: 128, n: 128, k: 256, bm: 128, bn: 128, bk: 64, threads: 256, stages: 2, sharedBytes: 227 << 10, batch: 2, persistent: 1},
		{elem: dtype.F16, out: dtype.F16, m: 192, n: 128, k: 192, bm: 64, bn: 64, bk: 64, threads: 128, stages: 2, persistent: 1, consumers: 2, sharedBytes: 227 << 10},
		{elem: dtype.F16, out: dtype.F16, m: 192, n: 128, k: 320, bm: 64, bn: 64, bk: 64, threads: 128, stages: 3, persistent: 1, inFlight: 2, sharedBytes: 227 << 10},
		{elem: dtype.F32, out: dtype.F32, m: 128, n: 128, k: 160, bm: 64, bn: 64, bk: 32, threads: 128, stages: 2, persistent: 1, columnsA: true, columnsB: true, columnsOut: true, sharedBytes: 227 << 10},
		{elem: dtype.F32, out: dtype.F16, m: 192, n: 128, k: 96, bm: 64, bn: 64, bk: 32, threads: 128, stages: 2, persistent: 1, consumers: 2, inFlight: 2, columnsA: true, columnsB: true, columnsOut: true, sharedBytes: 227 << 10},
		{elem: dtype.BF16, out: dtype.F32, m: 256, n: 128, k: 192, bm: 128, bn: 64, bk: 64, threads: 128, stages: 2, persistent: 1, consumers: 2, inFlight: 2, sharedBytes: 227 << 10},
		{elem: dtype.F16, out: dtype.F16, m: 128, n: 128, k: 448, bm: 64, bn: 64, bk: 64, threads: 128, stages: 3, inFlight: 2, sharedBytes: 227 << 10, plain: true},
		{elem: dtype.BF16, out: dtype.F32, m: 128, n: 64, k: 448, bm: 64, bn: 64, bk: 64, threads: 128, stages: 4, inFlight: 2, columnsA: true, sharedBytes: 227 << 10, plain: true},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			testenv.Sample(t)
			l := c.lower(t)
			kinds := []simt.Kind{simt.TensorCopy, simt.TensorStore, simt.StoreWait, simt.Expect, simt.Arrive, simt.Wait, simt.GroupWait, simt.Barrier, simt.ClusterBarrier}
			if c.plain { // the epilogue's arrays, which take the place of the stages, have barriers of their own
				kinds = []simt.Kind{simt.CopyAsync, simt.CopyWait, simt.GroupWait}
			}
			held := c.elem == dtype.F32 && c.columnsA // by threads, which load its words
			if c.inFlight == 2 && !held && !slices.ContainsFunc(l.notes, func(n string) bool { return strings.Contains(n, "products of two iterations outstanding") }) {
				t.Errorf("products wait in each iteration:\n%s", strings.Join(l.notes, "\n"))
			}
			if err := l.run(l.kernel); err != nil {
				t.Fatalf("%v: %v\n%v", c, err, l.kernel)
			}
			n := without(l.kernel.Body, func(op *simt.Op) {
				if l.run(l.kernel) == nil {
					t.Errorf("%v: nothing changes without %v of line %s; what is left is\n%v", c, op.Kind, op.Line, l.kernel)
				}
			}, kinds...)
			t.Logf("%v: %d ops", c, n)
		})
	}
}

// TestWarpgroupsGoOn: each of several warpgroups that have rows of their own is a group, which what is left of the order between them keeps apart.
func TestWarpgroupsGoOn(t *testing.T) {
	c := specialised{elem: dtype.F16, out: dtype.F16, m: 384, n: 256, k: 320, bm: 128, bn: 128, bk: 64, threads: 256, stages: 3, persistent: 1, sharedBytes: 227 << 10}
	for what, change := range map[string]func(k *simt.Func) (changed int){
		"": func(k *simt.Func) int { return 1 },
		"a stage is given back by one of them": func(k *simt.Func) (n int) {
			for _, s := range k.Shared {
				if s.Name == "empty" {
					s.Arrivals /= k.Consumers
					n++
				}
			}
			return n
		},
		"each stores what the other wrote": func(k *simt.Func) (n int) {
			seen := map[*simt.Op]bool{}
			simt.Walk(k.Body, func(op *simt.Op) {
				if op.Kind == simt.TensorStore && op.Args[0].Op.Kind == simt.Select {
					if from := op.Args[0].Op; !seen[from] {
						seen[from] = true
						from.Args[1], from.Args[2] = from.Args[2], from.Args[1]
						n++
					}
				}
			})
			return n
		},
	} {
		l := c.lower(t)
		if l.kernel.Consumers != 2 || l.kernel.Threads != 128 {
			t.Fatalf("%d groups of %d threads\n%s", l.kernel.Consumers, l.kernel.Threads, strings.Join(l.notes, "\n"))
		}
		if n := change(l.kernel); n == 0 {
			t.Fatalf("%s: nothing changes", what)
		}
		if err := l.run(l.kernel); (err != nil) != (what != "") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
