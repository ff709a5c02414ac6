package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/catalog"
	"github.com/weftgpu/weft/ops"
	"github.com/weftgpu/weft/tile"
)

// Set is a group of works that can be asked for by name.
type Set struct {
	Name    string
	About   string
	Default bool // done if nothing is asked for
	works   func(Size) []Work
}

// Sets lists them. A work may be in several.
var Sets = []Set{
	{"llama", "layers of Llama-3-8B: products, normalisation, attention and gate for 1 to 4096 tokens", true, llama},
	{"vit", "layers of ViT-B/16 on 224×224 images", true, vit},
	{"resnet", "convolutions of ResNet-50", true, resnet},
	{"square", "square matrices in every precision, and odd, long and few-rowed ones", true, square},
	{"matrix", "products for matrix instructions: both 16-bit types in all orders of their operands, odd sizes, few rows", false, matrixProducts},
	{"ops", "the other ops, in sizes that fill the device", true, others},
	{"fewbits", "layers of language models with weights of 4 and 8 bits, for 1 to 4096 tokens", false, fewBits},
	{"prefill", "attention of prompts of 1024 to 32768 tokens, heads of 64 to 256 elements", false, prefill},
	{"masks", "attention of prompts of 512 to 4096 tokens with masks of Booleans", false, masked},
	{"decode", "attention of 1 to 16 queries with 1024 to 131072 keys", false, decode},
	{"elementwise", "every element-wise function", false, func(s Size) []Work { return elementwise(s.vector()) }},
	{"scaling", "sums, products and softmax over a range of sizes", false, scaling},
	{Sampled, "shapes drawn at random, as users have them: products, with weights of few bits too, convolutions, rows, reductions, copies and attention", false, DefaultSample.works},
}

// Sampled is the name of the set whose works follow from a Sample.
const Sampled = "sampled"

// Size says how large works are.
type Size uint8

// The sizes.
const (
	Full  Size = iota // what fills a GPU
	Small             // for the host: the same layers with fewer tokens, images and channels
	Tiny              // for tests, odd where it can be
)

// String is the size's name.
func (s Size) String() string { return [...]string{"full", "small", "tiny"}[s] }

// SizeNamed is the size of a name.
//
// Errors: ErrUnsupported for a name that is none.
func SizeNamed(name string) (Size, error) {
	for _, s := range []Size{Full, Small, Tiny} {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fault.New(weft.ErrArgument, "bench", "%q, want full, small or tiny", name).For("size")
}

// of chooses by size.
func of[T any](s Size, full, small, tiny T) T { return [...]T{full, small, tiny}[s] }

// vector is the length of vectors of F32 that no cache holds.
func (s Size) vector() int { return of(s, 1<<26, 1<<22, 1<<13) }

// elem is the element type of models' layers: half floats on GPUs.
func (s Size) elem() weft.DType { return of(s, weft.F16, weft.F32, weft.F32) }

// List is the works of sets by name, of the default ones if there are no names, each once.
//
// Errors: ErrArgument for an unknown set.
func List(s Size, names ...string) ([]Work, error) { return ListSampled(s, DefaultSample, names...) }

// ListSampled is List with a sample for the set "sampled".
//
// Errors: ErrArgument for an unknown set or family, and for a sample of no works.
func ListSampled(s Size, sample Sample, names ...string) ([]Work, error) {
	if err := sample.check(); err != nil {
		return nil, err
	}
	known := make([]string, len(Sets))
	for i, set := range Sets {
		known[i] = set.Name
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fault.New(weft.ErrArgument, "bench", "%q, want one of %s", name, strings.Join(known, ", ")).For("set")
		}
	}
	var list []Work
	place := map[string]int{}
	for _, set := range Sets {
		if len(names) == 0 && !set.Default || len(names) > 0 && !slices.Contains(names, set.Name) {
			continue
		}
		works := set.works
		if set.Name == Sampled {
			works = sample.works
		}
		for _, w := range works(s) {
			if at, ok := place[w.Name]; ok {
				list[at].Sets = append(list[at].Sets, set.Name)
				if w.Series != "" {
					list[at].Series, list[at].X = w.Series, w.X
				}
				continue
			}
			w.Sets = []string{set.Name}
			place[w.Name] = len(list)
			list = append(list, w.finish())
		}
	}
	return list, nil
}

// llama is Llama-3-8B (Dubey et al., The Llama 3 Herd of Models, 2024, table 3): 4096 channels, 14336 between the two
// parts of the MLP, 32 heads and 8 of keys of 128 channels, 128256 tokens known. One token is a step of generation,
// 16 are a batch of them, more are a prompt.
func llama(s Size) (list []Work) {
	elem := s.elem()
	channels, hidden, known, length := of(s, 4096, 512, 33), of(s, 14336, 1792, 50), of(s, 128256, 16032, 70), of(s, 4096, 256, 19)
	linear := func(m, n, k int) Work { return product{op: "linear", elem: elem, m: m, n: n, k: k}.work() }
	for _, tokens := range of(s, []int{1, 16, 512, 4096}, []int{1, 16, 64}, []int{1, 5}) {
		list = append(list, linear(tokens, channels, channels), linear(tokens, hidden, channels), linear(tokens, channels, hidden),
			product{op: "linear", note: "swiglu", elem: elem, m: tokens, n: hidden, k: channels, gate: true}.work(), swiGLULayer(elem, tokens, hidden, channels))
		if tokens <= 16 { // only the last token of a prompt is asked what follows
			list = append(list, linear(tokens, known, channels), sample(elem, tokens, known), topK(elem, tokens, known, of(s, 50, 50, 5)))
		}
		list = append(list, norm("rmsnorm", elem, tokens, channels), residualNorm("rmsnorm", elem, tokens, channels), gated(elem, tokens, hidden))
	}
	a := heads{elem: elem, batch: 1, heads: of(s, 32, 8, 4), groups: of(s, 8, 2, 2), keys: length, size: of(s, 128, 64, 8)}
	prompt, step, steps := a, a, a
	prompt.queries, prompt.causal = length, true
	step.queries, steps.queries, steps.batch = 1, 1, of(s, 16, 4, 3)
	return append(list, prompt.work(), step.work(), steps.work())
}

// vit is ViT-B/16 (Dosovitskiy et al., An Image is Worth 16x16 Words, 2021, table 1): 196 patches and a class token of 768
// channels, 3072 within the MLP, 12 heads of 64.
func vit(s Size) []Work {
	elem, images := s.elem(), of(s, 32, 1, 1)
	tokens, channels, hidden := of(s, 197, 197, 11), of(s, 768, 768, 24), of(s, 3072, 3072, 51)
	rows := images * tokens
	linear := func(n, k int, gelu bool) Work {
		note := "bias"
		if gelu {
			note = "bias gelu"
		}
		return product{op: "linear", note: note, elem: elem, m: rows, n: n, k: k, bias: true, gelu: gelu}.work()
	}
	return []Work{
		layer{images: images, channels: 3, side: of(s, 224, 224, 32), filters: channels, kernel: 16, stride: 16}.work(elem),
		linear(3*channels, channels, false), linear(channels, channels, false),
		linear(hidden, channels, true), linear(channels, hidden, false),
		norm("layernorm", elem, rows, channels), softmax(elem, images*12*tokens, tokens),
		heads{elem: elem, batch: images, heads: 12, groups: 12, queries: tokens, keys: tokens, size: of(s, 64, 64, 8)}.work(),
	}
}

// resnet is ResNet-50 (He et al., Deep Residual Learning, 2015, table 1): the first layer and those of each stage.
func resnet(s Size) (list []Work) {
	images, reduce := of(s, 32, 1, 1), of(s, 1, 4, 8)
	for _, l := range []layer{
		{channels: 3, side: 224, filters: 64, kernel: 7, stride: 2, padding: 3},
		{channels: 64, side: 56, filters: 64, kernel: 1, stride: 1},
		{channels: 64, side: 56, filters: 64, kernel: 3, stride: 1, padding: 1},
		{channels: 64, side: 56, filters: 256, kernel: 1, stride: 1},
		{channels: 128, side: 28, filters: 128, kernel: 3, stride: 1, padding: 1},
		{channels: 256, side: 14, filters: 256, kernel: 3, stride: 1, padding: 1},
		{channels: 1024, side: 14, filters: 512, kernel: 1, stride: 2},
		{channels: 512, side: 7, filters: 512, kernel: 3, stride: 1, padding: 1},
		{channels: 512, side: 7, filters: 2048, kernel: 1, stride: 1},
	} {
		l.images = images
		if l.side > 50 {
			l.side /= reduce
		}
		if s != Full && l.channels > 3 {
			l.channels, l.filters = l.channels/reduce, l.filters/reduce
		}
		list = append(list, l.work(weft.F32))
		if s == Full || l.kernel == 3 {
			list = append(list, l.work(weft.F16))
		}
		if l.kernel == 3 && l.channels == of(s, 256, 64, 32) {
			l.last = true
			list = append(list, l.work(weft.F32), l.work(weft.F16))
		}
	}
	return list
}

// square is square products in every precision, and those that are far from square.
func square(s Size) []Work {
	n := of(s, 4096, 512, 65)
	p := func(elem weft.DType, m, n, k int) product { return product{elem: elem, m: m, n: n, k: k} }
	tf32, tf32x3, batch, columns, atomic := p(weft.F32, n, n, n), p(weft.F32, n, n, n), p(weft.F16, n/4, n/4, n/4), p(weft.F16, 1, 2*n, 2*n), p(weft.F32, n/32, n/32, 4*n)
	tf32.precision, tf32x3.precision = tile.TF32, tile.TF32x3
	batch.batch = of(s, 64, 8, 3)
	columns.columns, columns.note = true, "of columns"
	atomic.tiles, atomic.note = ops.MatMulConfig{Atomic: true}, "atomic"
	gelu := product{op: "linear", note: "bias gelu", elem: weft.F16, bias: true, gelu: true, m: 8 * n, n: n, k: n / 4}
	list := []product{
		p(weft.F32, n, n, n), p(weft.F32, n-1, n+1, n-3), // sizes that no vector width divides
		tf32x3, tf32, p(weft.F16, n, n, n), p(weft.BF16, n, n, n), p(weft.I8, n, n, n), batch, gelu,
		p(weft.F16, 1, 2*n, 2*n), p(weft.F16, 16, 2*n, 2*n), columns,
		p(weft.F32, n/32, n/32, 4*n), atomic, // few tiles of a long reduction
	}
	works := make([]Work, len(list))
	for i, p := range list {
		works[i] = p.work()
	}
	return works
}

// matrixProducts is products whose limit is the rate of matrix instructions, or for few rows the memory.
func matrixProducts(s Size) (works []Work) {
	n := of(s, 4096, 256, 65)
	var list []product
	add := func(p product) { list = append(list, p) }
	for _, elem := range []weft.DType{weft.F16, weft.BF16} {
		for _, side := range []int{n, 2 * n} {
			p := product{elem: elem, m: side, n: side, k: side}
			add(p)
			p.columns = true
			add(p)
			p.columns, p.aColumns = false, true
			add(p)
		}
		for _, side := range []int{n / 2, n / 4} {
			add(product{elem: elem, m: side, n: side, k: side})
		}
	}
	add(product{elem: weft.F16, m: n - 1, n: n + 1, k: n - 3})
	for _, rows := range []int{1, 16, 64, 128} {
		add(product{elem: weft.F16, m: rows, n: 2 * n, k: 2 * n})
		add(product{elem: weft.F16, m: rows, n: 2 * n, k: 2 * n, columns: true})
	}
	add(product{op: "linear", note: "bias gelu", elem: weft.F16, bias: true, gelu: true, m: 8 * n, n: n, k: n / 4})
	add(product{elem: weft.F16, batch: of(s, 64, 8, 3), m: n / 4, n: n / 4, k: n / 4})
	for _, side := range []int{n, 2 * n} {
		add(product{elem: weft.F32, m: side, n: side, k: side})
	}
	for _, precision := range []tile.Precision{tile.TF32, tile.TF32x3} {
		p := product{elem: weft.F32, m: n, n: n, k: n, precision: precision}
		add(p)
		p.columns = true
		add(p)
	}
	i8 := product{elem: weft.I8, m: n, n: n, k: n}
	add(i8)
	i8.columns = true
	add(i8)
	for _, p := range list {
		works = append(works, p.work())
	}
	return works
}

// others has the ops that are not element-wise functions, and some that are.
func others(s Size) []Work {
	n, cols, k := s.vector(), of(s, 4096, 4096, 512), of(s, 4096, 1024, 128)
	rows, batch := n/cols, of(s, 4, 1, 1)
	list := []Work{add(weft.F32, n), add(weft.F16, 2*n), addRow(weft.F32, rows, cols)}
	list = append(list, functions(n, weft.F32, "exp where clamp")...)
	list = append(list, functions(2*n, weft.F16, "gelu")...)
	list = append(list, copies(s)...)
	for _, r := range catalog.AllReductions {
		list = append(list, reduced(r, rows, cols, 1))
	}
	sum, argMax := catalog.ReductionNamed("sum"), catalog.ReductionNamed("argmax")
	list = append(list, reduced(sum, rows, cols, 0), reduced(sum, 1, n, 1), reduced(argMax, 1, n, 1),
		softmax(weft.F32, rows, cols), softmax(weft.F32, 1, n), logSoftmax(weft.F32, rows, cols),
		norm("layernorm", weft.F16, rows, cols), norm("rmsnorm", weft.F16, rows, cols),
		randomUniform(n), randomNormal(n), dropout(n), topK(weft.F32, max(rows/64, 1), cols, of(s, 1024, 64, 40)), topK(weft.F32, 1, n/64, n/1024))
	list = append(append(list, tables(s)...), moves(s)...)
	list = append(list, indexed(s)...)
	list = append(append(list, scans(s)...), rowGrads(s)...)
	list = append(append(list, sorts(s)...), counts(s)...)
	list = append(list, crossEntropies(s)...)
	list = append(list, groupNorms(s)...)
	list = append(list, batchNorms(s)...)
	list = append(list, pools(s)...)
	list = append(list, resizes(s)...)
	list = append(list, contractions(s)...)
	list = append(list, convGrads(s)...)
	list = append(list, spatialConvs(s)...)
	for _, m := range of(s, []int{1, 16, 4096}, []int{1, 16}, []int{1, 5}) {
		list = append(list, quantizedMatMul(groups4, m, k, k), quantizedMatMul(groups4, m, k*7/2, k), quantizedMatMul(channels8, m, k, k),
			quantizedMatMul(nf4, m, k, k), quantizedMatMul(ops.MXFP4, m, k, k), quantizedMatMul(fp8, m, k, k))
	}
	list = append(list, quantize(groups4, k, k), dequantize(groups4, k, k), dequantize(ops.MXFP4, k, k))
	depthwise := layer{images: of(s, 32, 1, 1), channels: 96, side: of(s, 112, 28, 14), filters: 96, kernel: 3, stride: 1, padding: 1, groups: 96}
	columns := layer{images: of(s, 32, 1, 1), channels: of(s, 64, 64, 5), side: of(s, 56, 28, 9), filters: 1, kernel: 3, stride: 1, padding: 1}
	list = append(list, depthwise.work(weft.F32), columns.columns(weft.F32))
	depthwise.last = true
	list = append(list, depthwise.work(weft.F32))
	a := heads{batch: batch, heads: of(s, 32, 4, 2), groups: of(s, 32, 4, 2), queries: k, keys: k, size: of(s, 128, 64, 16)}
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		a.elem = elem
		for _, a.causal = range []bool{false, true} {
			list = append(list, a.work())
		}
	}
	return list
}

// scaling has series of one op each.
func scaling(s Size) (list []Work) {
	for _, elem := range []weft.DType{weft.F32, weft.F16} {
		for n := of(s, 256, 64, 8); n <= of(s, 8192, 1024, 32); n *= 2 {
			list = append(list, product{elem: elem, m: n, n: n, k: n}.work().in(fmt.Sprintf("matmul %v", elem), n))
		}
	}
	for bits := of(s, 16, 12, 8); bits <= of(s, 28, 24, 12); bits += 2 {
		list = append(list, add(weft.F32, 1<<bits).in("add f32", 1<<bits))
	}
	for bits := of(s, 6, 6, 4); bits <= of(s, 18, 16, 8); bits += 2 {
		list = append(list, softmax(weft.F32, s.vector()>>bits, 1<<bits).in("softmax f32", 1<<bits))
	}
	return list
}
