package peers

import (
	"encoding/binary"
	"math"

	"github.com/weftgpu/weft/bench/suite"
)

// Slack is how many times weft's bound on rounding errors a peer may be off: it promises other things.
const Slack = 8

// checkPeer checks the elements that a peer sent, if others than weft can compute them at all.
func checkPeer(w suite.Work, got []float64) error {
	if w.Private {
		return nil
	}
	return w.CheckWithin(got, Slack, w.Theirs)
}

func float32Bytes(x []float64) []byte {
	raw := make([]byte, 0, 4*len(x))
	for _, v := range x {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return raw
}
