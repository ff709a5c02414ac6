package chart

import (
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/bench/report"
	"github.com/weftgpu/weft/bench/result"
	"github.com/weftgpu/weft/bench/suite"
	_ "github.com/weftgpu/weft/internal/testenv" // has passes verified
)

// simulated is a run over every set as it might be on a large GPU: times follow the roofline, each contender's with a share of
// its own and some noise.
func simulated(t *testing.T) (list []result.Result) {
	t.Helper()
	var sets []string
	for _, s := range suite.Sets {
		if s.Name != "elementwise" { // 41 works more in one picture
			sets = append(sets, s.Name)
		}
	}
	works, err := suite.List(suite.Full, sets...)
	if err != nil {
		t.Fatal(err)
	}
	peaks := map[string]float64{"f32": 51e12, "tf32": 380e12, "tf32x3": 120e12, "f16": 650e12, "bf16": 660e12, "i8": 1300e12}
	shares := map[string]float64{"cuda:0": 0.8, "vulkan:0": 0.6, "webgpu:0": 0.5, "pytorch 2.11.0": 0.85, "triton 3.6.0": 0.7}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, w := range works {
		for _, who := range []string{"cuda:0", "vulkan:0", "webgpu:0", "pytorch 2.11.0", "triton 3.6.0"} {
			if strings.HasPrefix(who, "triton") && !slices.Contains([]string{"matmul", "linear", "softmax", "layernorm", "add"}, w.Op) {
				continue
			}
			r := result.Result{Work: w.Name, Op: w.Op, Family: w.Family(), Sets: w.Sets, Series: w.Series, X: w.X, Who: who, Device: "NVIDIA H200", Kind: "gpu",
				Bytes: w.Bytes, Flop: w.Flop, Unit: w.Unit, Bandwidth: 4.4e12, Peak: peaks[w.Unit], Version: "v0", Batch: 1}
			ideal, _ := r.Ideal()
			r.Seconds = []float64{2e-6 + ideal/shares[who]*math.Exp(0.2*math.Abs(rng.NormFloat64()))}
			list = append(list, r)
		}
	}
	return list
}

// Works done with several numbers of cores have a picture each, others none.
func TestCores(t *testing.T) {
	var list []result.Result
	for n := 1; n <= 16; n *= 2 {
		for _, who := range []string{"cpu:0", "pytorch 2.15.0"} {
			list = append(list, result.Result{Work: "exp f32 2^22", Who: who, Device: "CPU", Kind: "cpu", Cores: n, Seconds: []float64{2e-3 / float64(n)}, Bytes: 1 << 25})
		}
	}
	list = append(list, result.Result{Work: "add f32 2^22", Who: "cpu:0", Device: "CPU", Kind: "cpu", Cores: 4, Seconds: []float64{1e-3}, Bytes: 1 << 25})
	pictures := cores(list)
	if len(pictures) != 1 || pictures[0].name != "cores-exp-f32-2-22" || len(pictures[0].legend) != 2 {
		t.Errorf("%d pictures, want one of two contenders: %+v", len(pictures), pictures)
	}
	if _, err := Write(t.TempDir(), list); err != nil {
		t.Error(err)
	}
}

// A curve has the ratios of a device in ascending order, and families with a few works have none.
func TestSortedRatios(t *testing.T) {
	var list []result.Result
	for i := range 2 * leastSorted {
		work, family := fmt.Sprint("matmul f16 ", i), "matmul"
		if i%2 > 0 && i > 2 {
			work, family = fmt.Sprint("softmax f32 ", i), "softmax"
		}
		for who, seconds := range map[string]float64{"cuda:0": 1 + float64(i*7%5), "pytorch 2.15.0": 2} {
			list = append(list, result.Result{Work: work, Family: family, Who: who, Seconds: []float64{seconds}})
		}
	}
	pictures := sortedRatios(list)
	if len(pictures) != 1 || pictures[0].name != "sorted-matmul" || len(pictures[0].legend) != 1 || pictures[0].legend[0].who != "cuda:0" {
		t.Errorf("%d pictures, want one of one device: %+v", len(pictures), pictures)
	}
	if pictures := sortedFamilies(list); len(pictures) != 0 {
		t.Errorf("%d pictures of one family that has a curve, want none", len(pictures))
	}
	for i := range leastSorted {
		for _, who := range []string{"vulkan:0", "pytorch 2.15.0"} {
			for _, family := range []string{"copies", "reductions"} {
				list = append(list, result.Result{Work: fmt.Sprint(family, i), Family: family, Who: who, Seconds: []float64{float64(1 + i)}})
			}
		}
	}
	if pictures := sortedFamilies(list); len(pictures) != 1 || pictures[0].name != "families-vulkan-0" || len(pictures[0].legend) != 2 || pictures[0].legend[1].who != fmt.Sprintf("reductions (%d)", leastSorted) {
		t.Errorf("%d pictures, want one of two families: %+v", len(pictures), pictures)
	}
	times := timesOf(result.Ratios(list), "cuda:0")
	if len(times) != 2*leastSorted || !slices.IsSorted(times) || times[0] != 0.4 || times[len(times)-1] != 2 {
		t.Errorf("ratios are %v, want %d from 0.4 to 2", times, 2*leastSorted)
	}
}

// Every picture is there in both formats, whole, and of the width asked for.
func TestWrite(t *testing.T) {
	folder := filepath.Join(os.Getenv("WEFT_CHARTS"), t.Name()) // to look at them
	if os.Getenv("WEFT_CHARTS") == "" {
		folder = t.TempDir()
	}
	files, err := Write(folder, simulated(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ops", "ratio", "bars-matmul", "bars-reductions", "sorted-matmul", "sorted-copies", "roofline-NVIDIA-H200", "scaling-matmul-f32", "scaling-add-f32", "scaling-softmax-f32"} {
		for _, suffix := range []string{".png", ".svg"} {
			if !slices.Contains(files, filepath.Join(folder, name+suffix)) {
				t.Errorf("no %s%s", name, suffix)
			}
		}
	}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if strings.HasSuffix(path, ".svg") {
			for d := xml.NewDecoder(file); err != io.EOF; {
				if _, err = d.Token(); err != nil && err != io.EOF {
					t.Fatalf("%s: %v", path, err)
				}
			}
			continue
		}
		image, err := png.Decode(file)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if size := image.Bounds().Size(); size.X != int(Width.Dots(DPI)) || size.Y < size.X/8 {
			t.Errorf("%s is %v pixels", path, size)
		}
		colors := map[[3]uint32]bool{}
		for y := 0; y < image.Bounds().Dy(); y += 3 {
			for x := 0; x < image.Bounds().Dx(); x += 3 {
				r, g, b, _ := image.At(x, y).RGBA()
				colors[[3]uint32{r, g, b}] = true
			}
		}
		if len(colors) < 10 {
			t.Errorf("%s has %d colours: nothing is drawn", path, len(colors))
		}
	}
}

// What cannot be drawn is an error, or left out.
func TestLittle(t *testing.T) {
	if _, err := Write(t.TempDir(), []result.Result{{Work: "add f32 1", Op: "add", Who: "cpu:0", Error: "no memory"}}); err == nil {
		t.Error("failures alone are drawn")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	one := result.Result{Work: "add f32 1", Op: "add", Who: "cpu:0", Bytes: 12, Seconds: []float64{1}}
	if _, err := Write(file, []result.Result{one}); err == nil {
		t.Error("a file is a folder")
	}
	files, err := Write(t.TempDir(), []result.Result{one})
	if err != nil || len(files) != 2 || !strings.HasSuffix(files[0], "bars-add.png") {
		t.Errorf("one result without a roofline gives %v, %v", files, err)
	}
}

func TestDecades(t *testing.T) {
	var labels []string
	for _, tick := range (decades{}).Ticks(0.7, 30) {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	if got := strings.Join(labels, " "); got != "1 2 5 10 20" {
		t.Errorf("labels %q", got)
	}
}

// Means are over what all have done, and whoever has done little is not in the row.
func TestMeans(t *testing.T) {
	r := func(who, work string, seconds float64) result.Result {
		return result.Result{Who: who, Work: work, Op: "add", Seconds: []float64{seconds}}
	}
	list := means([]result.Result{
		r("cuda:0", "a", 1), r("cuda:0", "b", 4), r("cuda:0", "c", 100), r("cuda:0", "d", 1), r("cuda:0", "e", 1),
		r("pytorch", "a", 2), r("pytorch", "b", 8), r("pytorch", "x", 1e6), r("triton", "a", 7),
	}, result.Result.Median, report.Number)
	if len(list) != 1 || len(list[0].bars) != 2 || list[0].bars[0].note != "2" || list[0].bars[1].note != "4" {
		t.Errorf("%+v", list)
	}
}

// Ceilings that are nearly equal are one line, and the highest comes first.
func TestCeilings(t *testing.T) {
	list := ceilingsOf([]result.Result{{Unit: "f32", Peak: 50e12}, {Unit: "f16", Peak: 640e12}, {Unit: "bf16", Peak: 650e12}})
	if len(list) != 2 || !slices.Equal(list[0].units, []string{"bf16", "f16"}) || list[1].peak != 50e12 {
		t.Errorf("%+v", list)
	}
}
