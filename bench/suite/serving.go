package suite

import (
	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/ops"
)

// layersOfFewBits are linear layers, [outputs, inputs], of models that people run with weights of few bits. Products of the same input are one.
var layersOfFewBits = [][2]int{
	{6144, 4096}, {4096, 4096}, {28672, 4096}, {4096, 14336}, // Llama 3 8B, Mistral 7B: query, key and value; output; gate and up; down
	{4608, 3584}, {37888, 3584}, {3584, 18944}, // Qwen2.5 7B, whose output is as its query
	{8192, 8192}, {8192, 28672}, // Llama 3 70B
}

// fewBits is products with weights of few bits for rows from one token's to a prompt's.
func fewBits(s Size) (list []Work) {
	shrink := of(s, 1, 8, 64)
	for _, layer := range of(s, layersOfFewBits, layersOfFewBits[:4], layersOfFewBits[1:3]) {
		n, k := layer[0]/shrink, max(layer[1]/shrink, 128)
		for _, m := range of(s, []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 1024, 4096}, []int{1, 16, 64}, []int{3}) {
			list = append(list, quantizedMatMul(groups4, m, n, k), quantizedMatMul(channels8, m, n, k))
			if m == 1 || m == 16 || m == 64 {
				list = append(list, quantizedMatMul(nf4, m, n, k), quantizedMatMul(ops.MXFP4, m, n, k), quantizedMatMul(fp8, m, n, k))
			}
		}
	}
	return list
}

// prefill is attention of prompts: heads of every common size, as many batches and heads as make 16384 tokens of 2048 channels, as the
// benchmark of FlashAttention has it (Dao, FlashAttention-2, 2023, section 4.1).
func prefill(s Size) (list []Work) {
	tokens, channels := of(s, 16384, 512, 32), of(s, 2048, 128, 32)
	for _, size := range of(s, []int{64, 80, 96, 112, 128, 160, 192, 256}, []int{32, 64}, []int{16}) {
		count := max(channels/size, 1)
		for keys := tokens / 16; keys <= 2*tokens; keys *= 2 {
			for _, elem := range []weft.DType{weft.F16, weft.BF16} {
				for _, causal := range []bool{false, true} {
					list = append(list, heads{elem: elem, batch: max(tokens/keys, 1), heads: count, groups: count, queries: keys, keys: keys, size: size, causal: causal}.work())
				}
			}
		}
	}
	return list
}

// masked is attention of prompts with masks of Booleans, one for each head or for each batch, whose rows begin with words or at any byte.
func masked(s Size) (list []Work) {
	tokens, channels := of(s, 8192, 512, 32), of(s, 2048, 128, 32)
	for _, size := range of(s, []int{64, 80, 128, 256}, []int{64}, []int{16}) {
		count := max(channels/size, 1)
		for keys := tokens / 16; keys <= tokens/2; keys *= 2 {
			for _, odd := range []int{0, 1} {
				for _, mask := range []mask{maskOfAll, maskShared} {
					list = append(list, heads{elem: weft.F16, batch: tokens / keys, heads: count, groups: count, queries: keys - odd, keys: keys - odd, size: size, mask: mask}.work())
				}
			}
		}
	}
	return list
}

// decode is attention of steps of generation: 1 to 16 queries of each sequence, and keys that several heads share or not, up to 4 GiB of keys and values.
func decode(s Size) (list []Work) {
	most := of(s, 1<<31, 1<<22, 1<<14) // elements
	h := heads{elem: weft.F16, groups: of(s, 8, 2, 1), size: of(s, 128, 64, 16)}
	for _, group := range []int{1, 4, 8} {
		for _, batch := range of(s, []int{1, 8, 64}, []int{1, 4}, []int{1}) {
			for _, keys := range of(s, []int{1 << 10, 1 << 13, 1 << 15, 1 << 17}, []int{256, 1024}, []int{50}) {
				for _, queries := range []int{1, 4, 16} {
					h.heads, h.batch, h.keys, h.queries = group*h.groups, batch, keys, queries
					if 2*batch*keys*h.groups*h.size <= most {
						list = append(list, h.work())
					}
				}
			}
		}
	}
	return list
}
