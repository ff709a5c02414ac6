package result

import (
	"math"
	"slices"
	"strings"
)

// Result is what one contender, a device or another library, made of one work.
type Result struct {
	Work   string   `json:"work"` // op, element type and sizes
	Op     string   `json:"op"`
	Family string   `json:"family,omitempty"` // of ops that are alike
	Sets   []string `json:"sets,omitempty"`
	Series string   `json:"series,omitempty"` // of sizes, in which X is this one's
	X      float64  `json:"x,omitempty"`

	Who    string `json:"who"`              // "cuda:0", "pytorch 2.11.0"
	Device string `json:"device"`           // the processor's name
	Driver string `json:"driver,omitempty"` // and its driver's
	Kind   string `json:"kind"`             // "gpu", "cpu" or "software"
	Cores  int    `json:"cores,omitempty"`  // of the host that may work, where that is not a GPU's matter
	Config string `json:"config,omitempty"` // that the op's rule chooses there

	Launches []Launch `json:"launches,omitempty"` // of works drawn at random: what the rule's choice launches

	Version string `json:"version"` // of this module
	Date    string `json:"date"`    // RFC 3339

	Seconds []float64 `json:"seconds,omitempty"` // of one launch, each the mean over a batch of Launches, ascending
	Batch   int       `json:"batch,omitempty"`   // launches between two timestamps
	Copies  int       `json:"copies,omitempty"`  // of the operands, used one after another so that caches do not hold them

	First   float64 `json:"first,omitempty"`   // seconds of the first launch, with what was compiled for it or came from the disk
	Kernels int     `json:"kernels,omitempty"` // compiled for it or from the disk, which no launch before had

	Bytes float64 `json:"bytes"`          // that must move
	Flop  float64 `json:"flop,omitempty"` // operations
	Unit  string  `json:"unit,omitempty"` // in which arithmetic

	Bandwidth float64 `json:"bandwidth,omitempty"` // bytes a second that the machine was measured to move
	Peak      float64 `json:"peak,omitempty"`      // operations a second that it was measured to do in Unit

	Error string `json:"error,omitempty"` // why there are no times
}

// OK says whether there are times.
func (r Result) OK() bool { return r.Error == "" && len(r.Seconds) > 0 }

// Median is the median time of a launch in seconds.
func (r Result) Median() float64 { return r.quantile(0.5) }

// Quartiles are the times that a quarter and three quarters of the samples do not exceed.
func (r Result) Quartiles() (lower, upper float64) { return r.quantile(0.25), r.quantile(0.75) }

// quantile interpolates between samples, as R's default does (type 7 of Hyndman and Fan, 1996).
func (r Result) quantile(q float64) float64 {
	if len(r.Seconds) == 0 {
		return math.NaN()
	}
	x := r.Seconds
	if !slices.IsSorted(x) {
		x = slices.Sorted(slices.Values(x))
	}
	at := q * float64(len(x)-1)
	i := int(at)
	if i+1 == len(x) {
		return x[i]
	}
	return x[i] + (at-float64(i))*(x[i+1]-x[i])
}

// Ideal is the least time in which the machine could do the work by its measured ceilings, and whether
// memory is what limits it: the roofline model (Williams, Waterman and Patterson, 2009). It is 0 if
// the ceilings are not known.
func (r Result) Ideal() (seconds float64, memory bool) {
	move, compute := over(r.Bytes, r.Bandwidth), over(r.Flop, r.Peak)
	return max(move, compute), move >= compute
}

func over(x, rate float64) float64 {
	if rate == 0 {
		return 0
	}
	return x / rate
}

// Attained is the share of the roofline's rate that was reached, 0 if it is not known.
func (r Result) Attained() float64 {
	if !r.OK() || r.Bandwidth == 0 {
		return 0
	}
	ideal, _ := r.Ideal()
	return ideal / r.Median()
}

// GBps and TFLOPps are the rates of the median, 0 for nothing.
func (r Result) GBps() float64    { return over(r.Bytes, r.Median()) / 1e9 }
func (r Result) TFLOPps() float64 { return over(r.Flop, r.Median()) / 1e12 }

// Machine names the processor and its memory: a GPU by its name, and all that is no GPU as the host.
func (r Result) Machine() string {
	if r.Kind == "gpu" {
		return r.Device
	}
	return "host"
}

// Where are the results that a test holds for.
func Where(results []Result, holds func(Result) bool) []Result {
	return slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return !holds(r) })
}

// Distinct lists what results are of, in their order, each once.
func Distinct(results []Result, of func(Result) string) (list []string) {
	for _, r := range results {
		if x := of(r); !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// Fastest is the least median of each work.
func Fastest(results []Result) map[string]float64 {
	best := map[string]float64{}
	for _, r := range results {
		if t, ok := best[r.Work]; r.OK() && (!ok || r.Median() < t) {
			best[r.Work] = r.Median()
		}
	}
	return best
}

// Raise lifts ceilings that some result exceeds to what that reached, so that no share is above 1: the machine
// can do it, though the kernels that measured its roofline could not.
func Raise(results []Result) {
	type key struct{ machine, unit string }
	peaks, bandwidths := map[key]float64{}, map[string]float64{}
	for _, r := range results {
		if !r.OK() || r.Bandwidth == 0 {
			continue
		}
		k, m := key{r.Machine(), r.Unit}, r.Machine()
		peaks[k] = max(peaks[k], r.Peak, over(r.Flop, r.Median()))
		bandwidths[m] = max(bandwidths[m], r.Bandwidth, over(r.Bytes, r.Median()))
	}
	for i, r := range results {
		if r.Bandwidth == 0 {
			continue
		}
		results[i].Bandwidth = bandwidths[r.Machine()]
		if r.Peak > 0 {
			results[i].Peak = peaks[key{r.Machine(), r.Unit}]
		}
	}
}

// IsDevice reports whether the contender is a device of weft, and not another library.
func (r Result) IsDevice() bool { return strings.Contains(r.Who, ":") }

// Ratio is how many times as fast as the fastest other library a device was at a work.
type Ratio struct {
	Result
	Times float64
}

// Ratios lists the ratios of all works that a device and another library did.
func Ratios(results []Result) (list []Ratio) {
	best := Fastest(Where(results, func(r Result) bool { return !r.IsDevice() }))
	for _, r := range results {
		if other, done := best[r.Work]; done && r.OK() && r.IsDevice() {
			list = append(list, Ratio{r, other / r.Median()})
		}
	}
	return list
}
