package kernels

import (
	"cmp"
	"fmt"
	"math/bits"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
	"github.com/weftgpu/weft/tune"
)

// SampleConfig is what Sample is built for.
type SampleConfig struct {
	Elem     weft.DType
	Rank     int  // dimensions after merging; the last one holds a row
	Filtered bool // there is a limit to how many tokens are kept, or to their share
	Stepped  bool // how far the stream has been used is a view
	Unroll   int  // elements of each lane that are loaded at a time
	Deep     int  // elements of one lane that are searched at a time, a power of two
	Threads  int  // of a workgroup; 0 lets the compiler choose

	List        int // tokens that a second kernel has in registers, a power of two; 0 for one kernel: see SampleListed
	ListThreads int // of its workgroups

	Lanes       int `json:",omitzero"` // of each program where several share a row, a power of two; 0 where a program has a row: see SampleSums
	Depth       int `json:",omitzero"` // elements of each of them that are loaded at a time, a power of two
	PartThreads int `json:",omitzero"` // of a workgroup of such a program
	Draws       int `json:",omitzero"` // rounds by such programs
}

// SampleProblem is what the config of a draw from each row depends on.
type SampleProblem struct {
	Elem     weft.DType
	Filtered bool
	Stepped  bool
	X        tune.View // the logits in merged dimensions, rows last
}

// Row is the length of a row.
func (p SampleProblem) Row() int { return p.X.Size[p.X.Rank-1] }

func (p SampleProblem) rows() int { return countOf(p.X.Shape()) / max(p.Row(), 1) }

// sampleDeepest is how much of a lane is searched at a time at most.
const sampleDeepest = 256

func (p SampleProblem) Rule(caps target.Caps) SampleConfig {
	each := CeilDiv(p.Row(), sampleLanes)
	cfg := SampleConfig{Elem: p.Elem, Rank: int(p.X.Rank), Filtered: p.Filtered, Stepped: p.Stepped, Unroll: 1, Deep: min(max(pow2.Ceil(each), 32), sampleDeepest)}
	if caps.WholeTiles {
		return cfg
	}
	cfg.Threads = caps.FitThreads(512)
	if !scarce(caps) { // loads of 2 elements a thread, of which enough are outstanding to hide what they take
		cfg.Unroll = min(pow2.Ceil(each), 16)
	}
	threads := caps.FitThreads(listThreads)
	for threads*listShared > caps.SharedBytes && threads > 32 {
		threads /= 2
	}
	if p.Filtered && listRows*listedEach*threads <= p.Row() {
		cfg.List, cfg.ListThreads = listedEach*threads, threads
	}
	p.share(caps, &cfg, threads)
	return cfg
}

// share has several programs share a row where there are fewer rows than units have room for; so many threads have room for a list.
func (p SampleProblem) share(caps target.Caps, cfg *SampleConfig, threads int) {
	units, rows := caps.Facts().Units, max(p.rows(), 1)
	if scarce(caps) || 2*rows > sharedPrograms*units || p.Row() < sharedRow {
		return
	}
	for cfg.Lanes = sharedLanes; rows*cfg.Parts() > sharedPrograms*units; {
		cfg.Lanes *= 2
	}
	cfg.PartThreads = caps.FitThreads(min(max(pow2.Floor(512*units/(rows*cfg.Parts())), 128), 512))
	cfg.Depth = max(sharedEach*cfg.PartThreads/cfg.Lanes, 1)
	if !p.Filtered {
		return
	}
	cfg.Draws = sharedDraws + (bits.Len(uint(rows-1))+1)/2
	cfg.List = min(sharedList, listedEach*threads, pow2.Floor(p.Row()/listRows))
	cfg.ListThreads = min(threads, max(cfg.List/listedEach, 32))
}

const (
	// sharedRow is how long a row is at least whose programs take less together, in several launches.
	sharedRow = 1 << 14
	// sharedLanes are the lanes of a program that shares a row, each of which is a line of 128 bytes of 16-bit elements; sharedEach is how many elements a thread loads at a
	// time, and sharedDraws how many tokens such programs draw of one row, after which it hardly ever has more above the last one than a list of sharedList has room for. A row that
	// has goes on alone, for which all others wait, and each draw leaves a quarter of such rows or less: four times as many rows have one more.
	sharedLanes, sharedEach, sharedDraws, sharedList = 64, 8, 3, 1 << 13
	// sharedPrograms are the most programs of a unit that share rows.
	sharedPrograms = 4
)

const (
	// listThreads are the threads of a workgroup that has listed tokens in registers, and listedEach is how many tokens each has.
	listThreads, listedEach = 1024, 16
	// listShared are the bytes of shared memory of a thread whose sums pass through that, where subgroups cannot shuffle: three words and their parts of scans.
	listShared = 40
	// listRows is how many times as long as the list a row is at least: reading it again takes longer than a second launch then.
	listRows = 4
)

func (p SampleProblem) List(caps target.Caps) []SampleConfig {
	list := []SampleConfig{p.Rule(caps)}
	for _, threads := range []int{64, 128, 256, 512, 1024} {
		for unroll := 1; unroll <= 16; unroll *= 2 {
			cfg := list[0]
			cfg.Unroll = unroll
			if !caps.WholeTiles {
				cfg.Threads = threads
			}
			if cfg.Unroll < 2*CeilDiv(p.Row(), sampleLanes) && (caps.MaxThreads == 0 || threads <= caps.MaxThreads) {
				list = appendNew(list, cfg)
			}
		}
	}
	for _, c := range []SampleConfig{list[0].Alone(), list[0].Alone().Unlisted()} {
		list = appendNew(list, c)
	}
	return list
}

// Alone is the config in which a program has a row.
func (cfg SampleConfig) Alone() SampleConfig {
	cfg.Lanes, cfg.Depth, cfg.PartThreads, cfg.Draws = 0, 0, 0, 0
	return cfg
}

// Passes are the config that the kernels are built for, which do not depend on how many tokens are drawn before others go on with the list, and that number.
func (cfg SampleConfig) Passes() (kernel SampleConfig, draws int) {
	kernel, draws = cfg, cfg.Draws
	kernel.Draws = min(draws, 1)
	return kernel, draws
}

// Unlisted is the config without a list.
func (cfg SampleConfig) Unlisted() SampleConfig {
	cfg.List, cfg.ListThreads = 0, 0
	return cfg
}

func (p SampleProblem) Legal(caps target.Caps, cfg SampleConfig) error {
	if cfg.Elem != p.Elem || cfg.Rank != int(p.X.Rank) || cfg.Filtered != p.Filtered || cfg.Stepped != p.Stepped {
		return fmt.Errorf("the config is for %v of rank %d", cfg.Elem, cfg.Rank)
	}
	if err := checkTile(caps, cfg.Threads, cfg.Deep, cfg.Unroll); err != nil {
		return err
	}
	if cfg.Unroll > 32 || cfg.Deep < 2 || cfg.Deep > sampleLanes {
		return fmt.Errorf("%d loads at a time and %d elements of a lane, want at most 32, and 2 to %d", cfg.Unroll, cfg.Deep, sampleLanes)
	}
	if cfg.List != 0 && (!cfg.Filtered || cfg.List > p.Row()) {
		return fmt.Errorf("a list of %d tokens of rows of %d, filtered: %v; want filtered rows that are longer", cfg.List, p.Row(), cfg.Filtered)
	}
	if err := checkTile(caps, cfg.ListThreads, max(cfg.List, 1)); err != nil {
		return err
	}
	if cfg.Lanes != 0 {
		if err := cmp.Or(checkTile(caps, cfg.PartThreads, cfg.Lanes, cfg.Depth), checkArea(caps, cfg.Lanes*cfg.Depth, cfg.PartThreads)); err != nil {
			return err
		}
		if cfg.Lanes > sampleLanes || (cfg.List > 0) != cfg.Filtered || cfg.Filtered != (cfg.Draws > 0) {
			return fmt.Errorf("programs of %d of %d lanes and %d draws that list %d tokens, filtered: %v", cfg.Lanes, sampleLanes, cfg.Draws, cfg.List, cfg.Filtered)
		}
	}
	return cmp.Or(checkArea(caps, sampleLanes*cfg.Unroll, cfg.Threads), checkArea(caps, cfg.List, cfg.ListThreads))
}

// passes is how often a row is read, if the first round or the second draws a token that is kept.
func (p SampleProblem) passes() float64 {
	if p.Filtered {
		return 3.5
	}
	return 2
}

func (p SampleProblem) Work(_ target.Caps, cfg SampleConfig) tune.Work {
	step := sampleLanes * cfg.Unroll
	steps := CeilDiv(p.Row(), step)
	w := streamWork(p.X, cfg.Elem, float64(p.rows()*steps*step), p.passes(), p.rows(), step, sampleLanes, cfg.Threads)
	w.Flops *= 3
	w.Chain = steps * int(p.passes())
	return w
}

func (p SampleProblem) Needs(target.Caps) tune.Needs {
	return tune.Needs{Read: bytesOf(p.Elem, p.X), Written: 4 * float64(p.rows())}
}

func (p SampleProblem) Bucket() SampleProblem {
	p.X = p.X.Bucket()
	return p
}

func (p SampleProblem) Kernel(cfg SampleConfig) (*tile.Func, error) { return Sample.Build(cfg) }
