package kernels

import (
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/target"
)

// Blocks are 16 bytes of each of 4 threads, or fewer words where K or the groups that share scales are no multiples of that.
func TestInterleavedBlock(t *testing.T) {
	scheme := func(bits, group, columns int) QuantScheme {
		return QuantScheme{Bits: bits, Block: [2]int{group, columns}}
	}
	asymmetric, nf4, powers := scheme(4, 128, 1), scheme(4, 128, 1), scheme(8, 128, 1)
	asymmetric.Asymmetric, nf4.Codes, powers.PowersOfTwo = true, NF4, true
	for name, c := range map[string]struct {
		scheme    QuantScheme
		packed, k int
		want      int
	}{
		"groups":                   {scheme(4, 128, 1), 0, 4096, 128},
		"zero points":              {asymmetric, 0, 4096, 128},
		"larger groups":            {scheme(4, 1024, 1), 0, 4096, 128},
		"groups of 64":             {scheme(4, 64, 1), 0, 4096, 64},
		"groups of 32":             {scheme(4, 32, 1), 0, 4096, 32},
		"groups of 16":             {scheme(4, 16, 1), 0, 4096, 0},
		"groups of 96":             {scheme(4, 96, 1), 0, 960, 32},
		"groups of 24":             {scheme(4, 24, 1), 0, 960, 0},
		"columns":                  {scheme(4, 0, 1), 0, 4096, 128},
		"squares":                  {scheme(4, 128, 128), 0, 4096, 128},
		"one scale":                {scheme(8, 0, 0), 0, 4096, 64},
		"K of whole words":         {scheme(4, 0, 1), 0, 160, 32},
		"K of 2 words":             {scheme(4, 0, 1), 0, 192, 64},
		"K of parts of words":      {scheme(4, 0, 1), 0, 4096 + 16, 0},
		"no K":                     {scheme(4, 0, 1), 0, 0, 0},
		"packed along the columns": {scheme(4, 128, 1), 1, 4096, 0},
		"bytes":                    {scheme(8, 64, 1), 0, 4096, 64},
		"bytes, groups of 32":      {scheme(8, 32, 1), 0, 4096, 32},
		"bytes, groups of 16":      {scheme(8, 16, 1), 0, 4096, 16},
		"bytes, groups of 8":       {scheme(8, 8, 1), 0, 4096, 0},
		"bytes, K of a word":       {scheme(8, 0, 1), 0, 4096 + 16, 16},
		"code book":                {nf4, 0, 4096, 128},
		"MXFP4":                    {MXFP4.T(), 0, 4096, 32},
		"powers of two":            {powers, 0, 4096, 64},
		"no weights":               {QuantScheme{}, 0, 4096, 0},
	} {
		v := QuantView{QuantScheme: c.scheme, Packed: c.packed, Scale: weft.F32}
		if got := v.InterleavedBlock(c.k); got != c.want {
			t.Errorf("%s: blocks of %d, want %d", name, got, c.want)
		}
		if c.want == 0 {
			continue
		}
		cfg := MatMulConfig{Elem: weft.F16, BM: 8, BN: 64, BK: c.want, Interleave: c.want, Weights: v}
		if err := cfg.CheckInterleave(c.k); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if cfg.BK, cfg.Interleave = 2*c.want, 2*c.want; cfg.CheckInterleave(c.k) == nil {
			t.Errorf("%s: blocks of %d are taken", name, cfg.Interleave)
		}
	}
}

// Scales come first of groups alone, and bytes are exchanged of blocks.
func TestInterleavedForms(t *testing.T) {
	groups, columns := QuantScheme{Bits: 4, Block: [2]int{128, 1}}, QuantScheme{Bits: 4, Block: [2]int{0, 1}}
	for name, c := range map[string]struct {
		scheme         QuantScheme
		block          int
		first, inOrder bool
		want           bool
	}{
		"groups":                {groups, 128, true, true, true},
		"columns":               {columns, 128, false, true, true},
		"scales of columns":     {columns, 128, true, false, false},
		"scales without blocks": {groups, 0, true, false, false},
		"order without blocks":  {groups, 0, false, true, false},
	} {
		cfg := MatMulConfig{Elem: weft.F16, BM: 8, BN: 64, BK: 128, Interleave: c.block, ScaleFirst: c.first, InOrder: c.inOrder, Weights: QuantView{QuantScheme: c.scheme, Scale: weft.F32}}
		if err := cfg.CheckInterleave(4096); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The rule takes the path for rows of 16 bits on devices with matrix instructions alone, and everything that it chooses is legal and fits the weights.
func TestInterleavedRule(t *testing.T) {
	h200 := preset(t, "h200")
	ampere := preset(t, "a100")
	plain := h200.Caps
	plain.Matrix, plain.WarpGroups = 0, false
	cpu := target.Caps{Language: target.TileIR, WholeTiles: true}
	groups := QuantScheme{Bits: 4, Block: [2]int{128, 1}}
	nf4 := groups
	nf4.Codes = NF4
	for name, c := range map[string]struct {
		caps    target.Caps
		scheme  QuantScheme
		elem    weft.DType
		m       int
		fastest int
		want    bool
	}{
		"rows":            {h200.Caps, groups, weft.F16, 16, 0, true},
		"one row":         {h200.Caps, groups, weft.BF16, 1, 0, true},
		"many rows":       {h200.Caps, groups, weft.F16, 1000, 0, true},
		"rows of warps":   {ampere.Caps, groups, weft.F16, 128, 0, true},
		"too many":        {ampere.Caps, groups, weft.F16, 129, 0, false}, // for registers, without a producer
		"F32":             {h200.Caps, groups, weft.F32, 16, 0, false},
		"across":          {h200.Caps, QuantScheme{Bits: 8, Block: [2]int{128, 1}}, weft.F16, 16, 1, false},
		"codes":           {h200.Caps, nf4, weft.F16, 16, 0, true},
		"MXFP4":           {h200.Caps, MXFP4.T(), weft.F16, 16, 0, true},
		"no instructions": {plain, groups, weft.F16, 16, 0, false},
		"CPU":             {cpu, groups, weft.F16, 16, 0, false},
	} {
		p := QuantizedProblem{Elem: c.elem, A: MatrixView(c.m, 4096, 1), N: 4096, Weights: QuantView{QuantScheme: c.scheme, Scale: weft.F32}, Fastest: c.fastest}
		for i, cfg := range p.List(c.caps) {
			if i == 0 && (cfg.Interleave > 0) != c.want || cfg.Interleave > 0 && !c.want {
				t.Errorf("%s: %+v, interleaved: %v", name, cfg, c.want)
			}
			if cfg.Interleave == 0 {
				continue
			}
			if err := cfg.CheckInterleave(4096); err != nil {
				t.Errorf("%s: %+v: %v", name, cfg, err)
			}
			if err := p.Legal(c.caps, cfg); err != nil {
				t.Errorf("%s: %+v: %v", name, cfg, err)
			}
		}
	}
}
