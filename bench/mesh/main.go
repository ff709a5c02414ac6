package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	_ "github.com/weftgpu/weft/backend/cpu"
	_ "github.com/weftgpu/weft/backend/cuda"
	"github.com/weftgpu/weft/mesh"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// timing says how samples are taken, by weft as by PyTorch.
type timing struct {
	WarmUps int     `json:"warm_ups"`
	Batch   float64 `json:"batch"` // seconds that the calls of a sample take together
	Most    int     `json:"most"`  // calls of a sample
	Samples int     `json:"samples"`
}

func run(args []string) error {
	f := flag.NewFlagSet("mesh", flag.ContinueOnError)
	name := f.String("backend", "cuda", "backend of the devices")
	devices := f.Int("devices", 0, "number of devices, 0 for all")
	sizes := f.String("size", "full", "full or tiny")
	peer := f.Bool("pytorch", true, "measure PyTorch, too, where it is")
	pattern := f.String("run", "", "regular expression: only works with such names")
	rounds := f.Int("rounds", 3, "rounds, in which all alternate")
	samples := f.Int("samples", 7, "samples of a round")
	sampled := f.Int("sampled", 0, "products of so many random shapes, too")
	seed := f.Uint64("seed", 1, "of the random shapes")
	if err := f.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*pattern)
	if err != nil {
		return err
	}
	g, err := mesh.Open(*name, *devices)
	if err != nil {
		return err
	}
	defer g.Close()
	works := slices.DeleteFunc(worksFor(*sizes == "tiny", g.Size(), *sampled, *seed), func(w work) bool { return !wanted.MatchString(w.Name) })
	rule := timing{WarmUps: 5, Batch: 0.01, Most: 200, Samples: *samples}
	fmt.Printf("%d × %s, %s\n", g.Size(), g.Devices()[0].Info().Name, g.Engine())
	var torch *python
	if *peer && *name == "cuda" {
		if torch, err = startPython(g.Size(), rule); err != nil {
			fmt.Println("no PyTorch:", err)
		} else {
			defer torch.close()
			fmt.Println("peer:", torch.who)
		}
	}
	fmt.Printf("%-44s %10s %10s %10s %11s %11s %7s\n", "work", "weft µs", "(host µs)", "pytorch µs", "weft", "pytorch", "ratio")
	times := map[string]float64{}
	for _, w := range works {
		weftTime, host, torchTime, err := measure(g, torch, w, rule, *rounds)
		if err != nil {
			fmt.Printf("%-44s %v\n", w.Name, err)
			continue
		}
		times[w.Name] = weftTime
		fmt.Println(row(w, weftTime, host, torchTime, times))
	}
	return nil
}

// row is a line of the table.
func row(w work, weftTime, host, torchTime float64, times map[string]float64) string {
	rate := func(t float64) string {
		switch {
		case t == 0:
			return "-"
		case w.Flop > 0:
			return fmt.Sprintf("%.0f Tflop", w.Flop/t/1e12)
		}
		return fmt.Sprintf("%.1f GB/s", w.Bytes/t/1e9)
	}
	s := fmt.Sprintf("%-44s %10.2f %10.2f %10.2f %11s %11s", w.Name, 1e6*weftTime, 1e6*host, 1e6*torchTime, rate(weftTime), rate(torchTime))
	if torchTime > 0 {
		s += fmt.Sprintf(" %7.3f", torchTime/weftTime)
	}
	if t := times[strings.TrimSuffix(strings.TrimPrefix(w.Name, "ring "), zigzagSuffix)]; w.Kind == "ring attention" && t > 0 {
		s += fmt.Sprintf("   %.3f of linear", t/weftTime/float64(w.Ranks))
	}
	alone := work{Kind: "gemm", M: w.M, N: w.N, K: w.K}
	if t := times[fmt.Sprintf("gemm bf16 %d×%d×%d", alone.M, alone.N, alone.K)]; w.M > 0 && w.Kind != "gemm" && t > 0 {
		s += fmt.Sprintf("   %.3f of the product alone", t/weftTime)
	}
	return s
}

// measure takes the samples of a work, alternately.
func measure(g *mesh.Group, torch *python, w work, rule timing, rounds int) (weftTime, host, torchTime float64, err error) {
	t, err := prepare(g, w)
	if err != nil {
		return 0, 0, 0, err
	}
	defer t.close()
	run := t.run
	if w.Replayed > 0 {
		step, err := g.Capture(func(rec []*weft.Recorder) error {
			for range w.Replayed {
				if err := t.recorded(rec); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return 0, 0, 0, err
		}
		defer step.Close()
		run = step.Replay
	}
	var ours, hosts, theirs []float64
	for range rounds {
		list, starts, err := sample(g, run, rule)
		if err != nil {
			return 0, 0, 0, err
		}
		ours, hosts = append(ours, list...), append(hosts, starts...)
		if torch != nil && w.Kind != "ring attention" { // which its users write themselves
			list, err := torch.measure(w)
			if err != nil {
				return 0, 0, 0, err
			}
			theirs = append(theirs, list...)
		}
	}
	if err := run(); err != nil {
		return 0, 0, 0, err
	}
	if err := t.check(); err != nil {
		return 0, 0, 0, err
	}
	calls := 1.0
	if w.Replayed > 0 {
		calls = float64(w.Replayed)
	}
	return median(ours) / calls, median(hosts) / calls, median(theirs) / calls, nil
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.SortFunc(list, cmp.Compare[float64])
	return list[len(list)/2]
}

// meet has rank 0's device wait for what the others have started, where they can: ranks may have different work.
func meet(g *mesh.Group) error {
	list := g.Devices()
	first, can := list[0].Backend().(backend.Peers)
	if !can {
		return nil
	}
	for _, d := range list[1:] {
		e, err := d.Backend().(backend.Peers).Mark()
		if err != nil {
			return err
		}
		if err := errors.Join(first.After(e), e.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sample times calls on rank 0's device, until all ranks have done them, and how long the host takes to start them.
func sample(g *mesh.Group, run func() error, rule timing) (list, hosts []float64, err error) {
	dev := g.Devices()[0]
	var host time.Duration
	timed := func(calls int) (time.Duration, error) {
		return dev.Time(func() error {
			start := time.Now()
			defer func() { host = time.Since(start) }()
			for range calls {
				if err := run(); err != nil {
					return err
				}
			}
			return meet(g)
		})
	}
	for range rule.WarmUps {
		if err := run(); err != nil {
			return nil, nil, err
		}
	}
	if err := g.Synchronize(); err != nil {
		return nil, nil, err
	}
	one, err := timed(3)
	if err != nil {
		return nil, nil, err
	}
	calls := min(max(int(rule.Batch/max(one.Seconds()/3, 1e-6)), 1), rule.Most)
	for range rule.Samples {
		if err := g.Synchronize(); err != nil {
			return nil, nil, err
		}
		t, err := timed(calls)
		if err != nil {
			return nil, nil, err
		}
		list, hosts = append(list, t.Seconds()/float64(calls)), append(hosts, host.Seconds()/float64(calls))
	}
	return list, hosts, nil
}
