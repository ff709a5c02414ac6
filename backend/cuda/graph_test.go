//go:build linux && (amd64 || arm64)

package cuda

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// A sequence does what its launches do one after the other, however often it is launched and whatever is between. The
// fake driver runs the nodes of a graph in an order as far from theirs as the graph allows.
func TestSequencesAreTheirLaunches(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		const n, count = 100, 5
		rng := rand.New(rand.NewPCG(3, 4))
		programs := [2]backend.Program{r.program(t, "vadd"), r.program(t, "dependent")}
		for trial := range 40 {
			var direct, replayed [count]backend.Buffer
			for i := range count {
				data := noise(4 * n)
				direct[i], replayed[i] = r.buffer(t, data), r.buffer(t, data)
			}
			var steps [2][]backend.Step
			for range 1 + rng.IntN(12) {
				at, p := rng.Perm(count)[:3], programs[rng.IntN(2)]
				for i, buffers := range [][count]backend.Buffer{direct, replayed} {
					steps[i] = append(steps[i], backend.Step{Program: p, Launch: backend.Launch{
						Grid: [3]int{1, 1, 1}, Words: []uint32{n}, Buffers: []backend.Buffer{buffers[at[0]], buffers[at[1]], buffers[at[2]]}}})
				}
			}
			q, err := r.Stream().Sequence(steps[1])
			if err != nil {
				t.Fatal(err)
			}
			clear(steps[1]) // the sequence keeps its own
			for range 3 {
				at, data := rng.IntN(count), noise(4*n)
				for _, buffers := range [][count]backend.Buffer{direct, replayed} {
					if err := buffers[at].Upload(0, data); err != nil {
						t.Fatal(err)
					}
				}
				for _, s := range steps[0] {
					if err := r.Stream().Launch(s.Program, s.Launch); err != nil {
						t.Fatal(err)
					}
				}
				if err := q.Launch(); err != nil {
					t.Fatal(err)
				}
				for i := range count {
					want, got := make([]byte, 4*n), make([]byte, 4*n)
					if err := errors.Join(direct[i].Download(0, want), replayed[i].Download(0, got)); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(want, got) {
						t.Fatalf("trial %d: buffer %d is another one after a replay", trial, i)
					}
				}
			}
			if err := q.Close(); err != nil {
				t.Error(err)
			}
			if err := q.Launch(); !errors.Is(err, fault.ErrClosed) {
				t.Errorf("launched after Close: %v", err)
			}
			for i := range count {
				direct[i].Close()
				replayed[i].Close()
			}
		}
	})
}

func TestSequencesRefuse(t *testing.T) {
	eachDevice(t, func(t *testing.T, r rig) {
		p, other := r.program(t, "vadd"), rig{r.open(t), r.fake, r.open}
		bufs := func(r rig) []backend.Buffer {
			return []backend.Buffer{r.buffer(t, noise(400)), r.buffer(t, noise(400)), r.buffer(t, noise(400))}
		}
		good := backend.Launch{Grid: [3]int{1, 1, 1}, Words: []uint32{100}, Buffers: bufs(r)}
		with := func(change func(l *backend.Launch)) backend.Launch { l := good; change(&l); return l }
		for name, c := range map[string]struct {
			step backend.Step
			kind error
		}{
			"another device's program": {backend.Step{Program: other.program(t, "vadd"), Launch: good}, fault.ErrDevice},
			"another device's buffers": {backend.Step{Program: p, Launch: with(func(l *backend.Launch) { l.Buffers = bufs(other) })}, fault.ErrDevice},
			"words":                    {backend.Step{Program: p, Launch: with(func(l *backend.Launch) { l.Words = nil })}, fault.ErrArgument},
			"grid":                     {backend.Step{Program: p, Launch: with(func(l *backend.Launch) { l.Grid[1] = 1 << 20 })}, fault.ErrLimit},
		} {
			if _, err := r.Stream().Sequence([]backend.Step{{Program: p, Launch: good}, c.step}); !errors.Is(err, c.kind) {
				t.Errorf("%s: %v, want %v", name, err, c.kind)
			}
		}
		q, err := r.Stream().Sequence([]backend.Step{{Program: p, Launch: good}})
		if err != nil {
			t.Fatal(err)
		}
		empty, err := r.Stream().Sequence([]backend.Step{{Program: p, Launch: with(func(l *backend.Launch) { l.Grid[0] = 0 })}})
		if err != nil {
			t.Fatal(err)
		}
		if err := empty.Launch(); err != nil {
			t.Errorf("a sequence of nothing: %v", err)
		}
		good.Buffers[1].Close()
		if err := q.Launch(); !errors.Is(err, fault.ErrClosed) {
			t.Errorf("a buffer is closed: %v", err)
		}
		r.Close()
		if err := empty.Launch(); !errors.Is(err, fault.ErrClosed) {
			t.Errorf("the device is closed: %v", err)
		}
		if err := q.Close(); err != nil {
			t.Errorf("closing what the device has freed: %v", err)
		}
	})
}
