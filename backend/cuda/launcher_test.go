//go:build linux && (amd64 || arm64)

package cuda

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/weftgpu/weft/backend"
)

// TestOrder chains launches, and what may be between them: each must see what came before it, also launches that may start
// before those before them have ended.
func TestOrder(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		for _, names := range [][]string{{"vadd"}, {"dependent"}, {"dependent", "vadd"}, {"dependent", "dependent", "vadd"}} {
			var programs []backend.Program
			for _, name := range names {
				programs = append(programs, r.program(t, name))
			}
			for _, c := range []chain{{n: 1000}, {n: 100003}, {n: 1000, copies: true}, {n: 1000, sequences: true}, {n: 100003, sequences: true, copies: true}} {
				t.Run(fmt.Sprintf("%v,%+v", names, c), func(t *testing.T) { c.run(t, r, programs) })
			}
		}
	})
}

// chain adds one to n elements by many launches, of some programs alternately.
type chain struct {
	n         int
	copies    bool // after each launch that is not of a sequence, or after that
	sequences bool // of two launches, after each launch
}

func (c chain) run(t *testing.T, r rig, programs []backend.Program) {
	const steps = 30
	ones := slices.Repeat([]float32{1}, c.n)
	one, x, y := r.buffer(t, floats(ones)), r.buffer(t, make([]byte, 4*c.n)), r.buffer(t, noise(4*c.n))
	next := func(i int) (s backend.Step) {
		s = backend.Step{Program: programs[i%len(programs)], Launch: backend.Launch{
			Grid: [3]int{(c.n + 127) / 128, 1, 1}, Buffers: []backend.Buffer{one, x, y}, Words: []uint32{uint32(c.n)}}}
		x, y = y, x
		return s
	}
	for i := 0; i < steps; {
		s := next(i)
		i++
		if err := r.Stream().Launch(s.Program, s.Launch); err != nil {
			t.Fatal(err)
		}
		if c.sequences && i+2 <= steps {
			q, err := r.Stream().Sequence([]backend.Step{next(i), next(i + 1)})
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			if err := q.Launch(); err != nil {
				t.Fatal(err)
			}
			i += 2
		}
		if c.copies {
			if err := y.Upload(0, noise(4*c.n)); err != nil { // after the launch has read it
				t.Fatal(err)
			}
		}
	}
	if err := one.Close(); err != nil { // after the launches have read it
		t.Fatal(err)
	}
	if !bytes.Equal(content(t, x), floats(slices.Repeat([]float32{steps}, c.n))) {
		t.Error("the chain of launches gives the wrong sum")
	}
}

// What says that it waits itself is launched so where the driver can, and in the usual way where it cannot.
func TestDependentLaunches(t *testing.T) {
	for _, able := range []bool{true, false} {
		f := newFake(t)
		if !able {
			f.LaunchKernelEx = proc{}
		}
		r := rig{Device: f.open(t), fake: f}
		chain{n: 1000}.run(t, r, []backend.Program{r.program(t, "dependent"), r.program(t, "vadd")})
		want := int64(0)
		if able {
			want = 15 // of 30
		}
		if got := f.value(fakeDependent); got != want {
			t.Errorf("driver that can (%v): %d dependent launches, want %d", able, got, want)
		}
	}
}
