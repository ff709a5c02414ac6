package tune

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// table is the form of exported tables.
type table struct {
	Format  int     `json:"weft_tune"`
	Entries []Entry `json:"entries"`
}

// Entries lists what was measured on this machine, by this process and by others, in an order of op and problem.
//
// Error: the folder cannot be listed; what this process knows is there nevertheless.
func Entries() ([]Entry, error) {
	list, err := files().Entries()
	tables.Lock()
	defer tables.Unlock()
	all := map[string]Entry{}
	for id, e := range tables.own {
		if e != nil {
			all[id] = *e
		}
	}
	for _, file := range list {
		if _, have := all[file.Key]; have {
			continue
		}
		data, ok := files().Get(file.Key)
		if !ok {
			continue
		}
		if e, err := decode(data); err == nil && e.id() == file.Key {
			all[file.Key] = *e
		}
	}
	entries := make([]Entry, 0, len(all))
	for _, e := range all {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		for _, x := range [][2]string{{a.Op, b.Op}, {a.Device, b.Device}, {string(a.Problem), string(b.Problem)}, {a.Library, b.Library}} {
			if c := strings.Compare(x[0], x[1]); c != 0 {
				return c
			}
		}
		return 0
	})
	return entries, err
}

// Export writes a table of the entries for which keep says so, nil for all of them: a file to be shipped with
// a program and imported by it.
func Export(w io.Writer, keep func(Entry) bool) error {
	if w == nil {
		return fault.New(fault.ErrArgument, "tune: export", "the writer is nil").For("w")
	}
	entries, err := Entries()
	if err != nil {
		return err
	}
	if keep != nil {
		entries = slices.DeleteFunc(entries, func(e Entry) bool { return !keep(e) })
	}
	text, err := json.MarshalIndent(table{format, entries}, "", "\t")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// Import takes over a table that Export wrote, for this process, and returns the number of its entries:
//
//	//go:embed tuned.json
//	var tuned []byte
//
//	func init() { tune.Import(tuned) }
//
// Where the device is another one, or has another driver, an entry holds for devices with
// the same capabilities. What was measured on the machine itself goes before what is imported, and of
// several tables the last one. Like all that comes from files, entries are checked when they
// are used, and those of other versions of weft or of a kernel are of no effect.
//
// Error: fault.ErrUnsupported if the data is no table of this version; nothing is imported then.
func Import(data []byte) (int, error) {
	entries, err := parse("tune: import", data)
	if err != nil {
		return 0, err
	}
	tables.Lock()
	for i := range entries {
		e := &entries[i]
		tables.imported[e.id()] = e
		tables.imported[like(e.Key, e.Caps)] = e
	}
	tables.Unlock()
	changed()
	return len(entries), nil
}

// parse reads a table.
func parse(op string, data []byte) ([]Entry, error) {
	var t table
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, fault.New(fault.ErrUnsupported, op, "the %d bytes are not a table", len(data)).Because(err)
	}
	if t.Format != format {
		return nil, fault.New(fault.ErrUnsupported, op, "the table has version %d, want %d", t.Format, format)
	}
	for i := range t.Entries {
		if err := t.Entries[i].compact(); err != nil {
			return nil, fault.New(fault.ErrUnsupported, op, "entry %d is not valid", i).Because(err)
		}
	}
	return t.Entries, nil
}
