package models

import (
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"github.com/gomlx/gomlx/pkg/core/dtypes"
	. "github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"
	"github.com/gomlx/gomlx/pkg/ml/context"
)

// Float is the type of the models' numbers.
const Float = dtypes.Float32

// digitsFile is described in README.md.
//
//go:embed digits.csv.gz
var digitsFile string

const side = 8 // pixels of an image's side

type digit struct {
	pixels [side * side]float32
	label  int32
}

// digits reads the images, with pixels from 0 to 1.
var digits = sync.OnceValues(func() ([]digit, error) {
	zip, err := gzip.NewReader(strings.NewReader(digitsFile))
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(zip).ReadAll()
	if err != nil {
		return nil, err
	}
	list := make([]digit, len(rows))
	for i, row := range rows {
		for j, field := range row {
			x, err := strconv.ParseFloat(field, 32)
			if err != nil {
				return nil, err
			}
			if j == len(row)-1 {
				list[i].label = int32(x)
			} else {
				list[i].pixels[j] = float32(x) / 16
			}
		}
	}
	return list, nil
})

// Digits is a convolutional network of two layers for images of digits. With patches the convolutions are products of patches that
// are gathered, for backends that cannot differentiate convolutions; the model is the same.
func Digits(batch int, patches bool) (Task, error) {
	list, err := digits()
	if err != nil {
		return Task{}, err
	}
	rng := rand.New(rand.NewPCG(3, 4))
	order := rng.Perm(len(list))
	return Task{
		Name: "digits", Rate: 0.003,
		Batch: func(step int) (in, labels []*tensors.Tensor) {
			x, y := make([]float32, 0, batch*side*side), make([]int32, 0, batch)
			for i := range batch {
				d := &list[order[(step*batch+i)%len(order)]]
				x, y = append(x, d.pixels[:]...), append(y, d.label)
			}
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, batch, side, side, 1)},
				[]*tensors.Tensor{tensors.FromFlatDataAndDimensions(y, batch, 1)}
		},
		Model: func(ctx *context.Context, _ any, in []*Node) []*Node {
			x := relu(convolution(ctx.In("conv1"), in[0], 16, 1, patches))
			x = relu(convolution(ctx.In("conv2"), x, 32, 2, patches))
			x = Reshape(x, x.Shape().Dimensions[0], -1)
			x = relu(dense(ctx.In("hidden"), x, 64))
			return []*Node{dense(ctx.In("out"), x, 10)}
		},
	}, nil
}

// convolution is one of 3×3 positions, with zeros around x [N,H,W,C].
func convolution(ctx *context.Context, x *Node, filters, stride int, patches bool) *Node {
	const size = 3
	g, dims := x.Graph(), x.Shape().Dimensions
	channels := dims[3]
	w := weights(ctx, g, "weights", size*size*channels, size, size, channels, filters)
	b := constant(ctx, g, "bias", 0, filters)
	var y *Node
	if patches {
		p := gatherPatches(x, size, stride)
		y = DotGeneral(p, []int{3}, nil, Reshape(w, size*size*channels, filters), []int{0}, nil)
	} else {
		y = Convolve(x, w).StridePerAxis(stride, stride).PaddingPerDim([][2]int{{1, 1}, {1, 1}}).Done()
	}
	return Add(y, ExpandLeftToRank(b, 4))
}

// gatherPatches are the elements under each position of a convolution, [N,P,Q,size·size·C]. Outside of the image they are those of
// a row of zeros after it.
func gatherPatches(x *Node, size, stride int) *Node {
	g, dims := x.Graph(), x.Shape().Dimensions
	n, h, w, c := dims[0], dims[1], dims[2], dims[3]
	rows, columns := (h+2-size)/stride+1, (w+2-size)/stride+1
	var at []int32
	for p := range rows {
		for q := range columns {
			for i := range size {
				for j := range size {
					r, s := p*stride+i-1, q*stride+j-1
					if r < 0 || r >= h || s < 0 || s >= w {
						at = append(at, int32(h*w))
					} else {
						at = append(at, int32(r*w+s))
					}
				}
			}
		}
	}
	flat := TransposeAllAxes(Reshape(x, n, h*w, c), 1, 0, 2)
	// Concatenate has no gradient without Slice, which has none without Pad: a product puts the row after the others.
	wide := make([]float32, (h*w+1)*h*w)
	for i := range h * w {
		wide[i*h*w+i] = 1
	}
	flat = DotGeneral(Const(g, tensors.FromFlatDataAndDimensions(wide, h*w+1, h*w)), []int{1}, nil, flat, []int{0}, nil)
	patches := Gather(flat, Const(g, tensors.FromFlatDataAndDimensions(at, len(at), 1)))
	patches = Reshape(patches, rows*columns, size*size, n, c)
	return Reshape(TransposeAllAxes(patches, 2, 0, 1, 3), n, rows, columns, size*size*c)
}
