package catalog

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/fault"
	weftops "github.com/weftgpu/weft/ops"
)

// Options are what a command may say about a call in addition to its shape.
type Options struct {
	DType                         string
	Layout                        string // of matmul's factors: n as they are, t transposed in memory
	Axis                          string
	Dims                          string // of permute, separated by commas
	Causal                        bool
	KVHeads                       int // 0 for as many as of queries
	Stride, Pad, Dilation, Groups int
	ChannelsLast                  bool
	Bits, Block                   int // 0 for those of the codes: see scheme
	Asymmetric                    bool
	Codes                         string // of codeBooks, or none
	Interleaved                   bool
	Scales                        string // their element type, or none for the one that Quantize computes
	Probability                   float64
	Residual                      bool
	TopK                          int
	TopP                          float64
	Mode                          string // of resize, or none for linear
	AlignCorners                  bool
}

// DefaultOptions are those of a call that says nothing.
func DefaultOptions() Options {
	return Options{DType: "f32", Layout: "nn", Stride: 1, Dilation: 1, Groups: 1, Probability: 0.1}
}

// Elem is the element type of the operands, Invalid for one that is not there.
func (o Options) Elem() weft.DType { return dtype.Parse(o.DType) }

func typeNames() string {
	var names []string
	for _, t := range dtype.All() {
		names = append(names, t.String())
	}
	return strings.Join(names, ", ")
}

// Flag is an option as a person types it.
type Flag struct {
	Name, Usage string
	Value       func(o *Options) any // *string, *int, *bool or *float64
}

// Flags lists the options.
func Flags() []Flag { return flags }

var flags = []Flag{
	{"dtype", "element type of the operands: " + typeNames(), func(o *Options) any { return &o.DType }},
	{"layout", "matmul: how A and B are stored in memory, n as they are, t transposed: nn, nt, tn, tt", func(o *Options) any { return &o.Layout }},
	{"axis", "softmax, reductions, cumulative ops, sorts: the dimension; negative ones count from the end (default: the last, reductions all)", func(o *Options) any { return &o.Axis }},
	{"dims", "permute: the order of the dimensions, such as 0,2,3,1 (default: reversed)", func(o *Options) any { return &o.Dims }},
	{"causal", "attention: queries see no later keys", func(o *Options) any { return &o.Causal }},
	{"kv-heads", "attention: heads of keys and values, if fewer than of queries", func(o *Options) any { return &o.KVHeads }},
	{"stride", "convolution: step of the kernel", func(o *Options) any { return &o.Stride }},
	{"pad", "convolution, pad: zeros on each side", func(o *Options) any { return &o.Pad }},
	{"dilation", "convolution: distance of the kernel's elements", func(o *Options) any { return &o.Dilation }},
	{"groups", "convolution, group normalisation: groups of channels", func(o *Options) any { return &o.Groups }},
	{"channels-last", "convolution, resize, batch normalisation: images as NHWC", func(o *Options) any { return &o.ChannelsLast }},
	{"bits", "quantised weights: 8 or 4 (default: as many as the codes have, or 8)", func(o *Options) any { return &o.Bits }},
	{"block", "quantised weights: elements of a row that share a scale (default: the row, but for mxfp4 and mxfp8, which have 32)", func(o *Options) any { return &o.Block }},
	{"asymmetric", "quantised weights: with zero points", func(o *Options) any { return &o.Asymmetric }},
	{"codes", "quantised weights: what codes stand for: nf4, fp4 or mxfp4 of 4 bits, fp8 or mxfp8 of 8 (default: integers)", func(o *Options) any { return &o.Codes }},
	{"interleaved", "quantised weights: the integers in the order of matrix instructions, as Quantized.Pack has them", func(o *Options) any { return &o.Interleaved }},
	{"scales", "quantised weights: element type of their scales: f32, f16 or bf16 (default: f32, but for mxfp4 and mxfp8, whose scales are powers of two)", func(o *Options) any { return &o.Scales }},
	{"residual", "normalisations: a tensor is added first, and the sum stored", func(o *Options) any { return &o.Residual }},
	{"top-k", "sample: how many of the largest logits are kept (default: all); top_k: how many elements of a row (default: 50, or all)", func(o *Options) any { return &o.TopK }},
	{"top-p", "sample: the probability that the tokens that are kept have together (default: all)", func(o *Options) any { return &o.TopP }},
	{"mode", "resize: nearest, nearest-exact, linear or cubic (default: linear)", func(o *Options) any { return &o.Mode }},
	{"align-corners", "resize: the first and the last element stay where they are", func(o *Options) any { return &o.AlignCorners }},
	{"p", "dropout: the share that is dropped", func(o *Options) any { return &o.Probability }},
}

// axis is the dimension that was asked for; all says that none was.
func (o Options) axis(op string, rank int) (axis int, all bool, err error) {
	if o.Axis == "" || o.Axis == "all" {
		return rank - 1, true, nil
	}
	axis, err = strconv.Atoi(o.Axis)
	if err != nil || axis < -rank || axis >= rank {
		return 0, false, fault.New(weft.ErrArgument, op, "--axis %s is not an axis of %s", o.Axis, fault.Count(rank, "dimension"))
	}
	return (axis + rank) % rank, false, nil
}

// Conv are the options of a convolution but for its groups.
func (o Options) Conv() []weftops.Conv2DOption {
	list := []weftops.Conv2DOption{weftops.Stride(o.Stride, o.Stride), weftops.Padding(o.Pad, o.Pad), weftops.Dilation(o.Dilation, o.Dilation)}
	if o.ChannelsLast {
		list = append(list, weftops.ChannelsLast())
	}
	return list
}

// scheme is that of weights whose rows have n elements.
func (o Options) scheme() weftops.QuantScheme {
	scheme := codeBooks[o.Codes]
	scheme.Bits = cmp.Or(o.Bits, scheme.Codes.Bits(), 8)
	scheme.Asymmetric, scheme.Block = o.Asymmetric, [2]int{1, cmp.Or(o.Block, scheme.Block[1])}
	return scheme
}

// codeBooks are the schemes of code books, with blocks where the format has them.
var codeBooks = map[string]weftops.QuantScheme{
	"": {}, "nf4": {Codes: weftops.NF4}, "fp4": {Codes: weftops.FP4}, "mxfp4": weftops.MXFP4, "fp8": {Codes: weftops.FP8}, "mxfp8": weftops.MXFP8,
}
