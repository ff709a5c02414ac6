package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// AttentionParts is the second pass of attention whose keys are cut into parts: it adds what the parts give, each by its share
// of the sum of all exponentials, in one order. Its views are results [P,B,H,S,D] and sums [P,B,H,S] as the first pass
// stores them, then out [B,H,S,D] and with cfg.LSE lse [B,H,S].
var AttentionParts = weft.NewKernel("attention_parts", describeAttentionParts)

// AttentionPartsConfig is what AttentionParts is built for.
type AttentionPartsConfig struct {
	Elem    weft.DType // of the result
	BM, BD  int        // queries of one program and elements of their heads, powers of two
	AtOnce  int        // parts that are loaded before any is added, a power of two
	LSE     bool       // the logarithms of the sums of exponentials are stored, too
	Threads int        // of a workgroup; 0 lets the compiler choose
}

// AttentionPartsConfigFor chooses the config for heads of a size.
func AttentionPartsConfigFor(caps target.Caps, elem weft.DType, head int) AttentionPartsConfig {
	cfg := AttentionPartsConfig{Elem: elem, BM: 1, BD: pow2.Ceil(max(head, 1)), AtOnce: 64}
	switch {
	case caps.WholeTiles:
	case scarce(caps):
		cfg.AtOnce, cfg.Threads = 2, caps.FitThreads(cfg.BD)
	default: // a line of each part, and so many parts that most programs wait for memory once
		cfg.BD, cfg.Threads = min(cfg.BD, 32), caps.FitThreads(256)
	}
	return cfg
}

func describeAttentionParts(k *tile.Builder, cfg AttentionPartsConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	results, sums := k.In("results", dtype.F32, 5), k.In("sums", dtype.F32, 4)
	out := k.Out("out", cfg.Elem, 4)
	var lse *tile.View
	if cfg.LSE {
		lse = k.Out("lse", dtype.F32, 3)
	}
	at := k.ProgramTile(out, 1, 1, cfg.BM, cfg.BD)
	parts := []int{cfg.AtOnce, 1, 1, cfg.BM, cfg.BD}
	row := []int{1, cfg.BM, 1}
	largest, total := k.Var(k.Full(dtype.F32, lowest, row...)), k.Var(k.Zeros(dtype.F32, row...))
	acc := k.Var(k.Zeros(dtype.F32, 1, cfg.BM, cfg.BD))
	for p := range k.Range(k.CDiv(results.Dim(0), cfg.AtOnce)) {
		s := sums.Block(parts[:4]...).Squeeze(1, 2).Fill(math.Inf(-1)).Load(p, at[0], at[1], at[2]).Reshape(cfg.AtOnce, cfg.BM, 1)
		x := results.Block(parts...).Squeeze(1, 2).Load(append([]tile.Operand{p}, at...)...)
		top := largest.Get().Maximum(s.Max(0))
		weights, shrink := s.Sub(top).Exp2(), largest.Get().Sub(top).Exp2()
		total.Set(total.Get().Mul(shrink).Add(weights.Sum(0)))
		acc.Set(acc.Get().Mul(shrink).Add(x.Mul(weights).Sum(0)))
		largest.Set(top)
	}
	none := total.Get().Eq(0)
	share := k.Full(dtype.F32, 1, row...)
	share = share.Div(k.Where(none, share, total.Get()))
	rowsOf(out, cfg.BM, cfg.BD).Store(acc.Get().Mul(share).Cast(cfg.Elem).Reshape(cfg.BM, cfg.BD), at...)
	if cfg.LSE {
		k.If(at[3].(*tile.Value).Eq(0), func() {
			sum := k.Where(none, k.Full(dtype.F32, math.Inf(-1), row...), largest.Get().Add(total.Get().Log2()).Mul(math.Ln2))
			rowsOf(lse, cfg.BM).Store(sum.Reshape(cfg.BM), at[:3]...)
		})
	}
}

// MostParts is into how many parts keys are cut at most, since a program of the second pass walks over all of them.
const MostParts = 256

// split chooses into how many parts the keys are cut: so many that programs fill the machine, if that saves more than combining them takes.
func (cfg *AttentionConfig) split(caps target.Caps, p AttentionProblem) {
	cfg.Parts = 0
	queries, keys, head := p.Sizes()
	tiles, steps := p.Q.Size[0]*p.Q.Size[1]*CeilDiv(queries, cfg.BM), CeilDiv(keys, cfg.BN)
	if tiles == 0 || steps < 2 {
		return
	}
	t := newAttentionTime(caps, *cfg, head, tiles, steps)
	least, units := t.seconds(1), caps.Facts().Units
	look := func(parts int) {
		parts = min(parts, steps, MostParts)
		if parts < 2 {
			return
		}
		parts = CeilDiv(steps, CeilDiv(steps, parts)) // none of which is empty
		if s := t.seconds(parts); s < worthwhile*least {
			cfg.Parts, least = parts, s
		}
	}
	for n := 2; n <= 8; n++ {
		look(n)
	}
	for each := 1; each <= 2*t.room; each++ { // programs of a unit
		look(each * units / tiles)
	}
}

// What a score takes in multiplications where other programs of a unit do their products meanwhile, and the products and scores of a program that
// is alone, which waits for each of them: a step of 64 × 128 scores takes 1.5 µs then with heads of 128, 1.05 µs with those of 64 (H200).
const busyScore, aloneProducts, aloneScore = 20, 1.6, 40

// attentionTime is what tells how long attention takes whose keys are cut into parts.
type attentionTime struct {
	machine      *target.Machine
	room         int     // programs that a unit runs at a time
	tiles, steps int     // of queries, and of keys for each
	bytes        float64 // that a step reads
	compute      float64 // seconds of a step of a program whose unit is busy
	alone        float64 // and of one that has its unit for itself
	stored       float64 // bytes of a part's results for a tile
}

func newAttentionTime(caps target.Caps, cfg AttentionConfig, head, tiles, steps int) attentionTime {
	machine := caps.Facts()
	rate := machine.Flops
	if cfg.isMatrix(caps) {
		rate = machine.Matrix.F16
	}
	t := attentionTime{machine: machine, room: cfg.room(caps), tiles: tiles, steps: steps,
		bytes: float64(2 * cfg.BN * head * cfg.Elem.Size()), stored: float64(4 * cfg.BM * head)}
	scores := float64(cfg.BM * cfg.BN)
	products := 4 * scores * float64(head) / rate
	softmax := scores / machine.Flops
	t.compute = float64(machine.Units) * max(products, busyScore*softmax)
	t.alone = float64(machine.Units) * (aloneProducts*products + aloneScore*softmax)
	return t
}

// seconds are those of both passes for so many parts.
func (t attentionTime) seconds(parts int) float64 {
	programs, slots := t.tiles*parts, t.machine.Units*t.room
	running := min(programs, slots)
	step := max(float64(running)*t.bytes/t.machine.Memory, float64(CeilDiv(running, t.machine.Units))*t.compute, t.alone, cachedLoad*t.machine.Latency)
	s := float64(CeilDiv(programs, slots)) * (float64(CeilDiv(t.steps, parts))*step + startLoads*t.machine.Latency)
	if parts > 1 {
		s += t.machine.Launch + startLoads*t.machine.Latency + 2*float64(programs)*t.stored/t.machine.Cache
	}
	return s
}

// room is how many programs a unit runs at a time.
func (cfg AttentionConfig) room(caps target.Caps) int {
	machine, threads := caps.Facts(), max(cfg.Threads, 1)+cfg.Producers*warpgroup
	n := min(machine.Threads/threads, machine.Workgroups)
	if machine.Registers > 0 && cfg.Threads > 0 {
		n = min(n, machine.Registers/((48+cfg.sums())*threads))
	}
	if machine.Shared > 0 {
		n = min(n, machine.Shared/(cfg.plan(caps).SharedBytes+target.SystemShared))
	}
	return max(n, 1)
}
