package mesh_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/mesh"
)

// childEnv says what a process that a test started as a rank of a group does.
const childEnv = "WEFT_MESH_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		if err := children[name](); err != nil {
			fmt.Println("error:", err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// children are the programs of processes.
var children = map[string]func() error{
	"collectives": childCollectives,
	"differ": func() error { // what is checked leaves the group usable
		return join(2, func(g *mesh.Group, x, y []*weft.Tensor) error {
			r := mesh.Sum
			if g.Ranks()[0] == 0 {
				r = mesh.Max
			}
			err := g.AllReduce(r, y, x)
			fmt.Println("refused:", err, errors.Is(err, weft.ErrArgument))
			return g.AllReduce(mesh.Sum, y, x)
		}, mesh.Checked())
	},
	"refuse": func() error { // a process that cannot take part tells the others
		return join(1, func(g *mesh.Group, x, y []*weft.Tensor) error {
			if g.Ranks()[0] == 0 {
				y[0].Close()
			}
			err := g.AllReduce(mesh.Sum, y, x)
			fmt.Println("refused:", err, errors.Is(err, weft.ErrClosed))
			return g.AllReduce(mesh.Sum, x, x)
		}, mesh.Checked())
	},
	"each": func() error { // one device in each process, all collectives
		return join(1, func(g *mesh.Group, x, y []*weft.Tensor) error {
			fmt.Println("engine:", g.Engine())
			dev := g.Devices()[0]
			both, err := weft.Zeros(dev, weft.F32, 10)
			if err != nil {
				return err
			}
			pair, err := weft.Zeros(dev, weft.F32, 10)
			if err != nil {
				return err
			}
			if err := errors.Join(g.AllReduce(mesh.Sum, y, x), g.AllGather([]*weft.Tensor{both}, x), g.AllToAll([]*weft.Tensor{pair}, []*weft.Tensor{both}),
				g.ReduceScatter(mesh.Max, x, []*weft.Tensor{pair}), g.Broadcast(1, x)); err != nil {
				return err
			}
			for _, t := range []*weft.Tensor{y[0], both, pair, x[0]} {
				v, err := weft.ToFloats(t)
				fmt.Println(v, err)
			}
			other := 1 - g.Ranks()[0]
			sent := mesh.Transfer{From: g.Ranks()[0], To: other, Src: y[0]}
			got := mesh.Transfer{From: other, To: g.Ranks()[0], Dst: x[0]}
			if g.Ranks()[0] == 1 {
				sent, got = got, sent
			}
			if err := g.Exchange(sent, got); err != nil {
				return err
			}
			v, err := weft.ToFloats(x[0])
			fmt.Println(v, err)
			return nil
		}, mesh.Timeout(20*time.Second))
	},
	"absent": func() error { // one process never calls
		return join(1, func(g *mesh.Group, x, y []*weft.Tensor) error {
			if g.Ranks()[0] == 1 {
				for range 100 {
					if g.Err() != nil {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				fmt.Println("told:", g.Err())
				return nil
			}
			err := g.AllReduce(mesh.Sum, y, x)
			if err == nil { // it is on the device
				err = g.Synchronize()
			}
			fmt.Println("late:", err, errors.Is(err, weft.ErrDeviceLost), g.Err() != nil)
			return nil
		}, mesh.Timeout(500*time.Millisecond))
	},
	"lost": func() error { // one process ends
		return join(1, func(g *mesh.Group, x, y []*weft.Tensor) error {
			if g.Ranks()[0] == 1 {
				os.Exit(0)
			}
			err := g.AllReduce(mesh.Sum, y, x)
			if err == nil {
				err = g.Synchronize()
			}
			fmt.Println("lost:", err, errors.Is(err, weft.ErrDeviceLost))
			return nil
		}, mesh.Timeout(20*time.Second))
	},
}

// join opens n devices in this process, joins, and calls f with tensors of 5 elements: x of the rank's number plus 1.
func join(n int, f func(g *mesh.Group, x, y []*weft.Tensor) error, options ...mesh.Option) error {
	var devices []*weft.Device
	local, err := mesh.LocalRank()
	if err != nil {
		return err
	}
	for i := range n {
		spec := "cpu"
		if backendName() != "cpu" {
			spec = fmt.Sprintf("%s:%d", backendName(), local*n+i)
		}
		dev, err := weft.Open(spec)
		if err != nil {
			return err
		}
		devices = append(devices, dev)
	}
	g, err := mesh.Join(devices, options...)
	if err != nil {
		return err
	}
	defer g.Close()
	var x, y []*weft.Tensor
	for i, dev := range devices {
		full, err := weft.Full(dev, weft.F32, g.Ranks()[i]+1, 5)
		if err != nil {
			return err
		}
		zero, err := weft.Zeros(dev, weft.F32, 5)
		if err != nil {
			return err
		}
		x, y = append(x, full), append(y, zero)
	}
	if err := f(g, x, y); err != nil {
		return err
	}
	if g.Err() != nil { // which the program has told
		return nil
	}
	return g.Synchronize()
}

// childCollectives prints what each collective gives, of two processes with two ranks each, and a tensor redistributed over both.
func childCollectives() error {
	return join(2, func(g *mesh.Group, x, _ []*weft.Tensor) error {
		show := func(name string, list []*weft.Tensor) error {
			for i, t := range list {
				v, err := weft.ToFloats(t)
				if err != nil {
					return err
				}
				fmt.Println(name, g.Ranks()[i], v)
			}
			return nil
		}
		m, err := mesh.NewMesh(g, []int{2, 2}, "dp", "tp")
		if err != nil {
			return err
		}
		whole, err := weft.Arange(g.Devices()[0], weft.F32, 0, 12, 1)
		if err != nil {
			return err
		}
		if whole, err = whole.Reshape(4, 3); err != nil {
			return err
		}
		t, err := mesh.Distribute(m, whole, mesh.Shard(0), mesh.Partial(mesh.Sum))
		if err != nil {
			return err
		}
		for i, p := range [][]mesh.Placement{{mesh.Shard(1), mesh.Replicate}, {mesh.Shard(0), mesh.Shard(1)}, {mesh.Replicate, mesh.Replicate}} {
			if t, err = t.Redistribute(p...); err != nil {
				return err
			}
			if err := show(fmt.Sprint("placed", i), t.Locals()); err != nil {
				return err
			}
		}
		if err := g.AllReduce(mesh.Sum, x, x); err != nil {
			return err
		}
		return show("sum", x)
	})
}

// processes runs a program as two processes and returns what each printed.
func processes(t *testing.T, name string) []string {
	t.Helper()
	if most() < 2 || most() < 4 && slices.Contains([]string{"collectives", "differ"}, name) {
		testenv.Skip(t, backendName(), "the test needs more devices")
	}
	l := ok[net.Listener](t)(net.Listen("tcp", "127.0.0.1:0"))
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	out := make([]string, 2)
	var wait sync.WaitGroup
	for rank := range out {
		wait.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childEnv+"="+name, fmt.Sprint("RANK=", rank), "WORLD_SIZE=2", fmt.Sprint("LOCAL_RANK=", rank),
				"MASTER_ADDR=127.0.0.1", fmt.Sprint("MASTER_PORT=", port))
			text, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("process %d: %v\n%s", rank, err, text)
			}
			out[rank] = string(text)
		})
	}
	wait.Wait()
	return out
}

// Two processes with two ranks each make one group.
func TestProcesses(t *testing.T) {
	got := processes(t, "collectives")
	want := []string{
		"placed0 0 [0 1 3 4 6 7 9 10]\nplaced0 1 [0 1 3 4 6 7 9 10]\nplaced1 0 [0 1 3 4]\nplaced1 1 [2 5]\n",
		"placed0 2 [2 5 8 11]\nplaced0 3 [2 5 8 11]\nplaced1 2 [6 7 9 10]\nplaced1 3 [8 11]\n",
	}
	for rank := range want {
		for _, i := range []int{2 * rank, 2*rank + 1} {
			want[rank] += fmt.Sprintf("placed2 %d [0 1 2 3 4 5 6 7 8 9 10 11]\n", i)
		}
		for _, i := range []int{2 * rank, 2*rank + 1} {
			want[rank] += fmt.Sprintf("sum %d [10 10 10 10 10]\n", i)
		}
		if got[rank] != want[rank] {
			t.Errorf("process %d:\n%swant\n%s", rank, got[rank], want[rank])
		}
	}
}

// One device in each of two processes, with all collectives.
func TestDeviceEach(t *testing.T) {
	want := "[3 3 3 3 3] <nil>\n[1 1 1 1 1 2 2 2 2 2] <nil>\n%s <nil>\n[2 2 2 2 2] <nil>\n[3 3 3 3 3] <nil>\n"
	for rank, out := range processes(t, "each") {
		engine, got, _ := strings.Cut(out, "\n")
		pair := []string{"[1 1 1 1 1 1 1 1 1 1]", "[2 2 2 2 2 2 2 2 2 2]"}[rank]
		if got != fmt.Sprintf(want, pair) {
			t.Errorf("process %d: %s\n%swant\n%s", rank, engine, got, fmt.Sprintf(want, pair))
		}
		t.Log(engine)
	}
}

// What goes wrong in one process is told in all.
func TestProcessFaults(t *testing.T) {
	for name, want := range map[string][][]string{
		"differ": {{"process 0 calls all-reduce of 5 elements f32, max, process 1 calls all-reduce of 5 elements f32, sum", "true"}},
		"refuse": {{"all-reduce", "closed", "true"}},
		"absent": {{"late:", "all-reduce of 5 elements f32, sum", "500ms", "true true"}, {"told:", "all-reduce of 5 elements f32, sum", "500ms"}},
		"lost":   {{"lost:", "process 1 is lost", "true"}, {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for rank, out := range processes(t, name) {
				parts := want[min(rank, len(want)-1)]
				if slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(out, p) }) || strings.Contains(out, "error:") {
					t.Errorf("process %d says\n%swant %q", rank, out, parts)
				}
			}
		})
	}
}

// A launcher's variables that make no sense are refused.
func TestJoinRefuses(t *testing.T) {
	dev := ok[*weft.Device](t)(weft.Open("cpu"))
	defer dev.Close()
	for _, c := range []struct{ name, value string }{{"RANK", "1"}, {"RANK", "x"}, {"WORLD_SIZE", "-1"}, {"MASTER_PORT", "port"}} {
		t.Run(c.name+c.value, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			if g, err := mesh.Join([]*weft.Device{dev}); !errors.Is(err, weft.ErrArgument) {
				t.Errorf("%v, %v", g, err)
			}
		})
	}
	t.Setenv("RANK", "1")
	t.Setenv("WORLD_SIZE", "2")
	t.Setenv("MASTER_PORT", "1")
	if g, err := mesh.Join([]*weft.Device{dev}, mesh.Timeout(100*time.Millisecond)); !errors.Is(err, weft.ErrDeviceLost) {
		t.Errorf("nobody there: %v, %v", g, err)
	}
	t.Setenv("WORLD_SIZE", "1")
	t.Setenv("RANK", "0")
	g := ok[*mesh.Group](t)(mesh.Join([]*weft.Device{dev}))
	if g.Size() != 1 {
		t.Errorf("alone: %d ranks", g.Size())
	}
	g.Close()
}

// A device that hangs ends the group in time, with an error that says which call it was, and the others go on.
func TestHangingDevice(t *testing.T) {
	for name, elements := range map[string]int{"small": 5, "large": 1 << 19} {
		g := ok[*mesh.Group](t)(mesh.Open("cpu", 3, mesh.Timeout(300*time.Millisecond)))
		var x, never []*weft.Tensor
		for _, dev := range g.Devices() {
			x = append(x, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.F32, elements)))
			never = append(never, ok[*weft.Tensor](t)(weft.Zeros(dev, weft.U32, 1)))
		}
		if err := g.AllReduce(mesh.Sum, x, x); err != nil {
			t.Fatal(err)
		}
		last := g.Devices()[2].Backend().(backend.Peers)
		hang := func(wait bool) {
			err := weft.WithSpans("hang", never[2:], func(s []weft.BufferSpan) error {
				return last.Signal([]backend.SignalStep{{Buffer: s[0].Buffer, Value: 1, Wait: wait}})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		hang(true)
		if err := g.AllReduce(mesh.Sum, x, x); err != nil {
			t.Fatal(err)
		}
		for _, dev := range g.Devices()[:2] {
			if err := dev.Synchronize(); err != nil { // which waits for the group to give up
				t.Error(err)
			}
		}
		for range 100 {
			if g.Err() != nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		want := fmt.Sprintf("all-reduce of %d elements f32, sum", elements)
		if err := g.Err(); !errors.Is(err, weft.ErrDeviceLost) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "300ms") {
			t.Errorf("%s: %v", name, err)
		}
		if err := g.AllReduce(mesh.Sum, x, x); !errors.Is(err, weft.ErrDeviceLost) {
			t.Errorf("%s, after that: %v", name, err)
		}
		g.Close()
	}
}
