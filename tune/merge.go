package tune

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Merged counts what became of a table's entries.
type Merged struct {
	Stored  int // written
	Known   int // the folder has as good ones: later ones, or whole ones where these are of interrupted races
	Foreign int // of another version of weft, for which they are of no effect
}

// Merge takes a table that Export wrote over into the cache folder, for all programs of the user: on the device on which
// it was measured as if it had been measured here, and on devices with the same capabilities where nothing was measured.
// All of the table is checked before anything is written. Each entry is written at once or not at all, so that other processes may
// race and read meanwhile; and when an entry is used, it is held to the rules and the kernel of the day, as all are.
//
// Errors: fault.ErrUnsupported if the data is no table of this version, if an entry is not what a race leaves, if there is no cache
// folder, or if it cannot be written: then the counts are of what was done before.
func Merge(data []byte) (m Merged, err error) {
	const op = "tune: merge"
	entries, err := parse(op, data)
	if err != nil {
		return m, err
	}
	for i, e := range entries {
		if err := e.check(); err != nil {
			return m, fault.New(fault.ErrUnsupported, op, "entry %d is not valid", i).Because(err)
		}
	}
	if files().Dir() == "" {
		return m, fault.New(fault.ErrUnsupported, op, "there is no cache folder")
	}
	defer changed()
	for i := range entries {
		e := &entries[i]
		if e.Format != format || e.Library != library() {
			m.Foreign++
			continue
		}
		stored, err := e.merge()
		if err != nil {
			return m, err
		}
		if stored {
			m.Stored++
		} else {
			m.Known++
		}
	}
	return m, nil
}

// check refuses what no race leaves.
func (e *Entry) check() error {
	switch {
	case e.Op == "" || e.Device == "":
		return fmt.Errorf("op %q on device %q, want both names", e.Op, e.Device)
	case !strings.HasPrefix(e.Device, e.Caps.Fingerprint):
		return fmt.Errorf("device %q has the capabilities of %q, want its own", e.Device, e.Caps.Fingerprint)
	case len(e.Timings) == 0 || e.Timings[0].Dropped != "" || e.Best() <= 0:
		return errors.New("the fastest config has no time")
	}
	for _, t := range e.Timings {
		if t.Median < 0 || t.Samples < 0 {
			return fmt.Errorf("a time of %d samples and %v, want more than 0", t.Samples, t.Median)
		}
	}
	return nil
}

// merge writes an entry under its own name and that which like devices share, unless there are as good ones.
func (e *Entry) merge() (stored bool, err error) {
	data, err := json.Marshal(e)
	if err != nil {
		return false, fault.New(fault.ErrUnsupported, "tune: merge", "the entry of %s cannot be written", e.Op).Because(err)
	}
	tables.Lock()
	defer tables.Unlock()
	for id, known := range map[string]map[string]*Entry{e.id(): tables.own, like(e.Key, e.Caps): tables.merged} {
		if there := fileEntry(id); there != nil && !e.replaces(there) {
			continue
		}
		if err := files().Put(id, data); err != nil {
			return stored, err
		}
		known[id], stored = e, true
	}
	return stored, nil
}

// replaces reports whether an entry is better than one that is there: whole, or later.
func (e *Entry) replaces(there *Entry) bool {
	if e.Partial != there.Partial {
		return there.Partial
	}
	return e.Time.After(there.Time)
}

// fileEntry is the entry in the file of a name; nil if there is none to which that name belongs.
func fileEntry(id string) *Entry {
	data, ok := files().Get(id)
	if !ok {
		return nil
	}
	e, err := decode(data)
	if err != nil || id != e.id() && id != like(e.Key, e.Caps) {
		return nil
	}
	return e
}
