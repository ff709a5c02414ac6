package suite

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/internal/kernels"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// Sample says which works the set "sampled" has: shapes that nobody chose. They are drawn from distributions like those that users have. A seed that
// was used while kernels or rules were improved says less than a fresh one.
type Sample struct {
	Seed   uint64 // each has other works
	Count  int    // works of each family
	Family string // of the works, all families if empty
}

// DefaultSample is the sample of List.
var DefaultSample = Sample{Seed: 1, Count: 8}

// sampledFamilies draw a work each.
var sampledFamilies = []struct {
	name string
	draw func(d *drawer) Work
}{
	{"products", (*drawer).product},
	{"convolutions", (*drawer).convolution},
	{"rows", (*drawer).rows},
	{"reductions", (*drawer).reduction},
	{"copies", (*drawer).copy},
	{"attention", (*drawer).attention},
	{"fewbits", (*drawer).fewBits},
}

// SampledFamilies are the names that Sample.Family may have.
func SampledFamilies() (names []string) {
	for _, f := range sampledFamilies {
		names = append(names, f.name)
	}
	return names
}

// check refuses samples without works.
func (s Sample) check() error {
	switch {
	case s.Count < 1:
		return fault.New(weft.ErrArgument, "bench", "%d works, want 1 at least", s.Count).For("count")
	case s.Family != "" && !slices.Contains(SampledFamilies(), s.Family):
		return fault.New(weft.ErrArgument, "bench", "%q, want one of %s", s.Family, strings.Join(SampledFamilies(), ", ")).For("family")
	}
	return nil
}

// works draws them: those of a family are the same whichever others are asked for, and the first of a larger sample.
func (s Sample) works(size Size) (list []Work) {
	seen := map[string]bool{}
	for i, f := range sampledFamilies {
		if s.Family != "" && s.Family != f.name {
			continue
		}
		d := &drawer{rand.New(rand.NewPCG(s.Seed, uint64(i))), size}
		for n, tries := 0, 0; n < s.Count && tries < 100*s.Count; tries++ {
			if w := f.draw(d); !seen[w.Name] {
				seen[w.Name] = true
				list = append(list, w)
				n++
			}
		}
	}
	return list
}

// drawer draws works of a size.
type drawer struct {
	*rand.Rand
	of Size
}

// logUniform draws a number from lo to hi whose logarithm is uniformly distributed.
func (d *drawer) logUniform(lo, hi int) int {
	low, high := math.Log(float64(lo)), math.Log(float64(hi+1))
	return min(int(math.Exp(low+d.Float64()*(high-low))), hi)
}

// side draws a size of 1 to most elements: half of them are multiples of 8, 64 or 128, the rest are any.
func (d *drawer) side(most int) int {
	n := d.logUniform(1, most)
	if multiple := pick(d, 8, 64, 128); d.IntN(2) == 0 && multiple <= most {
		n = min((n+multiple-1)/multiple, most/multiple) * multiple
	}
	return n
}

// pick draws one of several.
func pick[T any](d *drawer, of ...T) T { return of[d.IntN(len(of))] }

// elements draws how many elements a tensor has: what fits a cache of a GPU, and up to a hundred times that.
func (d *drawer) elements() int {
	return d.logUniform(of(d.of, 1<<20, 1<<16, 1<<8), of(d.of, 1<<27, 1<<22, 1<<12))
}

// linears are sizes of linear layers, [outputs, inputs], of well-known models.
var linears = [][2]int{
	{768, 768}, {2304, 768}, {3072, 768}, {768, 3072}, {50257, 768}, // GPT-2
	{1024, 1024}, {4096, 1024}, {1024, 4096}, // BERT large
	{4096, 4096}, {1024, 4096}, {14336, 4096}, {4096, 14336}, // Llama 3 8B
	{8192, 8192}, {28672, 8192}, {8192, 28672}, // Llama 3 70B
	{3584, 3584}, {512, 3584}, {18944, 3584}, {3584, 18944}, // Qwen2.5 7B
	{2560, 2560}, {10240, 2560}, {2560, 10240}, // Phi-2
}

// product draws a matrix product: of random sizes, in batches, or a layer of a model for an odd number of tokens.
func (d *drawer) product() Work {
	most := of(d.of, 16384, 1024, 64)
	p := product{elem: pick(d, weft.F16, weft.BF16, weft.F32, weft.F32, weft.I8)}
	if p.elem == weft.F32 {
		p.precision = pick(d, tile.IEEE, tile.TF32)
	}
	switch kind := d.IntN(8); {
	case kind < 2:
		layer := pick(d, linears...)
		p.op, p.elem, p.precision = "linear", pick(d, weft.F16, weft.BF16, weft.F32), tile.IEEE
		p.m, p.n, p.k = d.logUniform(1, most/2)|1, max(layer[0]*most/16384, 1), max(layer[1]*most/16384, 1)
		return p.work()
	case kind < 3 && p.elem != weft.I8:
		p.batch, most = d.logUniform(2, 64), most/8
	}
	p.m, p.n, p.k = d.side(most), d.side(most), d.side(most)
	p.columns, p.aColumns = d.IntN(2) == 0, d.IntN(2) == 0
	return p.work()
}

// fewBits draws a layer of a model with weights of few bits.
func (d *drawer) fewBits() Work {
	shrink := of(d.of, 1, 8, 64)
	layer, scheme := pick(d, append(slices.Clone(linears), layersOfFewBits...)...), pick(d, groups4, groups4, channels8, nf4, ops.MXFP4, fp8)
	return quantizedMatMul(scheme, d.logUniform(1, of(d.of, 4096, 512, 12)), max(layer[0]/shrink, 2), max(layer[1]/shrink/128*128, 128))
}

// layers are convolutions of well-known models, by channels, side, filters, kernel, stride, padding and groups.
var layers = []layer{
	{channels: 3, side: 224, filters: 64, kernel: 7, stride: 2, padding: 3}, // ResNet-50
	{channels: 64, side: 56, filters: 64, kernel: 3, stride: 1, padding: 1},
	{channels: 256, side: 56, filters: 128, kernel: 1, stride: 1},
	{channels: 128, side: 28, filters: 128, kernel: 3, stride: 1, padding: 1},
	{channels: 512, side: 28, filters: 1024, kernel: 1, stride: 2},
	{channels: 256, side: 14, filters: 256, kernel: 3, stride: 1, padding: 1},
	{channels: 512, side: 7, filters: 512, kernel: 3, stride: 1, padding: 1},
	{channels: 128, side: 56, filters: 128, kernel: 3, stride: 1, padding: 1, groups: 32}, // ResNeXt-50
	{channels: 3, side: 224, filters: 96, kernel: 4, stride: 4},                           // ConvNeXt-T
	{channels: 96, side: 56, filters: 96, kernel: 7, stride: 1, padding: 3, groups: 96},
	{channels: 384, side: 14, filters: 384, kernel: 7, stride: 1, padding: 3, groups: 384},
	{channels: 192, side: 28, filters: 384, kernel: 2, stride: 2},
	{channels: 64, side: 256, filters: 64, kernel: 3, stride: 1, padding: 1}, // U-Net
	{channels: 256, side: 64, filters: 128, kernel: 3, stride: 1, padding: 1},
	{channels: 1024, side: 16, filters: 1024, kernel: 3, stride: 1, padding: 1},
	{channels: 32, side: 112, filters: 32, kernel: 3, stride: 1, padding: 1, groups: 32}, // EfficientNet-B0
	{channels: 144, side: 56, filters: 144, kernel: 5, stride: 2, padding: 2, groups: 144},
	{channels: 672, side: 14, filters: 112, kernel: 1, stride: 1},
	{channels: 96, side: 112, filters: 96, kernel: 3, stride: 2, padding: 1, groups: 96}, // MobileNetV2
	{channels: 320, side: 7, filters: 1280, kernel: 1, stride: 1},
}

// convolution draws a convolution: a layer of a model or one of random sizes, for some images.
func (d *drawer) convolution() Work {
	l := pick(d, layers...)
	if d.IntN(2) == 0 {
		l = d.layer()
	}
	if d.of != Full {
		shrink := of(d.of, 1, 2, 8)
		l.side = max(l.side/shrink, l.kernel)
		if l.groups > 1 {
			shrink = 1 // channels are the groups' multiples
		}
		l.channels, l.filters = max(l.channels/shrink, 1), max(l.filters/shrink, 1)
	}
	most := of(d.of, 1<<26, 1<<19, 1<<12) / (max(l.channels, l.filters) * l.side * l.side)
	l.images, l.last = d.logUniform(1, max(min(most, 64), 1)), d.IntN(2) == 0
	return l.work(pick(d, weft.F16, weft.BF16, weft.F32))
}

// layer draws a convolution: an eighth of them have one filter for each channel, an eighth several groups.
func (d *drawer) layer() layer {
	l := layer{kernel: pick(d, 1, 3, 3, 5, 7), stride: pick(d, 1, 1, 2), channels: d.side(1024), filters: d.side(1024)}
	l.side = d.logUniform(max(7, l.kernel), 256)
	if d.IntN(4) > 0 {
		l.padding = l.kernel / 2
	}
	switch d.IntN(8) {
	case 0:
		l.groups, l.filters = l.channels, l.channels
	case 1:
		l.groups = pick(d, 2, 4, 8, 32)
		l.channels, l.filters = (l.channels+l.groups-1)/l.groups*l.groups, (l.filters+l.groups-1)/l.groups*l.groups
	}
	return l
}

// rows draws a softmax or a normalisation of rows.
func (d *drawer) rows() Work {
	cols := d.logUniform(32, of(d.of, 1<<19, 1<<16, 1<<10))
	elem, rows := pick(d, weft.F32, weft.F16, weft.BF16), max(d.elements()/cols, 1)
	switch op := pick(d, "softmax", "log_softmax", "layernorm", "rmsnorm"); op {
	case "softmax":
		return softmax(elem, rows, cols)
	case "log_softmax":
		return logSoftmax(elem, rows, cols)
	default:
		return norm(op, elem, rows, cols)
	}
}

// shape draws the sizes of a tensor of so many dimensions.
func (d *drawer) shape(rank int) []int {
	shape, left := make([]int, rank), d.elements()
	for i := range rank - 1 {
		shape[i] = d.logUniform(1, max(int(math.Pow(float64(left), 2/float64(rank-i))), 1))
		left = max(left/shape[i], 1)
	}
	shape[rank-1] = left
	d.Shuffle(rank, func(i, j int) { shape[i], shape[j] = shape[j], shape[i] })
	return shape
}

// reduction draws a reduction of a tensor along one of its dimensions: half of the tensors are views. It is one of those that there were when
// samples were first measured, so that a seed draws the same works.
func (d *drawer) reduction() Work {
	shape := d.shape(1 + d.IntN(4))
	r, axis, dim, kind, n := pick(d, catalog.AllReductions[:kernels.ReduceVar+1]...), d.IntN(len(shape)), d.IntN(len(shape)), d.IntN(8), 2+d.IntN(2)
	along := func() Work { return reducedAlong(r, shape, axis) }
	switch {
	case kind == 0 && shape[dim] >= 2*n:
		shape[dim] /= n
		return along().seen(stepped(shape, dim, n))
	case kind == 1:
		return along().seen(sliced(shape, dim, min(pick(d, 1, 8), shape[dim])))
	case kind == 2 && len(shape) > 1:
		return along().seen(transposed(shape, d.order(len(shape))))
	case kind == 3 && len(shape) > 1:
		return along().seen(broadcast(shape, dim))
	}
	return along()
}

// attentions are heads, those of keys and values, and their size, of well-known models.
var attentions = []heads{
	{heads: 12, groups: 12, size: 64},    // GPT-2, BERT, ViT-B
	{heads: 32, groups: 8, size: 128},    // Llama 3 8B, Mistral 7B
	{heads: 64, groups: 8, size: 128},    // Llama 3 70B
	{heads: 28, groups: 4, size: 128},    // Qwen2.5 7B
	{heads: 32, groups: 32, size: 80},    // Phi-2
	{heads: 32, groups: 32, size: 96},    // Phi-3 mini
	{heads: 16, groups: 16, size: 256},   // Gemma 7B
	{heads: 16, groups: 8, size: 256},    // Gemma 2 9B
	{heads: 71, groups: 1, size: 64},     // Falcon 7B
	{heads: 10, groups: 10, size: 64},    // Stable Diffusion XL
	{heads: 128, groups: 128, size: 192}, // DeepSeek-V3 without its shared latent vector
}

// attention draws attention: of a prompt, causal or full, or of a decoding step, which has few queries and many keys.
func (d *drawer) attention() Work {
	h := pick(d, attentions...)
	h.elem = pick(d, weft.F16, weft.BF16, weft.F16, weft.BF16, weft.F32)
	if d.of != Full {
		shrink := of(d.of, 1, 4, 16)
		h.groups = max(h.groups/shrink, 1)
		h.heads, h.size = h.groups*min(h.heads/h.groups, 3), max(h.size/shrink, 1)
	}
	most := of(d.of, 1<<27, 1<<20, 1<<12) / (h.groups * h.size) // keys of all batches
	if d.IntN(2) == 0 {
		h.queries = pick(d, 1, 1, 1, d.logUniform(2, 16))
		h.batch = d.logUniform(1, max(min(64, most/max(16, h.queries*h.heads/h.groups)), 1))
		h.keys = d.logUniform(16, min(1<<17, most/h.batch))
		return h.work()
	}
	h.keys = d.logUniform(16, min(of(d.of, 1<<14, 256, 64), most))
	most = most * h.groups / h.heads
	h.queries, h.causal = h.keys, d.IntN(2) == 0
	h.batch = d.logUniform(1, max(min(32, most/h.keys), 1))
	return h.work()
}

// order draws an order of dimensions that is not their own.
func (d *drawer) order(rank int) []int {
	dims := d.Perm(rank)
	for slices.IsSorted(dims) {
		dims = d.Perm(rank)
	}
	return dims
}

// copy draws a transposition, another order of dimensions, or rows out of longer ones.
func (d *drawer) copy() Work {
	elem := pick(d, weft.F32, weft.F16, weft.I8)
	switch d.IntN(4) {
	case 0:
		return permuted("transpose", elem, d.shape(2), 1, 0)
	case 1:
		shape := d.shape(2)
		return unpadded(pick(d, weft.F32, weft.F16), shape[0], shape[1])
	}
	shape := d.shape(3 + d.IntN(3))
	return permuted("permute", elem, shape, d.order(len(shape))...)
}
