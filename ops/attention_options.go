package ops

import "github.com/weftgpu/weft"

// AttentionScale replaces the factor of the scores, which is 1/√D. It may be 0 or negative, and is below 2^127 in magnitude.
func AttentionScale(x float64) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.scale, c.scaled = x, true })
}

// Causal hides from each query the keys after its own. The last query is aligned with
// the last key, so that Sq queries continue a sequence of Sk keys: query i sees the keys up to
// i + Sk - Sq, and none if that is negative. (PyTorch's is_causal aligns query 0 with key 0:
// see FromStart. The two are the same for Sq = Sk.)
//
// With SlidingWindow both hold, in any order.
func Causal() AttentionOption {
	return attentionOption(func(c *attentionCall) { c.causal = true })
}

// SlidingWindow lets each query see its own key, as many before it and as many after it as
// given; a negative number means all of them. Causal says which key is a query's own. With
// Causal both hold: a window of (before, after) and Causal is one of (before, 0).
func SlidingWindow(before, after int) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.before, c.after = before, after })
}

// FromStart aligns query 0 with key 0 for Causal and SlidingWindow.
func FromStart() AttentionOption { return attentionOption(func(c *attentionCall) { c.start = true }) }

// AttentionMask gives a tensor that broadcasts to [B,Hq,Sq,Sk]: of Bool, true where a query
// sees a key; or of F32, F16 or BF16, to be added to the scores after they are scaled, where -infinity hides a key. A number below -2.35e38 does, too:
// exponentials are of base 2, and its product with log2(e) is infinite.
//
// Where warpgroups multiply (CUDA on Hopper), a mask of Bool is packed to bits by a launch before, in memory of an eighth of its own; what the mask repeats in memory counts once.
func AttentionMask(mask *weft.Tensor) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.mask, c.hasMask = mask, true })
}

// KeyLengths says how many keys each batch has: a tensor [B] of I32, with numbers up to Sk; larger ones count as Sk, those below 0 as 0. Keys and
// values beyond have no part in the result, whatever they hold, and are not read but for the rest of a tile. Causal and SlidingWindow align
// the last query with the last of these keys.
//
// The kernels read the lengths, so that a sequence that is captured serves every step of a cache that grows.
func KeyLengths(lengths *weft.Tensor) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.lengths, c.hasLengths = lengths, true })
}

// LogSumExpOption is an option of attention and of losses.
type LogSumExpOption interface {
	AttentionOption
	LossOption
}

// LogSumExp stores the natural logarithm of a sum of exponentials in lse. Of attention it is that of each query's scores, F32 of shape
// [B,Hq,Sq]. Of CrossEntropy it is that of each row of logits, in the shape of the losses of rows, F32, of F64 logits F64; CrossEntropyGrad
// reads there what CrossEntropy stored.
func LogSumExp(lse *weft.Tensor) LogSumExpOption { return &logSumExpOption{lse} }

type logSumExpOption struct{ lse *weft.Tensor }

func (l *logSumExpOption) setAttention(c *attentionCall) { c.lse, c.hasLSE = l.lse, true }

func (l *logSumExpOption) setLoss(c *lossCall) { c.lse, c.hasLSE = l.lse, true }

// BlockTable takes keys and values from a paged cache: k and v are pools of pages [Pages,Hkv,PageSize,D], and the table, a tensor
// [B,MaxPages] of I32, has the numbers of each batch's pages in order, so that key j of batch b is row j%PageSize of page table[b,j/PageSize]. Sk
// is MaxPages·PageSize then, of which KeyLengths says how many there are. PageSize is a power of two from 16 on.
//
// The kernels read the table. A number outside of the pool counts as that of the nearest page, which is 0 or the last one; those of pages beyond a
// length are not read, whatever they are. On GPUs whose hardware copies blocks (Hopper by CUDA) a step of a kernel takes several small pages, and with cooperative matrices of Vulkan one of few queries; elsewhere pages are best of 64
// keys and more.
func BlockTable(table *weft.Tensor) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.table, c.hasTable = table, true })
}

// QueryStarts packs the queries of sequences of any lengths, without padding: q and the result are [1,Hq,T,D], and those of sequence n are the rows from
// starts[n] to starts[n+1]-1 of T, for a tensor of starts [N+1] of I32, as cumulative lengths are, that begins with 0. A sequence is what is a batch without: k and
// v are [N,Hkv,Sk,D], or packed, too, by KeyStarts, or pages by BlockTable; KeyLengths is [N]; and Causal and SlidingWindow
// align the last query of each sequence with its last key. LogSumExp is [1,Hq,T]. AttentionMask is ErrUnsupported.
//
// The kernels read the starts, so that a sequence of launches that is captured serves other lengths. Starts outside of q count as
// its nearest end. Rows of the result whose queries no sequence has are undefined, and so are all where starts decrease; whatever they are, nothing outside of the tensors is
// read or written.
func QueryStarts(starts *weft.Tensor) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.queryStarts, c.hasQueryStarts = starts, true })
}

// KeyStarts packs the keys and values of sequences, or of batches of q: k and v are [1,Hkv,T,D], and sequence n has the rows from starts[n] to starts[n+1]-1,
// of which KeyLengths may leave some out; see QueryStarts. Starts outside of k count as its nearest end, and a sequence that ends before it starts has no keys. It does
// not go with BlockTable.
func KeyStarts(starts *weft.Tensor) AttentionOption {
	return attentionOption(func(c *attentionCall) { c.keyStarts, c.hasKeyStarts = starts, true })
}
