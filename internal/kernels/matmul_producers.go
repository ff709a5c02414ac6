package kernels

import (
	"math"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// ProducerStep is how many bytes of each row of an operand one step takes where tensor maps copy them: a line.
const ProducerStep = 128

// TakesProducers reports whether warpgroups multiply what tensor maps copy.
func (cfg MatMulConfig) TakesProducers(caps target.Caps) bool {
	return cfg.dot().NoProducers(caps) == "" && cfg.Weights == QuantView{}
}

// LoadsWords reports whether threads can load the words of an MN-major left operand for warpgroups.
func (cfg MatMulConfig) LoadsWords() bool { return plan.Words(cfg.Elem, cfg.dot().Split) }

// noRegisters says why accumulators leave too few registers, "" if there are enough.
func (cfg MatMulConfig) noRegisters(caps target.Caps) string {
	dot := cfg.dot()
	return plan.NoRegisters(caps, dot.Sums(), cfg.Threads, cfg.Consumers)
}

// warpThreads are those of a warp, and warpgroup those of a warpgroup, and how many copy in addition to others.
const warpThreads, warpgroup = 32, 128

// producerTile is a tile for warpgroups with a producer.
type producerTile struct {
	bm, bn    int
	most      int     // columns of bn that leave registers enough for their sums, all in one tile; 0 for any number of tiles
	consumers int     // ping-pong consumer warpgroups, each with tiles of its own; they start a step's products before those of the previous one have finished
	resident  int     // workgroups that share a compute unit and take all tiles at once, for which registers have to be kept; 0 is as many as have 256 threads that multiply
	cluster   int     // neighbouring workgroups that copy the right operand together, each a half of it, where rows do not begin where lines do; 0 for none
	group     int     // tiles in a column of the order in which programs take them, or clusters of them
	rate      float64 // of products, relative to the first, where they are all that a compute unit does
	lone      float64 // the rate of one whose unit has no other, where it is less: nothing is multiplied while its warpgroup waits
	store     float64 // the time for what follows a tile's products, in steps of them
	gathered  bool    // by threads, in as many workgroups at once as a compute unit has room for
}

// producerTiles are those to choose from. Each warpgroup has 64 rows or 128, of which two, or two workgroups of one, keep the matrix instructions busy. The
// rates of those from 128 rows on, and their times to store, follow from products of 1024 to 8192 terms on an H200 (one group of 128×256 multiplies
// 1024 terms in 12.3 µs and stores in 2 µs, which the other's products hide with ping-pong consumers), that of 64×128 from products of 1024³
// there; the others are estimates. Those of a lone warpgroup are of F16 549×1024×4096, 64 steps by fewer tiles of 64×128 and 128×128 than there are units (0.25 and 0.31 µs a
// step), and of 157×3584×18944 by 126 parts of 64×256 (0.46 µs a step), whose rate in twos is of BF16 399×28672×8192. Three workgroups of 64×128 take the units that would have one of them left over after two. (F16 2453×1024×1024, 312 tiles for 132
// units: 16.9 µs by two of them in each unit, that go on with a third tile, 15.8 by three.)
//
// The rate of ping-pong consumers is the one that chose best among the configs of 71 sampled products on an H100. They are considered where each has a tile.
//
// The times to store of tiles of two warpgroups, each of which stores its own rows, chose best among 8 configs of 29 products of BF16 on an H200, timed in turn, as did the
// rate of clusters of 128×128. The choices take 1.012 times as long as the fastest in the mean. (With 3 steps, no such clusters, and ping-pong consumers
// from two tiles each on: 1.038.)
//
// Tiles of 256×160 and fewer columns have half as many programs for a few columns, which read those half as often. (F16 on an H200, µs before and with them: 310×16384×4096 86, 75; 300×14336×4096 79, 69;
// 520×8192×8192 137, 123; 155×10240×8192 64, 62. Where clusters share K 128 rows take less: 600×4096×14336 118, 123.)
//
// Programs take square tiles in columns of four, which measured faster than longer ones. (128×128 on an H100, columns of 2, 4, 8 and 16: BF16
// 1545×8192×28672 1407, 1219, 1348, 1586 µs; 7467×4096×4096 385, 394, 406, 413; 2345×2560×10240 197, 191, 186, 222. By 128×256 they are within
// 2 %; F16 8192³ on an H200 gains 3 % by 16 instead of 8.)
var producerTiles = []producerTile{
	{bm: 128, bn: 256, consumers: 1, group: 16, rate: 1, store: 2.5},
	{bm: 256, bn: 128, consumers: 1, group: 16, rate: 0.975, store: 2.5},
	{bm: 256, bn: 256, most: 160, consumers: 1, group: 16, rate: 1, store: 2.5},
	{bm: 128, bn: 128, consumers: 1, group: 4, rate: 0.95, store: 2.5},
	{bm: 128, bn: 128, consumers: 2, group: 4, rate: 1.05, store: 0.5},
	{bm: 128, bn: 256, consumers: 1, group: 8, cluster: 2, rate: 0.96, store: 2.5},
	{bm: 128, bn: 128, consumers: 1, group: 4, cluster: 2, rate: 0.88, store: 2.5},
	{bm: 64, bn: 256, consumers: 1, group: 16, rate: 0.8, lone: 0.78, store: 3},
	{bm: 64, bn: 128, consumers: 1, group: 16, rate: 0.85, lone: 0.6, store: 3},
	{bm: 64, bn: 128, consumers: 1, group: 16, resident: 3, rate: 0.85, lone: 0.6, store: 3},
	{bm: 64, bn: 64, consumers: 1, group: 16, rate: 0.6, store: 3},
	{bm: 64, bn: 32, consumers: 1, group: 16, rate: 0.4, store: 3},
	{bm: 64, bn: 16, consumers: 1, group: 16, rate: 0.25, store: 3},
}

// narrow reports whether a tile has fewer columns than are worth an instruction, of n that there are: those
// are for the few rows of products that are computed as their transposes.
func (t producerTile) narrow(n int) bool { return t.bn < 64 && n > mostSwapped }

// wide reports whether a tile of as many rows and half the columns has room for n of them.
func (t producerTile) wide(n int) bool {
	return !t.gathered && n <= t.bn/2 && slices.ContainsFunc(producerTiles, func(o producerTile) bool { return o.bm == t.bm && o.bn == t.bn/2 })
}

// suits reports whether a tile is one for n columns.
func (t producerTile) suits(n int) bool {
	return !t.narrow(n) && !t.wide(n) && (t.most == 0 || n <= t.most)
}

// atOnce is how many workgroups of a tile a compute unit has.
func (t producerTile) atOnce() int {
	if t.resident > 0 {
		return t.resident
	}
	return max(1, 2*warpgroup/(t.threads()*t.consumers))
}

// tiles are how many a product has, with those that clusters have beyond its edge.
func (t producerTile) tiles(count, m, n int) int {
	high := max(t.cluster, 1)
	return count * high * CeilDiv(m, high*t.bm) * CeilDiv(n, t.bn)
}

// threads are those of a consumer.
func (t producerTile) threads() int {
	if t.consumers > 1 {
		return warpgroup
	}
	return min(2*t.bm, 2*warpgroup)
}

// time is that of the one of so many compute units that has the most to do of so many programs, in products of the first tile's rate. What is left over
// when its workgroups have had a tile each may be a warpgroup by itself.
func (t producerTile) time(units, programs int, steps float64) float64 {
	each := CeilDiv(programs, units)
	left := each % t.atOnce()
	if t.gathered && each > 1 {
		left = 0
	}
	time := float64(each-left) / t.rate
	switch {
	case left == 1 && t.lone > 0 && each > 1:
		time += 1 / min(t.lone, leftOver)
	case left == 1 && t.lone > 0:
		time += 1 / t.lone
	default:
		time += float64(left) / t.rate
	}
	return time * float64(t.bm*t.bn) * (steps + t.store)
}

// gatheredTiles are those of convolutions by warpgroups, whose threads gather what they multiply, and of products whose threads load words of it: no
// ping-pong, each has 64 rows, and indices take registers.
var gatheredTiles = func() (list []producerTile) {
	for _, t := range producerTiles {
		t.store = 3 // by threads, all of a tile's together
		if t.gathered, t.group = true, 16; t.consumers == 1 && t.bm <= 128 && t.bn <= 2*t.bm && t.resident == 0 && t.cluster == 0 {
			list = append(list, t)
		}
	}
	return list
}()

const (
	partsOfUnit        = 2 // programs of a unit that share the reductions of their tiles, at most
	leastProducerSteps = 4 // of a part of K
	enoughStages       = 3 // so that copies do not wait

	// sharedWaits is how long the programs of a cluster take to add their sums and store them, in latencies of memory, where the model of producers knows of no other wait. (Of 50 drawn
	// products on an H200 less has K shared where that takes up to 1.6 of the time, most of them with 1024 terms or fewer.)
	sharedWaits = 2

	// partsCost is what parts of K take more than their sums do, since each is stored in 32 bits before its program ends. (Of the raced configs with K in parts on an H100
	// the mean is as expected with this.)
	partsCost = 1.5

	// leftOver is the rate, at most, of a lone warpgroup whose unit had others before: it has no more stages than these left it.
	leftOver = 0.6

	// mapsPerLoad is how many times as much as by loads the second-level cache gives by tensor maps, since units of neighbouring tiles ask for the same at the same
	// time. (BF16 1411×3584×18944 by tiles of 64×128 on an H200: 402 µs, which is 11.6 TB/s.)
	mapsPerLoad = 1.45
)

// requests say how the left and the right operand are read that tensor maps copy.
type requests struct {
	lines [2]float64 // requests that the second-level cache gets for each line
	alike [2]int     // matrices of a batch that have the same operand
}

// whole are those of rows that begin where lines do, of matrices that all have their own.
var whole = requests{lines: [2]float64{1, 1}, alike: [2]int{1, 1}}

// requestsOf are those of operands whose rows begin at multiples of their length: where that is no multiple of a line, most copies of a line's length take
// parts of two. (BF16 816×5528×11448 on an H100, rows of 11448 elements: 373 µs, and 267 where clusters copy half as much.)
func requestsOf(elem weft.DType, operands ...tune.View) (r requests) {
	r = whole
	for i, v := range operands {
		for d := range int(v.Rank) - 2 {
			if v.Repeat>>d&1 != 0 {
				r.alike[i] *= v.Size[d]
			}
		}
		l, _, err := v.Layout()
		if err != nil {
			continue
		}
		together := ProducerStep
		for d := range l.Rank() {
			for stride := l.Stride(d) * elem.Size(); l.Size(d) > 1 && l.Stride(d) != 1 && stride%together != 0; {
				together /= 2 // a power of two
			}
		}
		r.lines[i] = 2 - float64(together)/ProducerStep
	}
	return r
}

// distinct are the matrices of an operand that are read from memory for a batch of so many, in so many rounds of programs: those of a round that are alike once, and a left one of a few matrices, which
// programs take together.
func (r requests) distinct(operand, count, rounds int) int {
	if operand == 0 && r.alike[0] <= mostEven {
		rounds = 1
	}
	return count / r.alike[operand] * min(r.alike[operand], rounds)
}

// bytes are what all programs of a tile ask for, in so many steps.
func (t producerTile) bytes(r requests, programs, steps int) float64 {
	rows := r.lines[0]*float64(t.bm) + r.lines[1]*float64(t.bn)/float64(max(t.cluster, 1))
	return float64(programs*steps*ProducerStep) * rows
}

// fitProducers chooses among tiles the one with which, and with K split into so many parts, the compute unit that has the most to do is
// ready first, and programs that take several tiles if there are more than fit at once: they store one while the next is copied, or
// multiplied. It returns the seconds that this should take.
func (cfg *MatMulConfig) fitProducers(caps target.Caps, among []producerTile, r requests, count, m, n, k int) (least float64) {
	cfg.BK, cfg.SplitK, cfg.Persistent = ProducerStep/cfg.Elem.Size(), 0, 0
	var best producerTile
	steps, units := CeilDiv(k, cfg.BK), caps.Facts().Units
	for _, t := range among {
		tiles := t.tiles(count, m, n)
		if !t.suits(n) || t.consumers > 1 && tiles < t.consumers*units || t.resident > 0 && tiles > t.resident*units || t.cluster > 1 && (!caps.Clusters || r.lines == whole.lines) {
			continue
		}
		seconds := func(parts int) float64 {
			return cfg.producerSeconds(caps, t, r, count, m, n, k, parts) + partsCost*sumPartsSeconds(caps.Facts(), parts, count*m*n)
		}
		if s := seconds(1); least == 0 || s < least {
			least, best, cfg.SplitK = s, t, 0
		}
		if cfg.Batch == MaxBatch || t.consumers > 1 || t.resident > 0 || t.cluster > 1 {
			continue
		}
		// as many as units have programs for, or a few, where parts leave fewer units idle at the end than tiles
		for _, parts := range []int{units / max(tiles, 1), partsOfUnit * units / max(tiles, 1), 2, 3, 4} {
			parts = max(min(parts, steps/leastProducerSteps), 1)
			if s := seconds(parts); s < worthwhile*least {
				least, best, cfg.SplitK = s, t, parts
			}
		}
	}
	cfg.setProducers(caps, best, count*max(cfg.SplitK, 1), m, n)
	if cfg.SplitK <= 1 {
		cfg.Persistent = best.persistent(units, count, m, n)
	}
	return least
}

// producerSeconds is how long the programs of a tile take with K in so many parts, whose sums are to be added.
func (cfg MatMulConfig) producerSeconds(caps target.Caps, t producerTile, r requests, count, m, n, k, parts int) float64 {
	model, steps, units, tiles := tune.ModelFor(caps), CeilDiv(k, cfg.BK), caps.Facts().Units, t.tiles(count, m, n)
	rounds := CeilDiv(tiles, t.atOnce()*units)
	t = t.fitted(n)
	product := 2 * float64(cfg.BK) * MatrixCost(caps, cfg.Elem, cfg.Precision) * float64(units) / model.Matrix // seconds that a unit takes for the products of an accumulator in a step
	copies, memory := 0.0, 0.0
	if !t.gathered {
		copies = t.bytes(r, tiles, steps) / (mapsPerLoad * caps.Facts().Cache)
		memory = float64(cfg.Elem.Size()) * float64(k*(m*r.distinct(0, count, rounds)+n*r.distinct(1, count, rounds))+count*m*n) / model.Memory
	}
	return together(product*t.time(units, tiles*parts, float64(CeilDiv(steps, parts))), copies, memory)
}

// shareK has two programs of a cluster share K, with one of some tiles, where that takes less than the tile that was chosen, which takes so long: in one launch, where all programs run at once, and
// where there is room for enough stages. It returns the seconds of the better one.
func (cfg *MatMulConfig) shareK(caps target.Caps, among []producerTile, r requests, count, m, n, k int, least float64) float64 {
	var best MatMulConfig
	units := caps.Facts().Units
	for _, t := range among {
		few := clusterPrograms*t.tiles(count, m, n) <= t.atOnce()*units && CeilDiv(k, cfg.BK) >= clusterPrograms*leastProducerSteps
		if !caps.Clusters || !few || !t.suits(n) || t.consumers > 1 || t.resident > 0 || t.cluster > 1 || t.most > 0 {
			continue
		}
		s := cfg.sharedSeconds(caps, t, r, count, m, n, k)
		if s >= least {
			continue
		}
		c := *cfg
		c.SplitK, c.Persistent, c.ClusterK = 0, 0, true
		if c.setProducers(caps, t, clusterPrograms*count, m, n); c.Stages >= enoughStages {
			least, best = s, c
		}
	}
	if best.ClusterK {
		*cfg = best
	}
	return least
}

// sharedSeconds is how long the programs of a tile take of which two share K. Those of a cluster are on neighbouring units, which share their way to the second-level cache, while
// others are idle: each unit gets less of what it gives, about as much as the root says. They exchange sums as fast as that gives something. (F16 150×2048×2048 on an H200, 64 programs: 9.4 µs, 7.5 with K in two
// parts of a grid; 160×5456×6392, 86 programs: 43 and 36. The root chose best among all ways for 42 products.)
func (cfg MatMulConfig) sharedSeconds(caps target.Caps, t producerTile, r requests, count, m, n, k int) float64 {
	machine := caps.Facts()
	if programs := clusterPrograms * t.tiles(count, m, n); programs < machine.Units {
		alone := math.Sqrt(float64(machine.Units) / float64(programs))
		r.lines = [2]float64{r.lines[0] * alone, r.lines[1] * alone}
	}
	cfg.BM, cfg.BN = t.bm, t.bn
	exchange := float64(cfg.exchangedBytes()*machine.Units) / machine.Cache
	return cfg.producerSeconds(caps, t, r, count, m, n, k, clusterPrograms) + sharedWaits*machine.Latency + exchange
}

// exchangedBytes are those of the sums that each program of a cluster gives the other one.
func (cfg MatMulConfig) exchangedBytes() int { return 4 * cfg.BM * cfg.BN / clusterPrograms }

// together is how long work takes that needs so many seconds of several things, each of which waits for the others now and then: the longest of them if the others are short, and a quarter more where
// two are as long. (Of 1259 configs of 71 sampled products on an H100 the one that this expects to be the fastest takes 1.03 times as long as the fastest in the mean and 1.10 at
// the 90th percentile; by the longest of the three 1.05 and 1.20.)
func together(seconds ...float64) float64 {
	sum := 0.0
	for _, s := range seconds {
		sum += s * s * s
	}
	return math.Cbrt(sum)
}

// persistent is how many programs take all tiles where these are more than fit at once, whole clusters of them; 0 where they fit.
func (t producerTile) persistent(units, count, m, n int) int {
	programs := t.atOnce() * units
	if t.tiles(count, m, n) <= programs {
		return 0
	}
	return programs - programs%max(t.cluster, 1)
}

// setProducers sets a tile and its threads and stages, for so many products: as many stages as there is room for, 8 at most.
func (cfg *MatMulConfig) setProducers(caps target.Caps, t producerTile, count, m, n int) {
	cfg.BM, cfg.BN, cfg.Producers, cfg.Threads, cfg.Consumers, cfg.InFlight, cfg.Resident, cfg.Cluster = t.bm, t.bn, 1, t.threads(), 0, 0, t.resident, t.cluster
	cfg.Order, cfg.MostColumns = t.order(m, n), 0
	if !t.gathered {
		cfg.MostColumns = cfg.FitColumns(n)
	}
	if t.consumers > 1 {
		cfg.Consumers, cfg.InFlight = t.consumers, 2
	}
	sharing := min(t.atOnce(), CeilDiv(t.tiles(count, m, n), caps.Facts().Units)) // workgroups that share it
	if sharing > 1 {
		caps.SharedBytes = caps.Facts().Shared/sharing - target.SystemShared
	}
	cfg.Stages = 8
	cfg.Stages = cfg.plan(caps).Stages
	if several := t.tiles(count, m, n) > t.atOnce()*caps.Facts().Units; several && t.consumers == 1 && !t.gathered {
		cfg.leaveRoom(caps)
	}
}

// order is that of a product: of few columns of tiles those of one row follow each other, which need the same of the larger operand at the same time. (F16 on an H200, the transposes of 150×2048×2048 by
// 64×64: 7.7 µs, 8.5 in groups of 16 rows; 283×4096×2560 by 128×128: 16.4, in groups of 4 rows 19.5.)
func (t producerTile) order(m, n int) tile.Order {
	const few = 4
	o := tile.Order{Kind: tile.GroupedRows, Group: t.group}
	if columns := CeilDiv(n, t.bn); !t.gathered && columns > 1 && columns <= few && columns < CeilDiv(m, t.bm) {
		o.Group = 1
	}
	return o
}

// leaveRoom takes fewer stages, but enough of them, where the whole tile of a result then has room next to them: its warpgroups wait for no part of it to be stored
// before they multiply the next one. (BF16 products of 15 shapes on an H200, in turn, by 128×256: 3 stages and all of a tile
// take 0.96 to 1.008 of the time of 4 stages and two of its four parts.)
func (cfg *MatMulConfig) leaveRoom(caps target.Caps) {
	fewer := *cfg
	caps.SharedBytes -= max(cfg.resultBytes()-2*cfg.BM*ProducerStep, 0)
	if fewer.Stages = fewer.plan(caps).Stages; fewer.Stages >= enoughStages && cfg.Threads > warpgroup {
		cfg.Stages = fewer.Stages
	}
}

// producersTiles lists the tiles for warpgroups with producers.
func (cfg MatMulConfig) producersTiles(caps target.Caps, count, m, n int) (list []MatMulConfig) {
	if !cfg.TakesProducers(caps) {
		return nil
	}
	for _, shape := range producerTiles {
		t := cfg
		t.BK, t.RowByRow = ProducerStep/cfg.Elem.Size(), false
		if shape.cluster > 1 || shape.bm > 64 && shape.bm >= 2*m || shape.bn > 16 && shape.bn >= 2*n || !shape.suits(n) {
			continue
		}
		t.setProducers(caps, shape, count*max(cfg.SplitK, 1), m, n)
		for _, persistent := range []int{0, shape.atOnce() * caps.Facts().Units} {
			if t.Persistent = persistent; persistent > 0 || shape.consumers == 1 {
				list = append(list, t)
			}
		}
	}
	return list
}
