package main

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
)

func openCPU(t *testing.T) *weft.Device {
	t.Helper()
	dev, err := weft.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}

// Every work passes its own check, in small sizes, and counts what it does.
func TestWorks(t *testing.T) {
	dev := openCPU(t)
	for _, w := range works(sizes{backend.CPU, 13, 65}) {
		t.Run(w.Op, func(t *testing.T) {
			p, err := prepare(dev, w)
			defer p.close()
			if err != nil {
				t.Error(err)
			}
			if (w.Bytes > 0) == (w.Flop > 0) {
				t.Errorf("%v bytes and %v operations: one of them counts", w.Bytes, w.Flop)
			}
		})
	}
}

// A check sees an output that nobody wrote, so it looks at the output at all.
func TestChecksSeeFaults(t *testing.T) {
	dev := openCPU(t)
	for _, w := range works(sizes{backend.CPU, 13, 65}) {
		w.run = func(out *weft.Tensor, _ []*weft.Tensor) error { return nil }
		p, err := prepare(dev, w)
		p.close()
		var fromWeft *weft.Error
		if err == nil || errors.As(err, &fromWeft) {
			t.Errorf("%s: an output of zeros gives %v", w.Op, err)
		}
	}
}

// The names of work differ, and peers have no others.
func TestPeersNameWork(t *testing.T) {
	names := map[string]bool{}
	for _, w := range works(sizesFor(backend.GPU, 0, 0)) {
		if names[w.Op] {
			t.Errorf("two works are called %q", w.Op)
		}
		names[w.Op] = true
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to list the peers")
	}
	peers, _ := filepath.Glob("peers/*.py")
	for _, path := range peers {
		list, err := exec.Command(python, path, "-list").CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, list)
		}
		for name := range strings.Lines(string(list)) {
			if name = strings.TrimSpace(name); !names[name] {
				t.Errorf("%s: no work is called %q", path, name)
			}
		}
	}
}

// Operands longer than what is drawn repeat it, and are rounded on the host as on the device.
func TestOperands(t *testing.T) {
	dev := openCPU(t)
	for _, o := range []operand{
		normal(weft.F32, 3, 5), normal(weft.BF16, 2*period+3), uniform(-8, 8, weft.I8, 7, 11), uniform(0, 1, weft.F16, period+1, 1), normal(weft.F32, 0),
	} {
		x, host, err := o.tensor(dev, 7)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range o.len() {
			v := host(i)
			if got(i) != v || o.elem == weft.I8 && (v < -8 || v > 7 || v != math.Floor(v)) {
				t.Fatalf("%v %v: element %d is %v, the host has %v", o.elem, o.shape, i, got(i), v)
			}
		}
		x.Close()
	}
}

// A line beside the peer's says how many times as fast it is.
func TestPeerColumn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "peer.json")
	lines := `{"who":"p","op":"add","seconds":2e-3}` + "\n" + `{"who":"p","op":"mul","error":"no memory"}` + "\n"
	if err := os.WriteFile(path, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	peer, err := readPeer(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printTable(&out, []result{{Who: "cpu:0", Op: "add", Seconds: 1e-3, GBps: 12}, {Who: "cpu:0", Op: "mul", Seconds: 1}}, peer)
	for i, want := range []string{"device op time GB/s TFLOP/s peer speed", "cpu:0 add 1ms 12 - 2ms 2.00", "cpu:0 mul 1s - - - -"} {
		if got := strings.Join(strings.Fields(strings.Split(out.String(), "\n")[i]), " "); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	if _, err := readPeer(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file gives %v", err)
	}
}
