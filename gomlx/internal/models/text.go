package models

import (
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	. "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/shapes"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
)

// TextSize says how large a transformer is.
type TextSize struct{ Batch, Length, Width, Heads, Layers int }

// SmallText is for tests.
var SmallText = TextSize{Batch: 8, Length: 32, Width: 32, Heads: 4, Layers: 2}

const characters = 128 // of ASCII

// Text is a transformer that guesses the next character of a text.
func Text(text string, size TextSize) Task {
	rng := rand.New(rand.NewPCG(5, 6))
	return Task{
		Name: "text", Rate: 0.003,
		Batch: func(int) (in, labels []*tensors.Tensor) {
			var x, y []int32
			for range size.Batch {
				at := rng.IntN(len(text) - size.Length - 1)
				for i := range size.Length {
					x, y = append(x, int32(text[at+i]%characters)), append(y, int32(text[at+i+1]%characters))
				}
			}
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, size.Batch, size.Length)},
				[]*tensors.Tensor{tensors.FromFlatDataAndDimensions(y, size.Batch, size.Length, 1)}
		},
		Model: func(ctx *context.Context, _ any, in []*Node) []*Node {
			g := in[0].Graph()
			table := weights(ctx, g, "characters", 1, characters, size.Width)
			places := weights(ctx, g, "places", 1, size.Length, size.Width)
			x := Gather(table, ExpandAxes(in[0], -1))
			x = Add(x, ExpandLeftToRank(places, 3))
			for i := range size.Layers {
				x = size.block(ctx.Inf("block%d", i), x)
			}
			return []*Node{dense(ctx.In("out"), layerNorm(ctx.In("norm"), x), characters)}
		},
	}
}

// block is attention and a small network of each character, both added to x.
func (s TextSize) block(ctx *context.Context, x *Node) *Node {
	x = Add(x, s.attention(ctx.In("attention"), layerNorm(ctx.In("norm1"), x)))
	y := dense(ctx.In("up"), layerNorm(ctx.In("norm2"), x), 4*s.Width)
	return Add(x, dense(ctx.In("down"), relu(y), s.Width))
}

// attention is over the characters before each, and itself.
func (s TextSize) attention(ctx *context.Context, x *Node) *Node {
	g, head := x.Graph(), s.Width/s.Heads
	split := func(name string) *Node {
		return Reshape(dense(ctx.In(name), x, s.Width), s.Batch, s.Length, s.Heads, head)
	}
	q, k, v := split("q"), split("k"), split("v")
	scores := MulScalar(Einsum("bqhd,bkhd->bhqk", q, k), 1/math.Sqrt(float64(head)))
	index := shapes.Make(dtypes.Int32, s.Length, s.Length)
	before := GreaterOrEqual(Iota(g, index, 0), Iota(g, index, 1))
	before = BroadcastToShape(ExpandLeftToRank(before, 4), shapes.Make(dtypes.Bool, scores.Shape().Dimensions...))
	scores = Where(before, scores, MulScalar(OnesLike(scores), -1e9))
	y := Einsum("bhqk,bkhd->bqhd", Softmax(scores, -1), v)
	return dense(ctx.In("out"), Reshape(y, s.Batch, s.Length, s.Width), s.Width)
}

func layerNorm(ctx *context.Context, x *Node) *Node {
	g, width := x.Graph(), x.Shape().Dimensions[x.Rank()-1]
	centred := Sub(x, ReduceAndKeep(x, ReduceMean, -1))
	variance := ReduceAndKeep(Square(centred), ReduceMean, -1)
	y := Div(centred, Sqrt(AddScalar(variance, 1e-5)))
	scale, offset := constant(ctx, g, "scale", 1, width), constant(ctx, g, "offset", 0, width)
	return Add(Mul(y, ExpandLeftToRank(scale, y.Rank())), ExpandLeftToRank(offset, y.Rank()))
}
