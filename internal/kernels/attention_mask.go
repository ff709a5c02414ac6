package kernels

import (
	"math"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// A mask of Booleans has a byte for each score, in rows that begin at any byte of memory, and a thread of a warpgroup has two neighbours of every eight scores of a
// row. So a pass before packs it to bits (AttentionBits): the same words serve the threads that share a row, all bits of a step in one load of each row, which is
// outstanding while the scores are computed.

// maskBits are the Booleans of a word.
const maskBits = 32

// maskWords is what the words of a row are a multiple of, so that a thread loads those of a step at once.
const maskWords = 4

// BitWords is how many words the bits of a row of so many Booleans take.
func BitWords(keys int) int { return CeilDiv(CeilDiv(keys, maskBits), maskWords) * maskWords }

// AttentionBits packs masks: bit j of word w of a row of bits [B,H,S,W] of U32 is element 32w+j of that row of mask [B,H,S,K], and 0 from K on.
var AttentionBits = weft.NewKernel("attention_bits", describeAttentionBits)

// AttentionBitsConfig is what AttentionBits is built for.
type AttentionBitsConfig struct {
	Rows, Words int // of bits of one program, powers of two
	Threads     int // of a workgroup; 0 lets the compiler choose
}

// PacksMask reports whether a mask is to be packed to bits: where warpgroups multiply, see above.
func (cfg AttentionConfig) PacksMask() bool { return cfg.Mask == dtype.Bool && cfg.Producers > 0 }

// bitsThread are the Booleans of a thread, four vectors of memory, and bitsRun those of a vector.
const bitsThread, bitsRun = 64, 16

// AttentionBitsConfigFor chooses the config for rows of so many words.
func AttentionBitsConfigFor(caps target.Caps, rows, words int) AttentionBitsConfig {
	cfg := AttentionBitsConfig{Threads: caps.FitThreads(256)}
	all := max(cfg.Threads, 1) * bitsThread / maskBits
	cfg.Words = min(pow2.Ceil(max(words, 1)), 32, all)
	cfg.Rows = min(all/cfg.Words, pow2.Ceil(max(rows, 1)))
	return cfg
}

func describeAttentionBits(k *tile.Builder, cfg AttentionBitsConfig) {
	k.Schedule(tile.Schedule{Threads: cfg.Threads})
	mask, bits := k.In("mask", dtype.U8, 4), k.Out("bits", dtype.U32, 4)
	at := k.ProgramTile(bits, 1, 1, cfg.Rows, cfg.Words)
	m := rowsOf(mask, cfg.Rows, cfg.Words*maskBits).Load(at...)
	m = m.Reshape(cfg.Rows, cfg.Words, maskBits/bitsRun, bitsRun)
	places := k.Const(dtype.U32, 1).Shl(k.Iota(3, 1, 1, 1, bitsRun).Bitcast(dtype.U32)) // constants where a thread has all of a run
	runs := k.Where(m.Ne(0), places, k.Zeros(dtype.U32, 1, 1, 1, 1)).Sum(3).Reshape(cfg.Rows, cfg.Words, maskBits/bitsRun)
	words := runs.Shl(k.Iota(2, 1, 1, maskBits/bitsRun).Mul(bitsRun).Bitcast(dtype.U32)).Sum(2)
	rowsOf(bits, cfg.Rows, cfg.Words).Store(words.Reshape(cfg.Rows, cfg.Words), at...)
}

// bitsOf loads the words with the bits of step i.
func (a *attention) bitsOf(i *tile.Value) *tile.Value {
	if a.cfg.BN >= maskBits {
		return rowsOf(a.mask, a.cfg.BM, a.cfg.BN/maskBits).Load(a.batch, a.head, a.row, i)
	}
	steps := maskBits / a.cfg.BN // that share a word
	w := rowsOf(a.mask, a.cfg.BM, 1).Load(a.batch, a.head, a.row, i.Div(steps))
	return w.Shr(i.Rem(steps).Mul(a.cfg.BN).Bitcast(dtype.U32))
}

// groupColumns are the columns of the scores of which a thread of a warpgroup has two.
const groupColumns = 2 * quad

// shown are the scores of words that bitsOf loaded which are not hidden. Words are shifted first by what depends on the thread alone, so that the bits that are looked at are constants.
func (a *attention) shown(words *tile.Value) *tile.Value {
	n := min(a.cfg.BN, maskBits)
	columns := words.Reshape(a.cfg.BM, a.cfg.BN/n, 1, 1, 1).Shr(a.Iota(3, 1, 1, 1, quad, 1).Mul(2).Bitcast(dtype.U32))
	group, second := a.Iota(2, 1, 1, n/groupColumns, 1, 1).Mul(groupColumns), a.Iota(4, 1, 1, 1, 1, 2)
	bit := a.Const(dtype.U32, 1).Shl(group.Add(second).Bitcast(dtype.U32))
	return columns.And(bit).Ne(0).Reshape(a.cfg.BM, a.cfg.BN)
}

// leastMask is the least number of a mask that hides no key: less times log2(e) is -infinity.
const leastMask = lowest / math.Log2E

// addMask scales the scores of step i where they are scaled as they come, and applies the mask to them; bits are its words where it is packed.
func (a *attention) addMask(s *tile.Var, i, bits, hidden *tile.Value) {
	if a.scaled() {
		s.Set(s.Get().Mul(a.scale))
	}
	switch {
	case a.mask == nil:
		return
	case bits != nil:
		s.Set(a.Where(a.shown(bits), s.Get(), hidden))
		return
	}
	m := rowsOf(a.mask, a.cfg.BM, a.cfg.BN).Load(a.batch, a.head, a.row, i)
	if a.cfg.Mask == dtype.Bool {
		s.Set(a.Where(m, s.Get(), hidden))
		return
	}
	m = m.Cast(dtype.F32)
	s.Set(a.Where(m.Lt(leastMask), hidden, m.FMA(math.Log2E, s.Get()))) // a score that is NaN is hidden, too
}
