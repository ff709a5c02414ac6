package kernelgen

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/bounds"
	"github.com/weftgpu/weft/internal/testenv"
	"pgregory.net/rapid"
)

// Check runs a property on the cases of the Corpus and then on random ones, n if
// -rapid.checks does not say how many. They are the same in every run unless anew is set or
// -rapid.seed says otherwise. The property runs a case; what became of it is in the
// report, which Check logs.
func Check(t *testing.T, n int, anew bool, o Options, run func(t TB, c *Case, r *Report)) {
	n = testenv.Share(n)
	r := &Report{}
	defer func() { t.Log(r) }()
	for _, k := range Corpus {
		t.Run(k.Name, func(t *testing.T) {
			c, err := k.Case()
			if err != nil {
				t.Fatal(err)
			}
			run(t, c, r)
		})
	}
	if t.Failed() {
		return
	}
	defer setFlag(t, "rapid.nofailfile", "true")()
	defer setFlag(t, "rapid.checks", fmt.Sprint(n))()
	if !anew {
		seed := fnv.New64a()
		seed.Write([]byte(t.Name()))
		defer setFlag(t, "rapid.seed", fmt.Sprint(seed.Sum64()>>1|1))()
	}
	rapid.Check(t, func(t *rapid.T) { run(t, Kernel(t, o), r) })
}

// TB is what reports a failure: a *testing.T or a *rapid.T.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// setFlag sets a flag of package rapid that the command line leaves open, and returns what sets it back.
func setFlag(t *testing.T, name, value string) (restore func()) {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	f := flag.Lookup(name)
	if given || f == nil {
		return func() {}
	}
	before := f.Value.String()
	set := func(x string) {
		if err := f.Value.Set(x); err != nil { // not flag.Set, after which the flag would count as given
			t.Fatal(err)
		}
	}
	set(value)
	return func() { set(before) }
}

// Report counts what became of cases, and the elements that they wrote by how they were
// compared: see bounds.Value.Kind.
type Report struct {
	Ran, Undecided int
	Refused        map[string]int // by reason
	Elements       [bounds.NumKinds]int
}

// Run runs a case on a device and compares what it leaves in the buffers. That the
// case is undecided, or that the device refuses it as too large or unsupported, is
// counted; other errors are returned, with the kernel.
func (r *Report) Run(c *Case, device func() ([][]byte, error)) error {
	if err := c.Bound(); errors.Is(err, bounds.ErrUndecided) {
		r.Undecided++
		return nil
	} else if err != nil {
		return fmt.Errorf("%w\n%v", err, c)
	}
	got, err := device()
	if errors.Is(err, fault.ErrLimit) || errors.Is(err, fault.ErrUnsupported) {
		if r.Refused == nil {
			r.Refused = map[string]int{}
		}
		r.Refused[reason(err)]++
		return nil
	}
	if err == nil {
		r.Ran++
		err = c.Compare(got, r)
	}
	if err != nil {
		return fmt.Errorf("%w\n%v", err, c)
	}
	return nil
}

// reason is an error without its numbers and its line.
func reason(err error) string {
	words := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == ' ' || r >= '0' && r <= '9' })
	return strings.Join(words, " ")
}

// String says what became of all cases.
func (r *Report) String() string {
	s := fmt.Sprintf("%d kernels ran, %d were undecided; elements written: %d exact, %d within bounds, %d open",
		r.Ran, r.Undecided, r.Elements[bounds.Exact], r.Elements[bounds.Bounded], r.Elements[bounds.Open])
	for _, why := range slices.Sorted(maps.Keys(r.Refused)) {
		s += fmt.Sprintf("; %d refused: %s", r.Refused[why], why)
	}
	return s
}
