package kernels

import (
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// What tiles of prompts take by warpgroups whose keys and values tensor maps copy, all keys by one program: fitted to 1600 times of 190 drawn works (F16, heads of 64 to 256, 65 to 7000 queries, full
// and causal, 1 to 16 heads that share keys) on an H200. The config that this expects to be the fastest takes 1.02 times as long as the fastest in the mean, of timings that differ by 2 to 5 % themselves.
const (
	// of a step where a unit is busy: products and scores, which do not hide each other, bytes, and latencies
	promptProducts, promptScore, promptLoads, promptWaits = 0.6, 15.5, 0.2, 0.12
	// of a step of a program that waits for itself
	loneProducts, loneScore, loneWaits = 0.75, 40, 0.2
	// of a tile: latencies, the part of them where a program has several, and how much of a step's time units differ by at the end, in steps of the mean tile
	promptStart, promptNext, promptTail = 2.2, 0.8, 0.9
)

// promptSteps are the steps of a tile in the mean and at most, and how many tiles the queries of a head or of a group of them are.
func (cfg AttentionConfig) promptSteps(p AttentionProblem) (mean float64, most, tiles int) {
	queries, keys, _ := p.Sizes()
	each, total := cfg.tileQueries(), 0
	tiles = CeilDiv(queries, each)
	for i := range tiles {
		seen := keys
		if p.Last {
			seen = min(keys, max(keys-queries+(i+1)*each, 0)) // the last query stands at the last key
		}
		n := CeilDiv(seen, cfg.BN)
		total, most = total+n, max(most, n)
	}
	return float64(total) / float64(max(tiles, 1)), most, tiles
}

// promptSeconds is how long programs should take that have all keys of a tile of queries, or of several.
func (cfg AttentionConfig) promptSeconds(caps target.Caps, p AttentionProblem) float64 {
	machine := caps.Facts()
	_, _, head := p.Sizes()
	mean, most, rows := cfg.promptSteps(p)
	units, scores, whole := float64(machine.Units), float64(cfg.BM*cfg.BN), pow2.Ceil(head)
	products, softmax := 4*scores*float64(whole)/max(machine.Matrix.F16, machine.Flops)*units, scores/machine.Flops*units
	loads := float64(2*cfg.BN*head*cfg.Elem.Size()) / machine.Cache * units
	busy := promptProducts*products + promptScore*softmax + promptLoads*loads + promptWaits*machine.Latency
	alone := (loneProducts*products+loneScore*softmax)/float64(max(cfg.BM/groupRows, 1)) + loneWaits*machine.Latency
	start := promptStart*machine.Latency + float64(2*cfg.BM*head*cfg.Elem.Size())/machine.Memory*units
	groups, room := p.Q.Size[0]*cfg.groups(p), cfg.room(caps)
	if cfg.Persistent > 0 {
		start, room = start*promptNext, 1
		if p.Last { // in pairs
			pairs := CeilDiv(rows, 2)
			mean *= float64(rows) / float64(pairs)
			start, rows = 2*start, pairs
		}
		return float64(CeilDiv(groups*rows, machine.Units)) * (mean*max(busy, alone) + start)
	}
	each := CeilDiv(groups*rows, machine.Units) // tiles of a unit
	if !p.Last || rows == 1 {
		rounds, left := each/room, each%room
		s := float64(rounds) * (mean*max(float64(room)*busy, alone) + start)
		if left > 0 {
			s += mean*max(float64(left)*busy, alone) + start
		}
		return s
	}
	together := float64(min(room, each))
	all := float64(groups*rows) / units * (mean*max(busy, alone/together) + start/together)
	return max(all+promptTail*mean*max(busy, alone), float64(most)*max(together*busy, alone)+start)
}

// fitPrompt chooses the tile, the heads in it and the programs of a prompt, of tiles of which the best one comes first. Keys stay in parts where those should take less time, so many seconds.
func (cfg *AttentionConfig) fitPrompt(caps target.Caps, p AttentionProblem, tiles []AttentionConfig, seconds float64) {
	queries, keys, _ := p.Sizes()
	if p.First {
		cfg.groupWindow(p)
		return
	}
	var best AttentionConfig
	least := 0.0
	for _, t := range tiles {
		c := *cfg
		c.Replace(t)
		c.cut(queries, keys)
		if c.Parts = 0; c.Producers == 0 || c.Legal(caps) != nil || c.BM < c.BN { // which measured slower in all of 4 works: 64×128 takes 1.1 to 1.45 of 128×128
			continue
		}
		for _, c := range c.promptChoices(caps, p) {
			if s := c.promptSeconds(caps, p); least == 0 || s < worthwhile*least {
				best, least = c, s
			}
		}
		if c.Workgroups > 0 { // sharesKeys tells which
			break
		}
	}
	if best.BM > 0 && (cfg.Parts <= 1 || least < seconds) {
		*cfg = best
	}
}

// groupWindow takes as many heads in a tile as share keys, if they fill it: a tile of queries sees the keys of a window and as many more as it has queries, whatever the window is.
func (cfg *AttentionConfig) groupWindow(p AttentionProblem) {
	queries, _, _ := p.Sizes()
	if queries <= groupRows || cfg.Producers == 0 || cfg.Parts > 1 {
		return
	}
	for _, n := range p.groupings(cfg.BM / 2) {
		if p.sharing()%n == 0 {
			cfg.TileHeads = n
		}
	}
}

// promptChoices lists a tile for one head and for several, with a program for each tile and with persistent ones; none if it is not one for prompts.
func (cfg AttentionConfig) promptChoices(caps target.Caps, p AttentionProblem) (list []AttentionConfig) {
	if queries, _, _ := p.Sizes(); p.First || queries <= groupRows || cfg.Producers == 0 || cfg.Parts > 1 {
		return nil
	}
	cfg.Heads = 0
	for _, n := range append([]int{0}, p.groupings(cfg.BM/2)...) {
		cfg.TileHeads = n
		for _, cfg.Persistent = range cfg.promptPrograms(caps, p) {
			list = append(list, cfg)
		}
	}
	return list
}

// mostPersistent are the most sums of a thread that leave registers for a loop over tiles.
const mostPersistent = 128

// promptPrograms lists how many persistent programs may take all tiles, which saves the start of a program for each, and 0 for a program for each tile. Where the head is in parts these take the registers
// that a loop needs. (16×16×1024×128 of F16, causal, on an H100: 180 µs, 172 with persistent programs; 10 heads of 192 for 4096 keys: 807 and 842.)
func (cfg AttentionConfig) promptPrograms(caps target.Caps, p AttentionProblem) []int {
	list := []int{0}
	if cfg.InFlight < 2 || p.Page > 0 {
		return list
	}
	if cfg.Last = p.Last; len(cfg.parts()) > 1 || cfg.sums() > mostPersistent {
		return list
	}
	queries, _, _ := p.Sizes()
	tiles := CeilDiv(queries, cfg.tileQueries())
	if p.Last {
		tiles = CeilDiv(tiles, 2)
	}
	if programs := caps.Facts().Units * cfg.room(caps); programs > 0 && tiles*p.Q.Size[0]*cfg.groups(p) > programs {
		list = append(list, programs)
	}
	return list
}
