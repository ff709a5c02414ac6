package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/target"
)

// exported is a table of one race, and the machine and the space that it was held with.
func exported(t *testing.T, best int) (table []byte, m *machine, s *Space[job, how]) {
	afresh(t, t.TempDir())
	m, s = newMachine(bowl(best)), newSpace("merge")
	if _, err := m.race(t, s, job{200, 1}, Options{}); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Export(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), m, s
}

// edited is a table whose entries were changed.
func edited(t *testing.T, data []byte, change func(e *Entry)) []byte {
	var all table
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for i := range all.Entries {
		change(&all.Entries[i])
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What is merged holds for later processes, on the device and on those that can do the same.
func TestMergedTablesStay(t *testing.T) {
	table, m, s := exported(t, 16)
	dir := t.TempDir()
	afresh(t, dir)
	like, unlike := m.caps, m.caps
	like.Fingerprint, unlike.Fingerprint, unlike.SharedBytes = "the next driver", "another device", 1
	check := func(when string, size, sizeOfLike int) {
		t.Helper()
		for i, c := range []target.Caps{m.caps, like, unlike} {
			if got, want := s.Pick(c, job{200, 1}).Size, []int{size, sizeOfLike, 1}[i]; got != want {
				t.Errorf("%s, device %d: %d, want %d", when, i, got, want)
			}
		}
	}
	check("before", 1, 1)
	if got, err := Merge(table); err != nil || got != (Merged{Stored: 1}) {
		t.Fatalf("%+v, %v", got, err)
	}
	check("after", 16, 16)
	afresh(t, dir)
	check("in another process", 16, 16)
	if got, err := Merge(table); err != nil || got != (Merged{Known: 1}) {
		t.Errorf("a second time: %+v, %v", got, err)
	}
	if list, err := Entries(); len(list) != 1 || err != nil {
		t.Errorf("%d entries, %v", len(list), err)
	}

	other := bytes.ReplaceAll(table, []byte(`"Size": 16`), []byte(`"Size": 8`))
	for _, c := range []struct {
		name   string
		data   []byte
		want   Merged
		picked int
	}{
		{"older", edited(t, other, func(e *Entry) { e.Time = e.Time.Add(-time.Hour) }), Merged{Known: 1}, 16},
		{"interrupted", edited(t, other, func(e *Entry) { e.Time, e.Partial = e.Time.Add(time.Hour), true }), Merged{Known: 1}, 16},
		{"of another version", edited(t, other, func(e *Entry) { e.Library, e.Time = "v0.0.1", e.Time.Add(time.Hour) }), Merged{Foreign: 1}, 16},
		{"later", edited(t, other, func(e *Entry) { e.Time = e.Time.Add(time.Hour) }), Merged{Stored: 1}, 8},
	} {
		if got, err := Merge(c.data); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		check(c.name, c.picked, c.picked)
		afresh(t, dir)
		check(c.name+", in another process", c.picked, c.picked)
	}

	m.caps, m.cost = like, bowl(4) // what is measured goes before what came from elsewhere
	if _, err := m.race(t, s, job{200, 1}, Options{}); err != nil {
		t.Fatal(err)
	}
	m.caps.Fingerprint = "fake"
	check("measured", 8, 4)
}

// A bad entry anywhere refuses the whole table.
func TestBadTablesAreNotMerged(t *testing.T) {
	table, _, _ := exported(t, 16)
	dir := t.TempDir()
	afresh(t, dir)
	bad := map[string][]byte{"empty": {}, "no JSON": []byte("{"), "no table": []byte("[]"), "null": []byte("null"), "another form": []byte(`{"weft_tune":2}`)}
	for name, change := range map[string]func(e *Entry){
		"no op":            func(e *Entry) { e.Op = "" },
		"no device":        func(e *Entry) { e.Device = "" },
		"another's caps":   func(e *Entry) { e.Caps.Fingerprint = "elsewhere" },
		"no times":         func(e *Entry) { e.Timings = nil },
		"dropped":          func(e *Entry) { e.Timings[0].Dropped = "slow" },
		"time zero":        func(e *Entry) { e.Timings[0].Median = 0 },
		"negative time":    func(e *Entry) { e.Timings[len(e.Timings)-1].Median = -1 },
		"negative samples": func(e *Entry) { e.Timings[len(e.Timings)-1].Samples = -1 },
	} {
		one := edited(t, table, change)
		bad[name] = one
		// The same after a good entry.
		bad[name+", second"] = bytes.Replace(table, []byte("]\n}"), append([]byte(","), one[bytes.IndexByte(one, '[')+1:]...), 1)
	}
	for name, data := range bad {
		if got, err := Merge(data); !errors.Is(err, fault.ErrUnsupported) || got != (Merged{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if list, err := os.ReadDir(filepath.Join(dir, "tuned")); len(list) > 0 {
		t.Errorf("%d files are there, %v", len(list), err)
	}
}

func TestMergeWithoutAFolder(t *testing.T) {
	table, _, _ := exported(t, 16)
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"off", blocked} {
		afresh(t, dir)
		if got, err := Merge(table); !errors.Is(err, fault.ErrUnsupported) || got != (Merged{}) {
			t.Errorf("%s: %+v, %v", dir, got, err)
		}
	}
}

// Whatever the folder has under a name, a merge replaces it if it is not as good an entry of that name.
func TestMergeOverDamage(t *testing.T) {
	table, m, s := exported(t, 16)
	good, err := parse("test", table)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range []string{"", "null", "{}", `{"op":"merge"}`, strings.Repeat("x", 1000)} {
		dir := t.TempDir()
		afresh(t, dir)
		for _, id := range []string{good[0].id(), like(good[0].Key, good[0].Caps)} {
			if err := cachedir.Tuned.Open().Put(id, []byte(damage)); err != nil {
				t.Fatal(err)
			}
		}
		if c := s.Pick(m.caps, job{200, 1}); c.Size != 1 {
			t.Errorf("%q: picks %+v", damage, c)
		}
		if got, err := Merge(table); err != nil || got.Stored != 1 {
			t.Errorf("%q: %+v, %v", damage, got, err)
		}
		if c := s.Pick(m.caps, job{200, 1}); c.Size != 16 {
			t.Errorf("%q: picks %+v after the merge", damage, c)
		}
	}
}

// Merges at the same time, of whoever, leave whole entries.
func TestMergesAtOnce(t *testing.T) {
	table, m, s := exported(t, 16)
	dir := t.TempDir()
	afresh(t, dir)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 10 {
				at := time.Duration(g*100+i) * time.Minute
				if _, err := Merge(edited(t, table, func(e *Entry) { e.Time = e.Time.Add(at) })); err != nil {
					t.Error(err)
				}
				if c := s.Pick(m.caps, job{200, 1}); c.Size != 16 {
					t.Errorf("%+v", c)
				}
			}
		})
	}
	group.Wait()
	afresh(t, dir)
	if list, err := Entries(); err != nil || len(list) != 1 || list[0].check() != nil {
		t.Errorf("%+v, %v", list, err)
	}
}
