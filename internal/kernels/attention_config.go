package kernels

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

const (
	AttentionHead = 256     // the largest head
	AttentionKeys = 1 << 29 // the most queries and keys, whose numbers are added
)

// AttentionConfig is what the kernel of Attention is built for. Sizes are in elements and, but for Head, powers of two.
type AttentionConfig struct {
	Elem                   weft.DType // of q, k, v and the result; sums are F32
	Head                   int        // head size, rounded up to a few powers of two: 96 is 64 + 32
	BM, BN                 int        // queries of one program, and keys of one step
	BD                     int        // step along the head in the product of queries and keys
	BV                     int        // columns of v in one product, at most
	First                  bool       // a query sees no key before a first one
	Last                   bool       // a query sees no key after a last one, as in causal attention
	Mask                   weft.DType // Bool, or the type of what is added to the scores; Invalid for no mask
	Lengths                bool       // each batch has keys of its own number, at most those of k
	Page                   int        // keys of a page of k and v, which a table lists: see keysAt; 0 for keys of each batch in order
	QueryStarts, KeyStarts bool       // queries, or keys, of all sequences are in one batch, from starts on: see attention_packed.go
	Start                  bool       // query 0 stands at key 0, whatever the length
	Scaled                 bool       // the scale is not from 0 to 1/log2(e): scores are scaled before the greatest is taken
	LSE                    bool       // the logarithms of the sums of exponentials are stored, too
	Threads                int        // of a workgroup; 0 lets the compiler choose
	Stages                 int        // of the pipeline; 0 lets the compiler choose
	Producers              int        // producer warpgroups in addition to Threads, which copy keys and values, 0 or 1: see tile.Schedule
	InFlight               int        // steps whose products are outstanding at once: with 2, exponentials of a step overlap the products of the one before, see tile.Schedule
	Workgroups             int        // that share a multiprocessor, by the registers that threads have, where there are producers: see tile.Schedule.Resident; 0 lets the compiler choose
	Heads                  int        // with Last and no Persistent, heads whose tiles programs take together, those of most keys first; 0 is one head after the other
	Persistent             int        // the most programs there are, each of which takes several tiles of queries; 0 is one for each tile
	Precision              tile.Precision
	Parts                  int  // into which the keys are cut, for as many programs, whose results AttentionParts combines; 0 and 1 are all keys
	Split                  bool // a kernel for any number of Parts, which its views tell: see Passes
	Combines               bool // with Split, the last program of a tile of queries combines its parts, in place of AttentionParts: see combine
	ByRows                 bool // few queries, each multiplied with keys and values element by element: see describeRows
	TileHeads              int  // heads that share keys whose queries are rows of one tile, query after query; some rows are zeros where fewer heads share keys: see attention_grouped.go; 0 for queries of one head
	Folded                 bool // the queries of several heads are rows of one, head after head, or with QueryStarts query after query
	Resident               bool // queries stay in registers, for warpgroups in shared memory, instead of being loaded in each step, if that takes the whole head
}

// Passes are what the kernels are built for: of attention, and where several programs share its keys whether they do, since one kernel serves any number of parts.
func (cfg AttentionConfig) Passes() (kernel AttentionConfig, parts int) {
	parts = max(cfg.Parts, 1)
	cfg.Parts, cfg.Split = 0, parts > 1
	return cfg, parts
}

// part is a range of the columns of v, of which the sums are one tile.
type part struct {
	at, width int // at is a multiple of width
	acc       *tile.Var
	block     *tile.Value // the number of the part where parts are as wide as one another and a loop takes one after the other, or nil
}

// index is the part's number, if all were as wide.
func (p part) index() tile.Operand {
	if p.block != nil {
		return p.block
	}
	return p.at / p.width
}

// parts cuts the head into powers of two, the widest first.
func (cfg AttentionConfig) parts() []part {
	most := cfg.BV
	if cfg.hides() && cfg.Threads > 0 && !cfg.exactApart() { // a second pass needs as many registers as a part has sums, see addExact
		for most > exactPart && cfg.sums()+cfg.BM*most/cfg.Threads > mostExact {
			most /= 2
		}
	}
	return cfg.cutHead(most)
}

// cutHead cuts the head into powers of two up to most, the widest first. Tensor maps copy 128 bytes of a row at least for warpgroups, and
// zeros beyond the head; parts that are as much as one together are one.
func (cfg AttentionConfig) cutHead(most int) (list []part) {
	at, least := 0, 1
	if cfg.Producers > 0 {
		least = min(ProducerStep/cfg.Elem.Size(), most)
	}
	for at < cfg.Head {
		p := part{at: at, width: min(max(pow2.Floor(cfg.Head-at), least), most)}
		list, at = append(list, p), at+p.width
	}
	if at <= most && pow2.Ceil(at) == at {
		return []part{{width: at}}
	}
	return list
}

// whole reports whether queries are multiplied with keys along the whole head at once.
func (cfg AttentionConfig) whole() bool { return cfg.BD >= cfg.Head }

// scoreParts are the ranges of the head that one product of queries and keys each has: those that tensor maps copy, or a step along the head.
func (cfg AttentionConfig) scoreParts() []part {
	if cfg.Producers > 0 {
		return cfg.cutHead(cfg.BD)
	}
	return []part{{width: cfg.BD}}
}

// sums are the elements of a thread's tiles that live through a step.
func (cfg AttentionConfig) sums() int {
	if cfg.ByRows { // queries and their results, keys, which several queries need as F32, and values as they are in memory
		keys, stored := cfg.BN, cfg.BN*cfg.Elem.Size()/4
		if cfg.BM == 1 {
			keys = stored
		}
		return cfg.BD * (2*cfg.BM*cfg.slots() + keys + stored) / cfg.Threads
	}
	return cfg.BM * (cfg.BN + cfg.Head) / cfg.Threads
}

// Replace takes over the fields of t that steer the mapping and are not zero; tiles of their own have the producers that t says, or none.
func (cfg *AttentionConfig) Replace(t AttentionConfig) {
	if t.BM|t.BN|t.BD|t.BV|t.Threads != 0 {
		cfg.Producers, cfg.InFlight, cfg.Workgroups, cfg.Heads, cfg.Persistent, cfg.ByRows, cfg.TileHeads = 0, 0, 0, 0, 0, t.ByRows, 0
	}
	switch { // tiles of several heads have all keys
	case t.TileHeads > 0:
		cfg.Parts = 0
	case t.Parts > 1:
		cfg.TileHeads = 0
	}
	replace([][2]*int{
		{&cfg.BM, &t.BM}, {&cfg.BN, &t.BN}, {&cfg.BD, &t.BD}, {&cfg.BV, &t.BV}, {&cfg.Threads, &t.Threads}, {&cfg.Stages, &t.Stages}, {&cfg.Producers, &t.Producers}, {&cfg.InFlight, &t.InFlight}, {&cfg.Workgroups, &t.Workgroups}, {&cfg.Heads, &t.Heads}, {&cfg.Persistent, &t.Persistent}, {&cfg.Parts, &t.Parts}, {&cfg.TileHeads, &t.TileHeads},
	})
	if cfg.Elem == weft.F32 && t.Precision != tile.IEEE {
		cfg.Precision = t.Precision
	}
	cfg.fitPage()
}

// SetScale makes the config one for a scale, and returns the kernel's scalar that it is. One below normal numbers may be 0 on a device.
func (cfg *AttentionConfig) SetScale(scale float64) float64 {
	scale *= math.Log2E
	cfg.Scaled = !(scale >= 0x1p-126 && scale <= 1)
	return scale
}

// attentionTiles are the tiles for GPUs, of which the first that fits is taken. Four warps hold 32
// scores a thread and as many sums for every 64 columns of a head; the next key's loads are left to the other
// workgroups of a processor, since registers for them would cost the third of those.
var attentionTiles = []AttentionConfig{
	{BM: 64, BN: 64, BD: 32, BV: 64, Threads: 128, Stages: 1},
	{BM: 64, BN: 64, BD: 16, BV: 64, Threads: 128, Stages: 1},
	{BM: 64, BN: 64, BD: 32, BV: 64, Threads: 256, Stages: 1}, // for larger heads
	{BM: 64, BN: 64, BD: 16, BV: 64, Threads: 256, Stages: 1},
	{BM: 64, BN: 32, BD: 32, BV: 64, Threads: 128, Stages: 1},
	{BM: 32, BN: 32, BD: 32, BV: 64, Threads: 128, Stages: 1},
	{BM: 32, BN: 32, BD: 16, BV: 32, Threads: 128, Stages: 1},
	{BM: 16, BN: 16, BD: 16, BV: 32, Threads: 64, Stages: 1},
}

// attentionWideTile has twice as many keys as the first of attentionTiles, and all columns of the head in one product: a thread has 32 elements of the scores, and of 128 columns of the result.
var attentionWideTile = AttentionConfig{BM: 64, BN: 128, BD: 16, BV: AttentionHead, Threads: 256, Stages: 1}

// Heads above longHead take longer steps along the head, since their values leave a unit room for one program. (Heads of 192 with steps of 16 and of 32 1808, 1689 µs, of 256 2289, 2062.)
const longHead, longHeadStep = 128, 32

// widen takes attentionWideTile where products are those of threads, and there is a program for each unit. (F32 on an H200, 16 heads of 2000 queries and keys, µs with the tiles before and with
// these: heads of 64 553, 477; 80 938, 675; 96 1021, 785; 128 1110, 922; 192 2192, 1689; 256 2876, 2062. 12 heads of 197 queries, which are 48 programs, took 18.9 and 22.3.)
func (cfg *AttentionConfig) widen(caps target.Caps, p AttentionProblem) {
	if caps.WholeTiles || scarce(caps) || cfg.ByRows || cfg.isMatrix(caps) {
		return
	}
	wide := *cfg
	wide.Replace(attentionWideTile)
	if cfg.Head > longHead {
		wide.BD = longHeadStep
	}
	queries, keys, _ := p.Sizes()
	wide.cut(queries, keys)
	whole := wide.BM == attentionWideTile.BM && wide.BN > cfg.BN // there may be fewer queries or keys, and pages may be shorter
	if whole && newAttentionTime(caps, wide, p).tiles >= caps.Facts().Units && wide.legal(caps, p.rows()) == nil {
		*cfg = wide
	}
}

// leastHead is the least head that kernels for threads are for, with a column of zeros in smaller ones: a single column of results is in other threads than the
// weights are, and what moves between them takes shared memory that operands have no part in.
const leastHead = 2

// AttentionConfigFor chooses the config for heads of [queries,head] and [keys,head].
func AttentionConfigFor(caps target.Caps, elem weft.DType, queries, keys, head int) AttentionConfig {
	return attentionConfigFor(caps, elem, queries, keys, head, 0, suitable)
}

// attentionConfigFor is AttentionConfigFor for keys in pages of so many, 0 for none, and queries that are in memory as rows says.
func attentionConfigFor(caps target.Caps, elem weft.DType, queries, keys, head, page int, rows plan.Operand) AttentionConfig {
	cfg := AttentionConfig{Elem: elem, Head: pow2.Ceil(head), Precision: tile.IEEE, Page: page}
	if elem != weft.F32 {
		cfg.Precision = tile.Float32Accumulate
	}
	if caps.WholeTiles {
		cfg.Replace(AttentionConfig{BM: 64, BN: tightTile(keys, 256), BD: cfg.Head, BV: cfg.Head})
		cfg.cut(queries, keys)
		return cfg
	}
	cfg.Head = max(cfg.Head, leastHead)
	if scarce(caps) { // small tiles in many threads, since their compilers take long
		for t := (AttentionConfig{BM: 16, BN: 16, BD: 16, BV: cfg.Head, Threads: caps.FitThreads(256), Stages: 1}); ; t.BV /= 2 {
			cfg.Replace(t)
			cfg.cut(queries, keys)
			if t.BV <= 16 || cfg.legal(caps, rows) == nil {
				return cfg
			}
		}
	}
	if step := max(cfg.Head/8, 8); cfg.Head > step {
		cfg.Head = CeilDiv(head, step) * step
	}
	tiles, rowsAt := attentionTiles, 0
	if cfg.isMatrix(caps) && cfg.Head >= 16 {
		matrix := []AttentionConfig{}
		if caps.TensorMaps && caps.WarpGroups {
			matrix = attentionProducerTiles(cfg.Head, queries)
			rowsAt = len(matrix)
		}
		few := attentionFewTiles(cfg.Head)
		whole := page == 0 || page >= few[0].BN // else a step has several pages, as by rows
		if (whole || !caps.AsyncCopy) && queries > queriesRows && queries <= fewMatrixRows {
			matrix = append(matrix, few...)
			rowsAt = len(matrix)
		}
		if whole && queries > fewMatrixRows && queries <= sharedMatrixRows && !caps.AsyncCopy {
			matrix = append(matrix, attentionSharedTile(cfg.Head))
		}
		if queries >= fewMatrixRows {
			matrix = append(matrix, attentionMatrixTiles(cfg.Head)...)
		}
		tiles, cfg.Resident = slices.Concat(matrix, tiles), len(matrix) > 0
	}
	if queries <= mostRows && cfg.Head >= 16 {
		tiles = slices.Insert(slices.Clone(tiles), rowsAt, attentionRows(caps, elem, queries, cfg.Head))
	}
	for _, t := range tiles {
		cfg.Replace(t)
		cfg.cut(queries, keys)
		if cfg.legal(caps, rows) == nil {
			break
		}
	}
	return cfg
}

// cut cuts the tiles down to the sizes that there are, and not below what tensor maps copy and warpgroups multiply.
func (cfg *AttentionConfig) cut(queries, keys int) {
	rows, columns := 1, 8
	switch {
	case cfg.Producers > 0:
		rows, columns = groupRows, ProducerStep/cfg.Elem.Size()
	case cfg.Resident && !cfg.ByRows:
		rows = fewMatrixRows
	}
	cfg.BM, cfg.BN = min(cfg.BM, max(pow2.Ceil(queries), rows)), min(cfg.BN, max(pow2.Ceil(keys), columns))
	cfg.BD, cfg.BV = min(cfg.BD, pow2.Ceil(cfg.Head)), min(cfg.BV, pow2.Ceil(cfg.Head))
	cfg.fitPage()
}

// Legal says why a config is refused: beyond a device's limits, or with more sums than the registers hold.
func (cfg AttentionConfig) Legal(caps target.Caps) error { return cfg.legal(caps, suitable) }

// legal is Legal for queries that are in memory as rows says.
func (cfg AttentionConfig) legal(caps target.Caps, rows plan.Operand) error {
	if err := checkTile(caps, cfg.Threads, cfg.BM, cfg.BN, cfg.BD, cfg.BV); err != nil {
		return err
	}
	if err := cfg.Consistent(caps); err != nil {
		return err
	}
	if cfg.ByRows {
		return cfg.legalRows(caps)
	}
	registers := 96
	if cfg.isMatrix(caps) {
		registers = 128
		if cfg.Producers > 0 { // which leave theirs to the consumers
			registers = 160
		}
	} else if caps.Registers > 0 && !scarce(caps) {
		registers = caps.Registers / 2
	}
	p := cfg.Plan(caps, rows, suitable, suitableValues)
	switch {
	case cfg.Producers > 0 && p.Maps == 0:
		return fmt.Errorf("a producer for queries or keys that tensor maps do not copy")
	case p.Err() != nil:
		return p.Err()
	case cfg.Threads > 0 && cfg.sums() > registers:
		return fmt.Errorf("%d accumulators a thread, want at most %d", cfg.sums(), registers)
	}
	return nil
}

// legalRows is legal for a config by rows.
func (cfg AttentionConfig) legalRows(caps target.Caps) error {
	switch {
	case caps.WholeTiles:
		return fmt.Errorf("queries by rows are for devices with threads")
	case caps.Registers > 0 && cfg.sums() > caps.Registers*3/4:
		return fmt.Errorf("%d elements a thread by rows, want at most %d", cfg.sums(), caps.Registers*3/4)
	}
	return nil
}

// Consistent says which fields contradict each other or the device, so that there is no kernel, whatever it would cost, or one with wrong results: what Tiles are refused for.
func (cfg AttentionConfig) Consistent(caps target.Caps) error {
	switch producers := cfg.Producers > 0; {
	case cfg.ByRows && (cfg.BM > mostRows || cfg.BD < cfg.Head || producers || cfg.Threads == 0):
		return fmt.Errorf("%d queries by rows of %d of %d elements in %d threads with %s, want at most %d of whole heads, in threads, and no producer",
			cfg.BM, cfg.BD, cfg.Head, cfg.Threads, fault.Count(cfg.Producers, "producer"), mostRows)
	case cfg.Stages < 0 || cfg.Stages > 8:
		return fmt.Errorf("%d stages, want 0 to 8", cfg.Stages)
	case cfg.Producers < 0 || cfg.Producers > 1 || producers && (!caps.TensorMaps || !cfg.Resident || cfg.BD < cfg.Head || cfg.BN*cfg.Elem.Size() < ProducerStep):
		return fmt.Errorf("%s cannot serve %d queries and %d keys of heads of %d in steps of %d, in %d threads, on a device with tensor maps: %v",
			fault.Count(cfg.Producers, "producer"), cfg.BM, cfg.BN, cfg.Head, cfg.BD, cfg.Threads, caps.TensorMaps)
	case cfg.InFlight < 0 || cfg.InFlight > 2 || cfg.Persistent < 0 || (cfg.InFlight > 1 || cfg.Persistent > 0) && !producers:
		return fmt.Errorf("%d steps of outstanding products in %d persistent programs with %s, want at most 2, and both with a producer", cfg.InFlight, cfg.Persistent, fault.Count(cfg.Producers, "producer"))
	case cfg.Workgroups < 0 || cfg.Workgroups > 0 && !producers:
		return fmt.Errorf("registers for %s of a multiprocessor with %s, want a producer", fault.Count(cfg.Workgroups, "workgroup"), fault.Count(cfg.Producers, "producer"))
	case cfg.TileHeads < 0 || cfg.TileHeads > cfg.BM || cfg.TileHeads > 0 && (pow2.Ceil(cfg.TileHeads) != cfg.TileHeads || cfg.ByRows || cfg.Parts > 1 || cfg.Split || cfg.Folded || cfg.QueryStarts || cfg.Mask.Valid()):
		return fmt.Errorf("%s in a tile of %d rows, want a power of two, and whole keys for queries that are not packed, without a mask", fault.Count(cfg.TileHeads, "head"), cfg.BM)
	}
	return nil
}

// AttentionConfigs lists the configs to choose from for heads of [queries,head] and [keys,head], the one of
// AttentionConfigFor first.
func AttentionConfigs(caps target.Caps, elem weft.DType, queries, keys, head int) []AttentionConfig {
	return attentionConfigs(caps, AttentionConfigFor(caps, elem, queries, keys, head), queries, keys, suitable)
}

// attentionConfigs lists a config and those with other tiles, for queries that are in memory as rows says.
func attentionConfigs(caps target.Caps, first AttentionConfig, queries, keys int, rows plan.Operand) []AttentionConfig {
	list := []AttentionConfig{first}
	add := func(t AttentionConfig) {
		cfg := first
		cfg.Replace(t)
		cfg.cut(queries, keys)
		if cfg.legal(caps, rows) == nil {
			list = appendNew(list, cfg)
		}
	}
	for t := range attentionSpace(!caps.WholeTiles) {
		add(t)
	}
	if caps.TensorMaps {
		for _, t := range attentionProducerTiles(first.Head, queries) {
			add(t)
		}
	}
	return list
}

// attentionSpace is every tile, with the threads and stages of a GPU.
func attentionSpace(gpu bool) iter.Seq[AttentionConfig] {
	threads, stages := []int{0}, []int{0}
	if gpu {
		threads, stages = []int{64, 128, 256}, []int{1, 2}
	}
	queries, keys := []int{16, 32, 64, 128}, []int{16, 32, 64, 128}
	return func(yield func(AttentionConfig) bool) {
		for c := range combinations(queries, keys, []int{16, 32, AttentionHead}, []int{32, 64, AttentionHead}, threads, stages) {
			if !yield(AttentionConfig{BM: c[0], BN: c[1], BD: c[2], BV: c[3], Threads: c[4], Stages: c[5]}) {
				return
			}
		}
	}
}

// isMatrix reports whether the products of a config are done by matrix instructions.
func (cfg AttentionConfig) isMatrix(caps target.Caps) bool {
	return !cfg.ByRows && isMatrix(caps, cfg.Elem, cfg.Precision)
}

// attentionProducerTiles are the tiles for warpgroups whose keys and values tensor maps copy, the best for many queries first. (4×32×4096×128 of F16 on an
// H200: 2.02 ms with them, 2.54 with the best tiles without.) For heads of 64 and less, whose steps are short, four warpgroups of a unit hide each other's latencies:
// 64 sums a thread leave registers for them. (16384 tokens, 32 heads of 64 on an H100, sequences of 1024 to 13604: 1.05 to 1.11 of the speed of the tiles that follow.)
func attentionProducerTiles(head, queries int) (list []AttentionConfig) {
	tiles := []AttentionConfig{{BM: 128, BN: 128, Stages: 2}, {BM: 128, BN: 64, Stages: 2}, {BM: 64, BN: 128, Stages: 2}, {BM: 64, BN: 64, Stages: 2}}
	whole := pow2.Ceil(head)
	if whole <= 64 {
		tiles = []AttentionConfig{{BM: 64, BN: 128, Stages: 2}, {BM: 64, BN: 64, Stages: 3}, {BM: 128, BN: 128, Stages: 2}, {BM: 64, BN: 64, Stages: 2}}
		if queries > groupRows {
			tiles = slices.Insert(tiles, 0, AttentionConfig{BM: 64, BN: 64, Stages: 2, Workgroups: 4}, AttentionConfig{BM: 128, BN: 64, Stages: 2, Workgroups: 2})
		}
	}
	for _, t := range tiles {
		if t.BM > groupRows && queries <= groupRows {
			continue
		}
		t.BD, t.BV, t.Threads, t.Producers = whole, whole, warpgroup*t.BM/groupRows, 1
		if whole > 64 && t.BM > groupRows {
			t.InFlight = 2
		}
		list = append(list, t)
	}
	return list
}

// groupRows are the rows that a warpgroup multiplies. Fewer queries fill them up: what they cost is less than to read keys and values takes.
const groupRows = 64

// attentionMatrixTiles are the tiles for matrix instructions. Each warp has whole rows of the scores, so that
// their softmax stays within it, and what follows from it is an operand of the second product as it is. Queries
// stay in registers, or in shared memory for warpgroups.
func attentionMatrixTiles(head int) []AttentionConfig {
	whole := pow2.Ceil(head)
	return []AttentionConfig{
		{BM: 128, BN: 64, BD: whole, BV: whole, Threads: min(128*CeilDiv(whole, 64), 256), Stages: 2},
		{BM: 64, BN: 32, BD: whole, BV: whole, Threads: 128, Stages: 2},
	}
}

// fewMatrixRows are the fewest rows of a product by matrix instructions.
const fewMatrixRows = 16

// attentionFewTiles are the tiles for fewer queries than a matrix instruction takes, which wait for keys and values. The warps of a program share its queries and
// have keys of their own.
func attentionFewTiles(head int) []AttentionConfig {
	whole := pow2.Ceil(head)
	return []AttentionConfig{{BM: fewMatrixRows, BN: 64, BD: whole, BV: whole, Threads: 128, Stages: 2}, {BM: fewMatrixRows, BN: 32, BD: whole, BV: whole, Threads: 64, Stages: 2}}
}

// sharedMatrixRows are the most queries for which attentionSharedTile is best.
const sharedMatrixRows = 64

// attentionSharedTile is the tile for queries that fill two matrix instructions or more, but leave warps that have rows of their own waiting for keys. (64 rows, 8192 keys of 8 heads of 128
// elements of F16 by Vulkan on an H200: 61 µs with tiles of 64 rows in 256 threads, 33 with two of these; 32 rows: 39 and 20.)
func attentionSharedTile(head int) AttentionConfig {
	t := attentionFewTiles(head)[0]
	t.BM *= 2
	return t
}
