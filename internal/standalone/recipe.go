package standalone

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/target"
)

// recipe says how an op is to be asked so that what it launches holds for any sizes.
type recipe struct {
	call    *catalog.Call // with as few sizes as describe the problem
	fixed   map[string]int
	times   map[string]int
	derived []Derived
	ways    []wayRecipe
}

// wayRecipe is one way: the sizes at which to look at it, and the call, if it is not the catalogue's.
type wayRecipe struct {
	size, most int
	sizes      func(r *rand.Rand) []int
	run        func(out, in []*weft.Tensor) error
}

// recipeFor finds the recipe of a call.
func recipeFor(c *catalog.Call, caps target.Caps) (recipe, error) {
	if caps.Language != target.CUDA {
		return recipe{}, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone files are CUDA C++, the hardware takes %v", caps.Language)
	}
	switch c.Op.Kind {
	case catalog.Elements:
		return elementsRecipe(c)
	case catalog.Reductions:
		return reductionRecipe(c, caps)
	case catalog.Rows:
		return rowsRecipe(c, caps)
	}
	if reason := noFile[c.Op.Name]; reason != "" {
		return recipe{}, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone: %s", reason)
	}
	if make := recipes[c.Op.Name]; make != nil {
		return make(c, caps)
	}
	return plainRecipe(c)
}

// noFile are the ops that have no stand-alone files, with the reasons.
var noFile = map[string]string{
	"sample":       "its kernel depends on the length of a row",
	"rotary":       "it is for rows of any length, and odd ones have no pairs",
	"cache_append": "what it writes into is no dense result", "rotary_append": "what it writes into is no dense result",

	"top_k": longRows, "sort": longRows, "arg_sort": longRows, "unique": longRows, "bincount": parted, "histogram": parted,
	"softmax_grad": longRows, "log_softmax_grad": longRows, "layernorm_grad": longRows, "rmsnorm_grad": longRows,
	"cross_entropy": longRows, "cross_entropy_grad": longRows, "nll_loss": longRows, "nll_loss_grad": longRows,
	"group_norm": longRows, "group_norm_grad": longRows,
	"batch_norm": longChannels, "batch_norm_inference": mergedDims, "batch_norm_grad": longChannels,
	"conv": "which kernel it has depends on how many spatial dimensions there are",

	"max_pool": mergedDims, "max_pool_indices": mergedDims, "max_unpool": indexed, "avg_pool": mergedDims, "reduce_window": mergedDims, "reduce_window_grad": mergedDims, "adaptive_pool": mergedDims, "adaptive_pool_grad": mergedDims, "resize": mergedDims, "resize_grad": mergedDims,
	"index_select": indexed, "embedding_grad": indexed, "take_along": indexed, "gather": indexed, "index_update": indexed, "scatter_along": indexed, "scatter": indexed,
	"dynamic_slice": indexed, "dynamic_update_slice": indexed, "roll": "its shift is a number that the call brings",
	"linear_swiglu": "how many kernels it has depends on the number of rows",
}

const longRows = "how many kernels it has depends on the length of a row"

const parted = "how many rows of counts its kernel has depends on the number of elements"

const longChannels = "how many kernels it has depends on the size of a channel"

const indexed = "its kernel takes the largest index of each dimension, which the call brings"

const mergedDims = "which dimensions its kernel has depends on which have one element"

// plainRecipe is for ops that have the same kernels for all large sizes.
func plainRecipe(c *catalog.Call) (recipe, error) {
	ranges := [][][2]int{{{1 << 24, 1 << 25}}, {many, many}, {batches, many, many}, {batches, {33, 60}, {130, 250}, {130, 250}}}
	n := len(c.Sizes)
	if n < 1 || n > len(ranges) {
		return recipe{}, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone: %s, want at most %d", fault.Count(n, "dimension"), len(ranges))
	}
	return recipe{call: c, ways: []wayRecipe{{sizes: odd(within(ranges[n-1]...))}}}, nil
}

// recipes are those of the ops that are no family.
var recipes = map[string]func(*catalog.Call, target.Caps) (recipe, error){
	"matmul": matMulRecipe, "linear": matMulRecipe, "quantized_matmul": quantizedRecipe, "quantize": quantizedRecipe,
	"dequantize": quantizedRecipe, "conv2d": convRecipe, "im2col": convRecipe, "attention": attentionRecipe,
}

// odd makes drawn sizes odd: what an op launches for even ones may move elements in pairs.
func odd(draw func(r *rand.Rand) []int) func(r *rand.Rand) []int {
	return func(r *rand.Rand) []int {
		sizes := draw(r)
		for i := range sizes {
			sizes[i] |= 1
		}
		return sizes
	}
}

// within draws sizes from ranges.
func within(ranges ...[2]int) func(r *rand.Rand) []int {
	return func(r *rand.Rand) []int {
		sizes := make([]int, len(ranges))
		for i, x := range ranges {
			sizes[i] = x[0] + r.IntN(x[1]-x[0])
		}
		return sizes
	}
}

// Ranges of sizes of which there are many programs, and rows that are long, without 2^31 elements.
var (
	batches = [2]int{33, 60}
	many    = [2]int{4000, 4400}
	long    = [2]int{20000, 22000}
)

// reshaped is a call for another shape of the same elements.
func reshaped(c *catalog.Call, o catalog.Options, sizes ...int) (*catalog.Call, error) {
	text := make([]string, len(sizes))
	for i, n := range sizes {
		text[i] = strconv.Itoa(n)
	}
	return c.Op.Parse(strings.Join(text, "x"), o)
}

func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// elementsRecipe takes elements as one dimension.
func elementsRecipe(c *catalog.Call) (recipe, error) {
	flat, err := reshaped(c, c.Options, product(c.Values()))
	return recipe{call: flat, ways: []wayRecipe{{sizes: odd(within([2]int{1 << 24, 1<<24 + 1<<20}))}}}, err
}

// launched is what a call launches.
func launched(c *catalog.Call, caps target.Caps, sizes []int, run func(out, in []*weft.Tensor) error) ([]offline.Launch, error) {
	dev, record := offline.Open("stand-alone", caps)
	defer dev.Close()
	p := c.Problem(sizes)
	t, err := p.Empty(dev)
	if err != nil {
		return nil, err
	}
	if run == nil {
		run = p.Run
	}
	if err := run(t.Out, t.In); err != nil {
		return nil, err
	}
	list := record.Take()
	if len(list) == 0 {
		return nil, fault.New(fault.ErrShape, c.Op.Name, "there is nothing to do for %v", sizes)
	}
	return list, nil
}

// parts is a row so long that programs share it: its tiles are divided among a number of programs that does not
// depend on the length.
func parts(c *catalog.Call, caps target.Caps, block func(config any) int) (func(r *rand.Rand) []int, error) {
	list, err := launched(c, caps, []int{1 << 29}, nil)
	if err != nil {
		return nil, err
	}
	programs, tile := list[0].Programs[0], block(list[0].Kernel.Config)
	least := 1 + (1<<25)/(tile*programs)
	return func(r *rand.Rand) []int {
		return []int{tile*programs*(least+r.IntN(8)) - r.IntN(tile)}
	}, nil
}

// reductionRecipe takes the dimensions next to the reduced one as one on each side of it. A sum over all is that of
// a vector.
func reductionRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	sizes, o := c.Values(), c.Options
	axis, err := strconv.Atoi(o.Axis)
	if err != nil {
		o.Axis = ""
		flat, err := reshaped(c, o, product(sizes))
		if err != nil {
			return recipe{}, err
		}
		shared, err := parts(flat, caps, func(config any) int { return config.(kernels.ReduceConfig).Block[0] })
		return recipe{call: flat, ways: []wayRecipe{{sizes: shared}}}, err
	}
	axis = (axis + len(sizes)) % len(sizes)
	before, n, after := product(sizes[:axis]), sizes[axis], product(sizes[axis+1:])
	ranges := [][2]int{many, long}
	shape := []int{before, n}
	switch {
	case axis == 0 && len(sizes) > 1: // columns
		o.Axis, shape, ranges = "0", []int{n, after}, [][2]int{{1000, 1100}, {600000, 610000}}
	case axis < len(sizes)-1:
		o.Axis, shape, ranges = "1", []int{before, n, after}, [][2]int{{1000, 1100}, {1000, 1100}, {1000, 1100}}
	default:
		o.Axis = "1"
	}
	call, err := reshaped(c, o, shape...)
	return recipe{call: call, ways: []wayRecipe{{sizes: within(ranges...)}}}, err
}

// rowsRecipe is that of what keeps its shape and walks rows: in one tile up to a length, and in steps beyond it.
func rowsRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	sizes, o := c.Values(), c.Options
	if axis, err := strconv.Atoi(o.Axis); err == nil && (axis+len(sizes))%len(sizes) != len(sizes)-1 {
		return recipe{}, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone: the axis is %d, want the last one", axis)
	}
	o.Axis = ""
	n, rows := sizes[len(sizes)-1], product(sizes[:len(sizes)-1])
	if len(sizes) == 1 && strings.HasSuffix(c.Op.Name, "softmax") {
		return vectorRecipe(c, o, caps, n)
	}
	call, err := reshaped(c, o, rows, n)
	if err != nil {
		return recipe{}, err
	}
	n = max(n, 8) // shorter rows are in tiles of 8: smaller ones have too few lengths to see what follows from them
	walked, err := walkedRows(call, caps)
	if err != nil {
		return recipe{}, err
	}
	r := recipe{call: call, ways: []wayRecipe{{sizes: within(many, walked)}}}
	if n >= walked[0] {
		return r, nil // many of them would have 2^31 elements, and no tile has one
	}
	list, err := launched(call, caps, []int{many[0], n}, nil)
	if err != nil {
		return r, err
	}
	if most := rowTile(list[0].Kernel.Config); most >= n {
		short := wayRecipe{size: 1, most: most, sizes: shortRows(call, caps, most)}
		r.ways = append([]wayRecipe{short}, r.ways...)
	}
	return r, nil
}

// walkedRows are lengths of rows that are too long for one tile.
func walkedRows(c *catalog.Call, caps target.Caps) (lengths [2]int, err error) {
	for lengths = long; lengths[1] <= math.MaxInt32/many[1]; lengths = [2]int{2 * lengths[0], 2 * lengths[1]} {
		list, err := launched(c, caps, []int{many[0], lengths[0]}, nil)
		if err != nil {
			return lengths, err
		}
		if rowTile(list[0].Kernel.Config) < lengths[0] {
			return lengths, nil
		}
	}
	return lengths, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone: rows of %d elements are in one tile, want some that are walked", math.MaxInt32/many[1])
}

// shortRows draws so many rows of up to a length that machines of any size launch the same kernel for all that a plan looks at. They are nearly as
// long as the tile: an op has shorter ones in two tiles, by a kernel that only such rows fit. Of small tiles they have any length over the half,
// as a plan cannot tell a length from a constant where there is one alone.
func shortRows(c *catalog.Call, caps target.Caps, most int) func(r *rand.Rand) []int {
	lengths := [2]int{most - max(most/8, min(most/2, 16)) + 1, most + 1}
	for rows := many; rows[0] < 1<<20; rows = [2]int{2 * rows[0], 2 * rows[1]} {
		draw, random := within(rows, lengths), planRandom()
		var first any
		same := true
		for i := 0; i < samples && same; i++ {
			list, err := launched(c, caps, draw(random), nil)
			if err != nil {
				return draw // the plan meets it, too
			}
			if i == 0 {
				first = list[0].Kernel.Config
			}
			same = list[0].Kernel.Config == first
		}
		if same {
			return draw
		}
	}
	return within(many, lengths)
}

// vectorRecipe is a softmax of one row.
func vectorRecipe(c *catalog.Call, o catalog.Options, caps target.Caps, n int) (recipe, error) {
	call, err := reshaped(c, o, n)
	if err != nil {
		return recipe{}, err
	}
	shared, err := parts(call, caps, func(config any) int { return config.(kernels.SoftmaxConfig).Cols })
	return recipe{call: call, ways: []wayRecipe{{sizes: shared}}}, err
}

// rowTile is the size of one tile that has a row of a config, a power of two; less than a row if the config walks rows.
func rowTile(config any) int {
	switch cfg := config.(type) {
	case kernels.SoftmaxConfig:
		return pow2.Ceil(cfg.Cols + cfg.Rest)
	case kernels.NormConfig:
		n := 1
		for d, reduced := range cfg.Rows.Reduced {
			if cfg.Rows.Walk[d] {
				return 0
			}
			if reduced {
				n *= cfg.Rows.Block[d]
			}
		}
		return pow2.Ceil(n + cfg.Rest)
	}
	return 0
}

// matMulRecipe takes the tiles that suit the sizes that were asked for, if they are matrices with some rows.
func matMulRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	sizes := c.Values()
	last := len(sizes) - 3
	m, n, k := max(sizes[last], 16), sizes[last+1], sizes[last+2]
	tiles := kernels.MatMulConfigFor(caps, c.Options.Elem(), m, n, k, sizes[:last]...)
	tiles.SplitK = 1
	option := ops.Tiles(tiles)
	ranges := [][2]int{batches, many, many, many}[1-last:]
	run := func(out, in []*weft.Tensor) error { return ops.MatMulInto(out[0], in[0], in[1], option) }
	if c.Op.Name == "linear" {
		run = func(out, in []*weft.Tensor) error { return ops.LinearInto(out[0], in[0], in[1], in[2], option) }
	}
	return recipe{call: c, ways: []wayRecipe{{sizes: within(ranges...), run: run}}}, nil
}

// quantizedRecipe is for matrices of few bits, whose rows are whole blocks.
func quantizedRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	o, names := c.Options, c.Sizes
	columns := names[len(names)-1].Name
	r := recipe{call: c, times: map[string]int{}}
	block := 1
	if at := len(names) - 1; o.Block > 0 {
		block = o.Block
		r.times[columns] = block
		r.derived = append(r.derived, Derived{columns + "_blocks", fmt.Sprintf("%s / %d", columns, block), func(s []int) int { return s[at] / block }})
	}
	if at := len(names) - 1; o.Bits == 4 {
		r.derived = append(r.derived, Derived{columns + "_bytes", fmt.Sprintf("(%s + 1) / 2", columns), func(s []int) int { return (s[at] + 1) / 2 }})
	}
	r.ways = []wayRecipe{{sizes: func(random *rand.Rand) []int {
		sizes := make([]int, len(names))
		for i := range sizes {
			sizes[i] = within(many)(random)[0]
		}
		sizes[len(sizes)-1] = (20000/block + random.IntN(2000/min(block, 1000))) * block
		return sizes
	}}}
	if c.Op.Name == "quantized_matmul" { // one kernel for any number of rows
		large := kernels.MatMulConfigFor(caps, o.Elem(), many[0], many[0], many[0])
		tiles := ops.Tiles(ops.MatMulConfig{BM: large.BM, BN: large.BN, Threads: large.Threads, SplitK: 1})
		r.ways[0].run = func(out, in []*weft.Tensor) error {
			w, err := o.Quantized(out[0].Dim(1), in[0].Dim(1), in[1:])
			if err != nil {
				return err
			}
			return ops.QuantizedMatMulInto(out[0], in[0], w.T(), ops.Pack(false), tiles)
		}
	}
	return r, nil
}

// convRecipe walks channels and positions of the kernel together, which holds for any number of channels where they are
// no neighbours in memory.
func convRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	o, g := c.Options, max(c.Options.Groups, 1)
	kernel := c.Kernel
	r := recipe{call: c, times: map[string]int{"C": g}, derived: []Derived{
		{"P", o.ResultC("H", kernel[0]), func(s []int) int { return o.Result(s[2], kernel[0]) }},
		{"Q", o.ResultC("W", kernel[1]), func(s []int) int { return o.Result(s[3], kernel[1]) }},
	}}
	if c.Op.Name == "im2col" {
		r.times = nil
		r.ways = []wayRecipe{{sizes: within(batches, [2]int{40, 60}, [2]int{100, 130}, [2]int{100, 130})}}
		return r, nil
	}
	if g > 1 {
		r.times["K"] = g
		r.derived = append(r.derived,
			Derived{"Cg", fmt.Sprintf("C / %d", g), func(s []int) int { return s[1] / g }},
			Derived{"Kg", fmt.Sprintf("K / %d", g), func(s []int) int { return s[4] / g }})
	}
	options := append(o.Conv(), ops.Groups(g), ops.Algorithm(ops.ConvImplicit))
	convolve := func(more ...ops.Conv2DOption) func(out, in []*weft.Tensor) error {
		return func(out, in []*weft.Tensor) error {
			return ops.Conv2DInto(out[0], in[0], in[1], append(options, more...)...)
		}
	}
	list, err := launched(c, caps, c.Values(), convolve())
	if err != nil {
		return r, err
	}
	cfg := list[len(list)-1].Kernel.Config.(ops.Conv2DConfig)
	tiles := ops.Tiles(ops.Conv2DConfig{BO: cfg.BO, BP: cfg.BP, BK: max(cfg.BK, 8), Threads: cfg.Threads})
	way := wayRecipe{run: convolve(tiles), sizes: convSizes(g)}
	if list, err = launched(c, caps, way.sizes(planRandom()), way.run); err != nil {
		return r, err
	}
	if cfg = list[len(list)-1].Kernel.Config.(ops.Conv2DConfig); cfg.Channels > 0 || cfg.ChannelBlocks > 0 {
		return r, fault.New(fault.ErrUnsupported, c.Op.Name, "stand-alone: its kernel depends on the number of channels where they are neighbours in memory, as 16-bit floats are copied for matrix instructions")
	}
	r.ways = []wayRecipe{way}
	return r, nil
}

// convSizes draws sizes of a convolution in groups: few channels, and so many images that none of the operands has 2^31 elements.
func convSizes(groups int) func(random *rand.Rand) []int {
	wide, filters := max(64, groups), min(200, max(600/groups, 1)) // of a group
	images := within([2]int{1 + 3000/wide, 2 + 6000/wide}, [2]int{100, 130}, [2]int{100, 130})
	return func(random *rand.Rand) []int {
		s := images(random)
		return []int{s[0], groups * (3 + random.IntN(5)), s[1], s[2], groups * (filters + random.IntN(max(filters/10, 4)))}
	}
}

// attentionRecipe is for one size of heads.
func attentionRecipe(c *catalog.Call, caps target.Caps) (recipe, error) {
	sizes, o := c.Values(), c.Options
	d, group := sizes[len(sizes)-1], 1
	if o.KVHeads > 0 {
		group = sizes[1] / o.KVHeads
	}
	r := recipe{call: c, fixed: map[string]int{"D": d}, times: map[string]int{"H": group}}
	if group > 1 {
		r.derived = []Derived{{"Hkv", fmt.Sprintf("H / %d", group), func(s []int) int { return s[1] / group }}}
	}
	attend := func(more ...ops.AttentionOption) func(out, in []*weft.Tensor) error {
		return func(out, in []*weft.Tensor) error {
			if o.Causal {
				more = append(more, ops.Causal())
			}
			return ops.AttentionInto(out[0], in[0], in[1], in[2], more...)
		}
	}
	list, err := launched(c, caps, sizes, attend())
	if err != nil {
		return r, err
	}
	cfg := list[0].Kernel.Config.(ops.AttentionConfig)
	tiles := ops.Tiles(ops.AttentionConfig{BM: cfg.BM, BN: cfg.BN, BD: min(cfg.BD, pow2.Ceil(d)), BV: cfg.BV, Threads: cfg.Threads, Stages: cfg.Stages, ByRows: cfg.ByRows, Parts: 1})
	r.ways = []wayRecipe{{run: attend(tiles), sizes: func(random *rand.Rand) []int {
		s := []int{3 + random.IntN(4), group * (3 + random.IntN(4)), 2000 + random.IntN(200)}
		if len(sizes) == 5 {
			s = append(s, 2300+random.IntN(200))
		}
		return append(s, d)
	}}}
	return r, nil
}
