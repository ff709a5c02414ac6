package kernels

import (
	"github.com/weftgpu/weft/internal/lower/plan"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tune"
)

// looseCost is what an element of a row that begins anywhere takes a thread, in multiplications: it is shifted out of two vectors, and nothing is loaded
// meanwhile. (F16 4096³ in rows of 8186 bytes on an H200: 100 TFLOP/s.)
const looseCost = 20.0

// LoadSeconds is how long compute units are busy with starting what brings the operands of products [m,k] by [k,n], count of them, to shared memory: copies of
// so many bytes each of the left and of the right one, at most, or loads where these are less than a word.
func LoadSeconds(caps target.Caps, cfg MatMulConfig, m, n, k, count int, runs [2]int) float64 {
	size, depth := cfg.Elem.Size(), CeilDiv(k, cfg.BK)*cfg.BK
	each := func(run int) float64 {
		if run < plan.CopiedBytes {
			return looseCost
		}
		return wordCost * float64(size) / float64(run)
	}
	perStep := each(runs[0])*float64(cfg.BM) + each(runs[1])*float64(cfg.BN)
	return 2 * float64(count*cfg.tilesOf(m, n)*depth) * perStep / tune.ModelFor(caps).Flops
}
