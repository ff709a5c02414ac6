package endtoend

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	_ "github.com/weftgpu/weft/backend/vulkan"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/ops"
)

// traced is an entry of a trace.
type traced struct {
	Name, Cat, Ph string
	TS, Dur       float64
	Pid, Tid      int
	Args          map[string]any
}

func (e traced) end() float64 { return e.TS + e.Dur }

// traceEnv makes a process of this test's binary one that computes on the device it names and ends.
const traceEnv = "WEFT_TRACE_CHILD"

// WEFT_TRACE leaves a file in which compilations, launches, copies and kernels are named, nested and in order.
func TestTrace(t *testing.T) {
	for _, device := range []string{"cpu", "vulkan"} {
		for _, end := range []string{"close", "crash"} {
			t.Run(device+"/"+end, func(t *testing.T) {
				dev, err := weft.Open(device)
				if err != nil {
					testenv.Skip(t, device, err.Error())
				}
				dev.Close()
				name := filepath.Join(t.TempDir(), "trace.json")
				cmd := exec.Command(os.Args[0], "-test.run=^TestTraceChild$")
				cmd.Env = append(os.Environ(), traceEnv+"="+device+" "+end, "WEFT_TRACE="+name, "WEFT_CACHE=off")
				out, err := cmd.CombinedOutput()
				if (err != nil) != (end == "crash") {
					t.Fatalf("%v\n%s", err, out)
				}
				checkTrace(t, name, device, end)
			})
		}
	}
}

const tracedRounds = 40

func TestTraceChild(t *testing.T) {
	device, end, child := strings.Cut(os.Getenv(traceEnv), " ")
	if !child {
		t.Skip("runs as a process of TestTrace")
	}
	dev, err := weft.Open(device)
	if err != nil {
		fmt.Println("no such device:", err)
		return
	}
	x := make([]float32, 64*1024)
	for i := range tracedRounds {
		a, err := weft.FromSlice(dev, x, 64, 1024)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ops.Add(a, a)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ops.Softmax(b)
		if err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			if _, err := weft.ToSlice[float32](c); err != nil {
				t.Fatal(err)
			}
		}
		for _, t := range []*weft.Tensor{a, b, c} {
			t.Close()
		}
	}
	if err := dev.Synchronize(); err != nil {
		t.Fatal(err)
	}
	if end == "crash" {
		kill()
	}
	if err := dev.Close(); err != nil {
		t.Fatal(err)
	}
}

func kill() {
	p, _ := os.FindProcess(os.Getpid())
	p.Kill()
	select {}
}

func checkTrace(t *testing.T, name, device, end string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var events []traced
	if err := json.Unmarshal(text, &events); err != nil {
		t.Fatal(err, len(text))
	}
	names := map[int]string{} // of processes
	tracks := map[[2]int][]traced{}
	for _, e := range events {
		switch {
		case e.Ph == "M" && e.Name == "process_name":
			names[e.Pid] = e.Args["name"].(string)
		case e.Ph == "X":
			at := [2]int{e.Pid, e.Tid}
			tracks[at] = append(tracks[at], e)
		}
	}
	count := map[string]int{} // events by process, category and name
	for at, list := range tracks {
		process, _, _ := strings.Cut(names[at[0]], ":")
		slices.SortStableFunc(list, func(a, b traced) int {
			switch {
			case a.TS != b.TS:
				return int(1e6 * (a.TS - b.TS))
			case a.Dur != b.Dur:
				return int(1e6 * (b.Dur - a.Dur))
			}
			return 0
		})
		var open []traced
		for _, e := range list {
			count[process+" "+e.Cat+" "+e.Name]++
			if e.TS < 0 || e.Dur < 0 {
				t.Errorf("%+v", e)
			}
			const eps = 0.01 // µs, lost in decimals
			for len(open) > 0 && open[len(open)-1].end() <= e.TS+eps {
				open = open[:len(open)-1]
			}
			if len(open) > 0 {
				if outer := open[len(open)-1]; process != "host" || e.end() > outer.end()+eps {
					t.Errorf("%s: %+v overlaps with %+v", process, e, outer)
				}
			}
			open = append(open, e)
		}
	}
	checkDevice(t, device, tracks, names)
	if end == "crash" { // what came after the last wait may be lost
		return
	}
	for what, want := range map[string]int{
		device + " copy upload":       tracedRounds,
		device + " copy download":     tracedRounds / 10,
		"host copy upload":            tracedRounds,
		"host copy download":          tracedRounds / 10,
		"host compile compile add":    1,
		"host compile lower and emit": 2,
		"host wait synchronize":       1,
		device + " kernel softmax":    tracedRounds,
		"host kernel softmax":         tracedRounds,
		device + " kernel add":        tracedRounds,
	} {
		got := 0
		for k, n := range count {
			if k == what || strings.HasPrefix(k, what+" ") {
				got += n
			}
		}
		if got != want {
			t.Errorf("%d of %q, want %d", got, what, want)
		}
	}
	if t.Failed() {
		t.Logf("%v", count)
	}
}

// checkDevice compares a device's times with the host's: nothing runs before it is asked for, nor after the
// host has seen that it is done.
func checkDevice(t *testing.T, device string, tracks map[[2]int][]traced, names map[int]string) {
	var asked, ran []traced
	last := 0.0
	for at, list := range tracks {
		for _, e := range list {
			switch {
			case e.Cat == "kernel" && names[at[0]] == "host":
				asked = append(asked, e)
			case e.Cat == "kernel":
				ran = append(ran, e)
			case e.Name == "synchronize":
				last = max(last, e.end())
			}
		}
	}
	byTime := func(a, b traced) int { return int(1e3 * (a.TS - b.TS)) }
	slices.SortStableFunc(asked, byTime)
	slices.SortStableFunc(ran, byTime)
	if len(ran) == 0 || len(asked) < len(ran) {
		t.Fatalf("%s: %d launches, %d kernels", device, len(asked), len(ran))
	}
	for i, k := range ran {
		if a := asked[i]; k.Name != a.Name || k.TS < a.TS || last > 0 && k.end() > last+50_000 {
			t.Errorf("kernel %d: %+v was asked for by %+v, and all was done at %v", i, k, a, last)
		}
	}
}

// A trace that cannot be written is an error of Open, not silence.
func TestTraceThatCannotBe(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestTraceChild$")
	cmd.Env = append(os.Environ(), traceEnv+"=cpu close", "WEFT_TRACE="+filepath.Join(t.TempDir(), "no", "trace.json"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "no such device: weft: WEFT_TRACE: the trace cannot be written") {
		t.Errorf("%v\n%s", err, out)
	}
}
