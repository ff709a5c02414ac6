package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/all"
	"github.com/weftgpu/weft/ops"
)

// work is one op on one size.
type work struct {
	Op     string  // name and size, the same as the peers use
	Bytes  float64 // that must move at least, or 0
	Flop   float64 // operations, or 0
	inputs [][]int // shapes
	output []int
	run    func(out *weft.Tensor, in []*weft.Tensor) error
	// check compares a sample of the output with float64 arithmetic.
	check func(out []float32, in [][]float32) error
}

// result is one line of output.
type result struct {
	Who     string  `json:"who"`
	Op      string  `json:"op"`
	Seconds float64 `json:"seconds"` // median
	Quarter float64 `json:"quarter"` // lower quartile
	GBps    float64 `json:"gbps"`    // 0 where operations count
	TFLOPps float64 `json:"tflops"`  // 0 where bytes count
	Error   string  `json:"error,omitempty"`
}

func main() {
	device := flag.String("device", "", "backend or backend:index; all if empty")
	asJSON := flag.Bool("json", false, "print one JSON object a line")
	scale := flag.Int("scale", 0, "log2 of the vector's length; 0 chooses by the kind of device")
	side := flag.Int("side", 0, "side of the matrices; 0 chooses by the kind of device")
	flag.Parse()
	var results []result
	for _, info := range weft.Devices() {
		if info.Refused != nil || *device != "" && info.Spec() != *device && info.Backend != *device {
			continue
		}
		results = append(results, benchDevice(info, *scale, *side)...)
	}
	if *asJSON {
		enc := json.NewEncoder(os.Stdout)
		for _, r := range results {
			enc.Encode(r)
		}
		return
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "device\top\ttime\tGB/s\tTFLOP/s\t")
	for _, r := range results {
		if r.Error != "" {
			fmt.Fprintf(w, "%s\t%s\t%s\t\t\t\n", r.Who, r.Op, r.Error)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%v\t%s\t%s\t\n", r.Who, r.Op, time.Duration(r.Seconds*1e9).Round(100*time.Nanosecond), rate(r.GBps), rate(r.TFLOPps))
	}
	w.Flush()
}

// rate prints four significant digits, "-" where nothing was counted.
func rate(x float64) string {
	if x == 0 {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

func benchDevice(info weft.DeviceInfo, scale, side int) []result {
	dev, err := weft.Open(info.Spec())
	if err != nil {
		return []result{{Who: info.Spec(), Error: err.Error()}}
	}
	defer dev.Close()
	if scale == 0 {
		scale = 22
		if info.Kind.String() == "gpu" {
			scale = 28
		}
	}
	if side == 0 {
		side = 1024
		if info.Kind.String() == "gpu" {
			side = 4096
		} else if info.Kind.String() == "software" {
			side = 512
		}
	}
	var out []result
	for _, w := range []work{
		addWork(scale),
		matmulWork(side, side, side),
		matmulWork(side-1, side+1, side-3), // sizes that no vector width divides
		softmaxWork(1<<(scale-12), 4096),
	} {
		r := result{Who: info.Spec(), Op: w.Op}
		times, err := measure(dev, w)
		if err != nil {
			r.Error = err.Error()
		} else {
			r.Seconds, r.Quarter = times[len(times)/2], times[len(times)/4]
			r.GBps, r.TFLOPps = w.Bytes/r.Seconds/1e9, w.Flop/r.Seconds/1e12
		}
		out = append(out, r)
	}
	return out
}

// prepare makes random inputs, runs the work once and checks its output. It
// returns a function that runs it again.
func prepare(dev *weft.Device, w work) (run func() error, err error) {
	in, host := make([]*weft.Tensor, len(w.inputs)), make([][]float32, len(w.inputs))
	for i, shape := range w.inputs {
		if in[i], host[i], err = random(dev, uint64(i), shape...); err != nil {
			return nil, err
		}
	}
	out, err := weft.Empty(dev, weft.F32, w.output...)
	if err != nil {
		return nil, err
	}
	run = func() error { return w.run(out, in) }
	if err := run(); err != nil {
		return nil, err
	}
	got, err := weft.ToSlice[float32](out)
	if err != nil {
		return nil, err
	}
	return run, w.check(got, host)
}

// measure times a piece of work: batches of launches between two timestamps, as
// many as fill a millisecond or so, 21 times or until two seconds are spent. It
// returns the sorted seconds of one launch.
func measure(dev *weft.Device, w work) ([]float64, error) {
	run, err := prepare(dev, w)
	if err != nil {
		return nil, err
	}
	once, err := dev.Time(run)
	if err != nil {
		return nil, err
	}
	n := int(min(max(1, 2*time.Millisecond/max(once, time.Microsecond)), 50))
	var times []float64
	for start := time.Now(); len(times) < 21 && (len(times) < 3 || time.Since(start) < 2*time.Second); {
		t, err := dev.Time(func() error {
			for range n {
				if err := run(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		times = append(times, t.Seconds()/float64(n))
	}
	slices.Sort(times)
	return times, nil
}

// random makes a tensor of normally distributed values.
func random(dev *weft.Device, seed uint64, shape ...int) (*weft.Tensor, []float32, error) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	period := make([]float32, min(n, 1<<20+7)) // repeated: drawing 2^28 numbers takes longer than all else
	for i := range period {
		period[i] = float32(rng.NormFloat64())
	}
	x := make([]float32, n)
	for i := 0; i < n; i += len(period) {
		copy(x[i:], period)
	}
	t, err := weft.FromSlice(dev, x, shape...)
	return t, x, err
}

func addWork(scale int) work {
	n := 1 << scale
	return work{
		Op: fmt.Sprintf("add f32 2^%d", scale), Bytes: 12 * float64(n),
		inputs: [][]int{{n}, {n}}, output: []int{n},
		run: func(out *weft.Tensor, in []*weft.Tensor) error { return ops.AddInto(out, in[0], in[1]) },
		check: func(out []float32, in [][]float32) error {
			for i, got := range out {
				if want := in[0][i] + in[1][i]; got != want {
					return fmt.Errorf("element %d is %v, want %v", i, got, want)
				}
			}
			return nil
		},
	}
}

func matmulWork(m, n, k int) work {
	return work{
		Op: fmt.Sprintf("matmul f32 %dx%dx%d", m, n, k), Flop: 2 * float64(m) * float64(n) * float64(k),
		inputs: [][]int{{m, k}, {k, n}}, output: []int{m, n},
		run:   func(out *weft.Tensor, in []*weft.Tensor) error { return ops.MatMulInto(out, in[0], in[1]) },
		check: func(out []float32, in [][]float32) error { return checkProduct(out, in[0], in[1], m, n, k) },
	}
}

func softmaxWork(rows, cols int) work {
	return work{
		Op: fmt.Sprintf("softmax f32 %dx%d", rows, cols), Bytes: 8 * float64(rows*cols),
		inputs: [][]int{{rows, cols}}, output: []int{rows, cols},
		run:   func(out *weft.Tensor, in []*weft.Tensor) error { return ops.SoftmaxInto(out, in[0]) },
		check: func(out []float32, in [][]float32) error { return checkSoftmax(out, in[0], rows, cols) },
	}
}

// checkProduct compares a sample of a product's elements with sums in float64.
func checkProduct(got, a, b []float32, m, n, k int) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		i, j := rng.IntN(m), rng.IntN(n)
		sum, magnitudes := 0.0, 0.0
		for p := range k {
			x := float64(a[i*k+p]) * float64(b[p*n+j])
			sum += x
			magnitudes += math.Abs(x)
		}
		bound := ops.MatMulBound(weft.F32, 0, k, sum, magnitudes)
		if diff := math.Abs(float64(got[i*n+j]) - sum); !(diff <= bound) {
			return fmt.Errorf("element %d,%d is %v, want %v within %v", i, j, got[i*n+j], sum, bound)
		}
	}
	return nil
}

// checkSoftmax compares a sample of rows with float64.
func checkSoftmax(got, x []float32, rows, cols int) error {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 50 {
		r := rng.IntN(rows)
		row, sum := x[r*cols:(r+1)*cols], 0.0
		top := float64(slices.Max(row))
		for _, v := range row {
			sum += math.Exp(float64(v) - top)
		}
		for c, v := range row {
			want := math.Exp(float64(v)-top) / sum
			bound := ops.SoftmaxBound(weft.F32, cols, top-float64(v), want)
			if diff := math.Abs(float64(got[r*cols+c]) - want); !(diff <= bound) {
				return fmt.Errorf("element %d,%d is %v, want %v within %v", r, c, got[r*cols+c], want, bound)
			}
		}
	}
	return nil
}
