package result

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/perf/benchfmt"
)

// names have spaces and slashes, which part the names of Go benchmarks.
var (
	escape   = strings.NewReplacer(" ", ",", "/", "%")
	unescape = strings.NewReplacer(",", " ", "%", "/")
)

// WriteBench writes results in the format of Go benchmarks, one line a sample, such as
//
//	BenchmarkMatmul/work=matmul,f32,4096x4096x4096/who=cuda:0 1 3200000 ns/op 6.2e+10 B/s 4.29e+13 flop/s 83 roofline%
//
// so that "benchstat -col /who" sets contenders side by side. Failures are left out: the format has none.
func WriteBench(out io.Writer, results []Result) error {
	w := benchfmt.NewWriter(out)
	for _, r := range results {
		line := benchfmt.Result{Name: benchName(r), Iters: max(r.Batch, 1)}
		for _, c := range [][2]string{
			{"goos", runtime.GOOS}, {"goarch", runtime.GOARCH}, {"version", r.Version},
			{"device", r.Device}, {"driver", r.Driver}, {"kind", r.Kind},
		} {
			line.Config = append(line.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
		}
		for _, s := range r.Seconds {
			line.Values = []benchfmt.Value{{Value: s, Unit: "sec/op", OrigValue: s * 1e9, OrigUnit: "ns/op"}, {Value: r.Bytes / s, Unit: "B/s"}}
			if r.Flop > 0 {
				line.Values = append(line.Values, benchfmt.Value{Value: r.Flop / s, Unit: "flop/s"})
			}
			if ideal, _ := r.Ideal(); ideal > 0 {
				line.Values = append(line.Values, benchfmt.Value{Value: 100 * ideal / s, Unit: "roofline%"})
			}
			if err := w.Write(&line); err != nil {
				return err
			}
		}
	}
	return nil
}

func benchName(r Result) benchfmt.Name {
	op := []rune(r.Op)
	op[0] = unicode.ToUpper(op[0])
	return benchfmt.Name(fmt.Sprintf("%s/work=%s/who=%s", string(op), escape.Replace(r.Work), escape.Replace(r.Who)))
}

// ReadBench reads what WriteBench wrote, with neighbouring lines of one benchmark as one result. Other benchmarks, and those without a time, are left
// out. Families, sets, series, unit, config and ceilings are not in the format.
//
// Errors: lines that break the format, by their number.
func ReadBench(in io.Reader, path string) (list []Result, err error) {
	lines := benchfmt.NewReader(in, path)
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, line
		case *benchfmt.Result:
			r, ok := fromBench(line)
			if !ok {
				continue
			}
			if n := len(list) - 1; n >= 0 && list[n].Work == r.Work && list[n].Who == r.Who && list[n].Version == r.Version {
				list[n].Seconds = append(list[n].Seconds, r.Seconds...)
				continue
			}
			list = append(list, r)
		}
	}
	for _, r := range list {
		slices.Sort(r.Seconds)
	}
	return list, lines.Err()
}

// fromBench is the result of one line.
func fromBench(line *benchfmt.Result) (r Result, ok bool) {
	_, parts := line.Name.Parts()
	for _, p := range parts {
		if work, ok := strings.CutPrefix(string(p), "/work="); ok {
			r.Work = unescape.Replace(work)
			r.Op, _, _ = strings.Cut(r.Work, " ")
		}
		if who, ok := strings.CutPrefix(string(p), "/who="); ok {
			r.Who = unescape.Replace(who)
		}
	}
	seconds, timed := line.Value("sec/op")
	bytes, _ := line.Value("B/s")
	flop, _ := line.Value("flop/s")
	r.Seconds, r.Batch, r.Bytes, r.Flop = []float64{seconds}, line.Iters, bytes*seconds, flop*seconds
	r.Version, r.Device, r.Driver, r.Kind = line.GetConfig("version"), line.GetConfig("device"), line.GetConfig("driver"), line.GetConfig("kind")
	return r, timed && isTime(seconds) && r.Work != "" && r.Who != ""
}
