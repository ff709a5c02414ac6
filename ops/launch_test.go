package ops_test

import (
	"math"
	"testing"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/launchbench"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// idle is a GPU's device as far as a host can tell: it checks what it is given, as all
// do, and runs nothing.
type idle struct{ backend.Device }

func init() { backend.Register(idleDriver{}) }

type idleDriver struct{}

func (idleDriver) Name() string { return "idle" }

func (idleDriver) Candidates() []backend.Candidate {
	return []backend.Candidate{{
		Info: backend.Info{Backend: "idle", Name: "idle", Kind: backend.Software},
		Open: func() (backend.Device, error) { return idle{}, nil },
	}}
}

func (idle) Info() backend.Info                            { return idleDriver{}.Candidates()[0].Info }
func (idle) Caps() target.Caps                             { return cudaCaps }
func (idle) Compile(src backend.Source) ([]byte, error)    { return []byte(src.Text), nil }
func (idle) NewBuffer(bytes int64) (backend.Buffer, error) { return &idleBuffer{bytes: bytes}, nil }
func (idle) Stream() backend.Stream                        { return idleStream{} }
func (idle) Close() error                                  { return nil }
func (idle) Load(src backend.Source, _ []byte) (backend.Program, error) {
	return &idleProgram{src}, nil
}

type idleBuffer struct {
	backend.Buffer
	bytes int64
}

func (b *idleBuffer) Bytes() int64               { return b.bytes }
func (b *idleBuffer) Upload(int64, []byte) error { return nil }
func (b *idleBuffer) Close() error               { return nil }

type idleProgram struct{ src backend.Source }

func (p *idleProgram) Close() error { return nil }

type idleStream struct{ backend.Stream }

func (idleStream) Launch(p backend.Program, l backend.Launch) error {
	_, err := backend.CheckLaunch(p.(*idleProgram).src, cudaCaps, l)
	return err
}

func (idleStream) Synchronize() error             { return nil }
func (idleStream) Record() (backend.Event, error) { return nil, fault.ErrUnsupported }

// Sequence launches one after the other.
func (s idleStream) Sequence(steps []backend.Step) (backend.Sequence, error) {
	return backend.Loop(s, steps), nil
}

// A launch like one before allocates nothing, if it is of one kernel; one of two allocates as much as a
// workspace takes.
func TestLaunchesAllocateNothing(t *testing.T) {
	if testenv.RaceDetector {
		t.Skip("the race detector keeps nothing in pools")
	}
	dev, err := weft.Open("idle")
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	cases, err := launchbench.Cases(dev)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if err := c.Launch(); err != nil {
			t.Fatal(err)
		}
		got := math.Inf(1)
		for try := 0; try < 3 && got > float64(c.Allocs); try++ { // what goroutines of other tests allocate meanwhile counts, too
			got = testing.AllocsPerRun(200, func() {
				if err := c.Launch(); err != nil {
					t.Fatal(err)
				}
			})
		}
		if got > float64(c.Allocs) {
			t.Errorf("%s: %v allocations, want %d at most", c.Name, got, c.Allocs)
		}
	}
}

// BenchmarkLaunch is the host's time for a launch of each of a few ops that was launched before: on a device
// that does nothing, and on the CPU, which shares the time with the computation.
func BenchmarkLaunch(b *testing.B) {
	for _, name := range []string{"idle", "cpu"} {
		b.Run(name, func(b *testing.B) {
			launchbench.Run(b, launchbench.Open(name))
		})
	}
}
