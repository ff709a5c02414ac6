package tune

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/recent"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// ask asks for races until the test ends.
func ask(t testing.TB, o Options) {
	t.Cleanup(Auto(context.Background(), o))
}

// Whoever races a problem spares all later ones of its bucket, in this process and in others, the trouble.
func TestResultsAreShared(t *testing.T) {
	dir := t.TempDir()
	afresh(t, dir)
	m, s := newMachine(bowl(16)), newSpace("shared")
	if c := s.Pick(m.caps, job{200, 1}); c != (how{1, 32}) {
		t.Errorf("nothing is known, but %+v is picked", c)
	}
	ask(t, Options{})
	for range 3 {
		for _, n := range []int{200, 216, 200} { // of one bucket
			if c := s.PickOrTune(m, job{n, 1}, m.trial); c.Size != 16 {
				t.Errorf("%d: %+v", n, c)
			}
		}
	}
	for process := range 3 {
		s := newSpace("shared")
		for _, p := range []job{{200, 1}, {199, 1}, {200, 2}} {
			s.PickOrTune(m, p, m.trial)
		}
		if n := m.made.Load(); n != 3 {
			t.Errorf("%d races until process %d; want one for each problem", n, process)
		}
		afresh(t, dir)
	}
	other := m.caps
	other.Fingerprint = "another driver"
	if c := s.Pick(other, job{200, 1}); c != (how{1, 32}) {
		t.Errorf("another device takes %+v", c)
	}
}

func TestExact(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("exact")
	ask(t, Options{Exact: true})
	for range 2 {
		for _, n := range []int{200, 208, 216} {
			s.PickOrTune(m, job{n, 1}, m.trial)
		}
	}
	if n := m.made.Load(); n != 3 {
		t.Errorf("%d races for 3 sizes", n)
	}
	m.cost = bowl(2)
	if _, err := m.race(t, s, job{216, 1}, Options{Exact: true}); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{200: 16, 208: 16, 216: 2} {
		if c := s.Pick(m.caps, job{n, 1}); c.Size != want {
			t.Errorf("%d: %+v, want size %d", n, c, want)
		}
	}
}

func TestAgain(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("again")
	for round := range int32(3) {
		stop := Auto(context.Background(), Options{Again: true})
		for range 3 {
			s.PickOrTune(m, job{200, 1}, m.trial)
		}
		stop()
		if n := m.made.Load(); n != round+1 {
			t.Errorf("%d races in round %d", n, round)
		}
	}
}

// Races are for those who ask: not before, not after, and not once the context is done.
func TestAutoIsAskedFor(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("asked")
	try := func(when string, p job, want int32) {
		t.Helper()
		before := m.made.Load()
		s.PickOrTune(m, p, m.trial)
		if n := m.made.Load() - before; n != want {
			t.Errorf("%s: %d races, want %d", when, n, want)
		}
	}
	try("at first", job{200, 1}, 0)
	ctx, cancel := context.WithCancel(context.Background())
	stop := Auto(ctx, Options{})
	try("asked", job{200, 1}, 1)
	inner := Auto(context.Background(), Options{})
	try("asked twice", job{200, 2}, 1)
	inner()
	cancel()
	try("cancelled", job{200, 3}, 0)
	stop()
	try("stopped", job{200, 4}, 0)
	before := mode
	defer func() { mode = before; generation.Add(1) }()
	mode = func() manner { return always }
	generation.Add(1)
	try("by the environment", job{200, 5}, 1)
	mode = func() manner { return never }
	generation.Add(1)
	try("forbidden", job{200, 6}, 0)
	if c := s.Pick(m.caps, job{200, 1}); c != (how{1, 32}) {
		t.Errorf("what was measured is used: %+v", c)
	}
}

// A race that cannot be held is tried once in a process.
func TestFailedRacesAreNotRepeated(t *testing.T) {
	afresh(t, t.TempDir())
	text, m, s := logs(t), newMachine(bowl(16)), newSpace("hopeless")
	m.fault = fault.New(fault.ErrOutOfMemory, "empty", "no room for a second one")
	ask(t, Options{})
	for range 5 {
		if c := s.PickOrTune(m, job{200, 1}, m.trial); c != (how{1, 32}) {
			t.Errorf("%+v", c)
		}
	}
	if n := strings.Count(text.String(), "not tuned"); n != 1 || !strings.Contains(text.String(), "no room for a second one") {
		t.Errorf("tried %d times:\n%s", n, text)
	}
}

// Whatever is in an entry's file, it is a miss or a legal config.
func TestDamagedEntriesAreMisses(t *testing.T) {
	dir := t.TempDir()
	afresh(t, dir)
	m, s, p := newMachine(bowl(16)), newSpace("damaged"), job{200, 1}
	r, err := m.race(t, s, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	good, err := json.Marshal(r.Entry)
	if err != nil {
		t.Fatal(err)
	}
	id := r.Entry.id()
	replace := func(from, to string) []byte { return bytes.ReplaceAll(good, []byte(from), []byte(to)) }
	cases := map[string][]byte{
		"empty": {}, "null": []byte("null"), "a list": []byte("[]"), "no JSON": []byte("config: 16"),
		"illegal":        replace(`"config":{"Size":16,`, `"config":{"Size":512,`),
		"negative":       replace(`"config":{"Size":16,`, `"config":{"Size":-16,`),
		"another field":  replace(`"config":{"Size":16,`, `"config":{"Side":16,`),
		"no number":      replace(`"config":{"Size":16,`, `"config":{"Size":"16",`),
		"huge":           replace(`"config":{"Size":16,`, `"config":{"Size":1e99,`),
		"another op":     replace(`"op":"damaged"`, `"op":"other"`),
		"another weft":   replace(`"library":"`, `"library":"0`),
		"another form":   replace(`"format":1`, `"format":2`),
		"another device": replace(`"device":"fake"`, `"device":"true"`),
	}
	for n := 0; n < len(good); n += 7 {
		cases[fmt.Sprint("first ", n)] = good[:n]
	}
	for name, data := range cases {
		if bytes.Equal(data, good) {
			t.Fatalf("%s changes nothing in %s", name, good)
		}
		if err := cachedir.Tuned.Open().Put(id, data); err != nil {
			t.Fatal(err)
		}
		afresh(t, dir)
		if c := s.Pick(m.caps, p); c != (how{1, 32}) {
			t.Errorf("%s: picks %+v", name, c)
		}
	}
	rng := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		data := bytes.Clone(good)
		for range 1 + rng.IntN(3) {
			data[rng.IntN(len(data))] = byte(rng.IntN(256))
		}
		if err := cachedir.Tuned.Open().Put(id, data); err != nil {
			t.Fatal(err)
		}
		afresh(t, dir)
		if c := s.Pick(m.caps, p); s.Legal(m.caps, p, c) != nil {
			t.Errorf("%s: picks %+v", data, c)
		}
	}
	if err := os.WriteFile(filepath.Join(cachedir.Tuned.Open().Dir(), id), good, 0o600); err != nil { // without its checksum
		t.Fatal(err)
	}
	afresh(t, dir)
	if c := s.Pick(m.caps, p); c != (how{1, 32}) {
		t.Errorf("without a checksum: picks %+v", c)
	}
}

// A choice does not outlive its kernel.
func TestAnotherKernelIsAMiss(t *testing.T) {
	dir := t.TempDir()
	afresh(t, dir)
	m, s, p := newMachine(bowl(16)), newSpace("kernel"), job{200, 1}
	factor := 2.0
	s.Kernel = func(_ target.Caps, _ job, c how) (*tile.Func, error) {
		return tile.Build("scale", func(k *tile.Builder) {
			x, y := k.In("x", 10, 1), k.Out("y", 10, 1)
			at := k.ProgramTile(y, c.Size)
			y.Block(c.Size).Store(x.Block(c.Size).Load(at...).Mul(factor), at...)
		})
	}
	if _, err := m.race(t, s, p, Options{}); err != nil {
		t.Fatal(err)
	}
	for f, want := range map[float64]int{2: 16, 3: 1} {
		factor = f
		afresh(t, dir)
		if c := s.Pick(m.caps, p); c.Size != want {
			t.Errorf("a kernel that multiplies by %v: %+v", f, c)
		}
	}
}

// Without a folder, or without room on the disk, the process goes on with what it learned.
func TestNowhereToStore(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	roots := map[string]string{"a file": file, "off": "off"}
	if _, err := os.Stat("/dev/full"); err == nil {
		full := filepath.Join(dir, "full")
		if err := os.MkdirAll(full, 0o700); err != nil {
			t.Fatal(err)
		}
		roots["a device"] = "/dev/full"
	}
	for name, root := range roots {
		afresh(t, root)
		text, m, s := logs(t), newMachine(bowl(16)), newSpace("nowhere")
		if r, err := m.race(t, s, job{200, 1}, Options{}); err != nil || r.Best.Size != 16 {
			t.Errorf("%s: %+v, %v", name, r.Best, err)
		}
		if c := s.Pick(m.caps, job{200, 1}); c.Size != 16 {
			t.Errorf("%s: picks %+v", name, c)
		}
		if list, _ := Entries(); len(list) != 1 {
			t.Errorf("%s: %d entries", name, len(list))
		}
		if root != "off" && !strings.Contains(text.String(), "level=WARN") {
			t.Errorf("%s: the log says\n%s", name, text)
		}
	}
}

// A table goes with a program to another machine. There it holds for the same device and for those that can do
// the same; what is measured there goes before it.
func TestTables(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("table")
	for _, p := range []job{{200, 1}, {100, 1}} {
		if _, err := m.race(t, s, p, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	var table bytes.Buffer
	if err := Export(&table, func(e Entry) bool { return strings.Contains(string(e.Measured), "200") }); err != nil {
		t.Fatal(err)
	}
	afresh(t, t.TempDir())
	if n, err := Import(table.Bytes()); n != 1 || err != nil {
		t.Fatalf("%d entries, %v", n, err)
	}
	like, unlike := m.caps, m.caps
	like.Fingerprint, unlike.Fingerprint, unlike.SharedBytes = "the next driver", "another device", 1
	for _, c := range []struct {
		caps target.Caps
		p    job
		want int
	}{{m.caps, job{200, 1}, 16}, {like, job{200, 1}, 16}, {unlike, job{200, 1}, 1}, {m.caps, job{100, 1}, 1}} {
		if got := s.Pick(c.caps, c.p); got.Size != c.want {
			t.Errorf("%+v: %+v", c, got)
		}
	}
	ask(t, Options{})
	m.cost = bowl(4)
	if got := s.PickOrTune(m, job{200, 1}, m.trial); got.Size != 4 || m.made.Load() != 3 {
		t.Errorf("what is imported stands before what is measured: %+v", got)
	}
	for _, bad := range []string{"", "{", "null", "[]", `{"weft_tune":2}`, `{"weft_tune":1,"entries":[{}]}`, `{"weft_tune":1,"entries":7}`} {
		if n, err := Import([]byte(bad)); n != 0 || !errors.Is(err, fault.ErrUnsupported) {
			t.Errorf("%q: %d entries, %v", bad, n, err)
		}
	}
}

// Many goroutines may pick and race at once.
func TestGoroutines(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("goroutines")
	ask(t, Options{})
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 20 {
				p := job{200, (g + i) % 3}
				if c := s.PickOrTune(m, p, m.trial); s.Legal(m.caps, p, c) != nil {
					t.Errorf("%+v", c)
				}
				s.Pick(m.caps, p)
				s.Known(m.caps, p)
				if i%10 == 0 {
					_, _ = Entries()
				}
			}
		})
	}
	group.Wait()
	for i := range 3 {
		if c := s.PickOrTune(m, job{200, i}, m.trial); c.Size != 16 {
			t.Errorf("%d: %+v", i, c)
		}
	}
	if n := m.made.Load(); n != 3 {
		t.Errorf("%d races for 3 problems", n)
	}
}

func TestKnownAllocatesNothing(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("known")
	for n := range 100 {
		s.Pick(m.caps, job{n + 1, 1})
	}
	if n := testing.AllocsPerRun(100, func() { s.Known(m.caps, job{50, 1}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	for n := range 3 * recent.Limit { // and it does not grow without end
		s.Pick(m.caps, job{n + 1, 1})
	}
	if n := s.choices.Len(); n > 2*recent.Limit {
		t.Errorf("%d choices are remembered", n)
	}
}

// processes is a program that races some problems, of which some are those of its brothers.
func processes() error {
	var own int
	if _, err := fmt.Sscan(os.Getenv("WEFT_TEST_NUMBER"), &own); err != nil {
		return err
	}
	m, s := newMachine(bowl(16)), newSpace("processes")
	for i := range 10 {
		for _, p := range []job{{200, i}, {100, own}} {
			if r, err := s.Tune(context.Background(), m, p, m.trial, Options{}); err != nil || r.Best.Size != 16 {
				return fmt.Errorf("%+v, %w", r.Best, err)
			}
		}
		if _, err := Entries(); err != nil {
			return err
		}
	}
	return nil
}

// Processes that race at once lose nothing of each other's.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprint("WEFT_TEST_NUMBER=", i+1), cachedir.Env+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	afresh(t, dir)
	list, err := Entries()
	if err != nil || len(list) != 10+4 {
		t.Errorf("%d entries, %v; want those of 10 problems and of 4", len(list), err)
	}
	s, m := newSpace("processes"), newMachine(nil)
	for i := range 10 {
		if c := s.Pick(m.caps, job{200, i}); c.Size != 16 {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

// Requests may be stopped in any order: the last one that is not stopped counts, and none when all are.
func TestStopsInAnyOrder(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("stops")
	first := Auto(context.Background(), Options{})
	second := Auto(context.Background(), Options{})
	deaf, heard := Listen(func(Choice) { t.Error("a listener that is stopped hears a choice") }), 0
	hears := Listen(func(Choice) { heard++ })
	first()
	deaf()
	if s.PickOrTune(m, job{200, 1}, m.trial); m.made.Load() != 1 {
		t.Errorf("%d races after the first stop, want one for the second request", m.made.Load())
	}
	if s.Pick(m.caps, job{200, 1}); heard == 0 {
		t.Error("the second listener hears nothing")
	}
	second()
	hears()
	if s.PickOrTune(m, job{200, 2}, m.trial); m.made.Load() != 1 {
		t.Errorf("%d races after all stops, want no further one", m.made.Load()-1)
	}
}

// Whoever asks for races hears of one that ends without a result, once: the problem is not raced again.
func TestFailedRacesAreTold(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("failed")
	var told []error
	ask(t, Options{Failed: func(err error) { told = append(told, err) }})
	for range 2 {
		s.PickOrTune(m, job{200, 1}, func() (*Trial[how], error) { return nil, fault.ErrOutOfMemory })
		s.PickOrTune(m, job{200, 2}, m.trial)
	}
	if len(told) != 1 || !errors.Is(told[0], fault.ErrOutOfMemory) {
		t.Errorf("told: %v, want ErrOutOfMemory once", told)
	}
}

// While choices are left to the rules nothing that was measured is used, and nothing raced; then it is again.
func TestOff(t *testing.T) {
	afresh(t, t.TempDir())
	m, s := newMachine(bowl(16)), newSpace("off")
	if _, err := m.race(t, s, job{256, 1}, Options{}); err != nil {
		t.Fatal(err)
	}
	stop := Auto(context.Background(), Options{Again: true})
	restore := Off()
	if got := s.PickOrTune(m, job{256, 1}, m.trial); got != s.Rule(m.caps, job{256, 1}) || m.made.Load() != 1 {
		t.Errorf("%+v after %d races", got, m.made.Load())
	}
	restore()
	stop()
	if got := s.Pick(m.caps, job{256, 1}); got.Size != 16 {
		t.Errorf("%+v afterwards", got)
	}
}
