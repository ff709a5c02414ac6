package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// MaxConcat is how many tensors one launch joins: with the result they are the storage buffers that every WebGPU device has.
const MaxConcat = 7

// ConcatConfig is what Concat is built for.
type ConcatConfig struct {
	Elem   weft.DType
	Inputs int // 1 to MaxConcat
	Rank   int // dimensions after merging
	Dim    int // the one along which tensors are joined
	MoveSizes
}

// ConcatProblem is what the sizes of a concatenation depend on.
type ConcatProblem struct {
	Elem   weft.DType
	Inputs int8
	Dim    int8
	Out    tune.View
}

func (p ConcatProblem) Rule(caps target.Caps) MoveSizes { return moveSizesFor(caps, p.Elem, p.Out) }

func (p ConcatProblem) List(caps target.Caps) []MoveSizes { return moveSizes(caps, p.Elem, p.Out) }

func (p ConcatProblem) Legal(caps target.Caps, s MoveSizes) error {
	if p.Dim < 0 || p.Dim >= p.Out.Rank || p.Inputs < 1 || p.Inputs > MaxConcat {
		return fmt.Errorf("%d tensors along dimension %d of %d", p.Inputs, p.Dim, p.Out.Rank)
	}
	return s.legal(caps, p.Out)
}

func (p ConcatProblem) Work(_ target.Caps, s MoveSizes) tune.Work { return s.work(p.Elem, p.Out) }

func (p ConcatProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.Out), Written: bytesOf(p.Elem, p.Out)}
}

func (p ConcatProblem) Bucket() ConcatProblem {
	p.Out = p.Out.Bucket()
	return p
}

func (p ConcatProblem) Kernel(s MoveSizes) (*tile.Func, error) { return Concat.Build(p.Config(s)) }

// Config is the config by sizes.
func (p ConcatProblem) Config(s MoveSizes) ConcatConfig {
	return ConcatConfig{Elem: p.Elem, Inputs: int(p.Inputs), Rank: int(p.Out.Rank), Dim: int(p.Dim), MoveSizes: s}
}

// Concat is the kernel of Concat and Stack. Its views are cfg.Inputs tensors, which differ in their sizes along cfg.Dim, and
// out, whose size there is their sum.
var Concat = weft.NewKernel("concat", describeConcat)

func describeConcat(k *tile.Builder, cfg ConcatConfig) {
	d, block := cfg.Dim, cfg.Block[:cfg.Rank]
	inputs := make([]*tile.View, cfg.Inputs)
	for i := range inputs {
		inputs[i] = k.In(fmt.Sprintf("x%d", i), cfg.Elem, cfg.Rank)
	}
	out := k.Out("out", cfg.Elem, cfg.Rank)
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	sum := k.Int(0)
	for _, x := range inputs {
		for other := range cfg.Rank {
			if other != d {
				k.Require(x.Dim(other).Eq(out.Dim(other)))
			}
		}
		sum = sum.Add(x.Dim(d))
	}
	k.Require(sum.Eq(out.Dim(d)))

	at := k.ProgramTile(out, block...)
	offsets := make([]tile.Operand, cfg.Rank)
	for i, n := range block {
		offsets[i] = k.Int(n).Mul(at[i])
	}
	along := slices.Repeat([]int{1}, cfg.Rank)
	along[d] = block[d]
	tileOf := k.Var(k.Zeros(cfg.Elem, block...))
	from := k.Int(block[d]).Mul(at[d]) // where the tile starts in a tensor: below 0 if the tensor starts within the tile
	for _, x := range inputs {
		n := x.Dim(d)
		k.If(from.Lt(n).And(from.Add(block[d]).Gt(0)), func() {
			place := slices.Clone(offsets)
			place[d] = from
			v := x.Block(block...).LoadAt(place...)
			if block[d] > 1 && cfg.Inputs > 1 {
				index := k.Iota(d, along...).Add(from)
				v = k.Where(index.Ge(0).And(index.Lt(n)), v, tileOf.Get())
			}
			tileOf.Set(v)
		})
		from = from.Sub(n)
	}
	out.Block(block...).Store(tileOf.Get(), at...)
}
