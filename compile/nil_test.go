package compile

import (
	"errors"
	"strings"
	"testing"

	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/target"
)

// What is nil is an error with the argument's name, and no panic.
func TestNilArguments(t *testing.T) {
	k, dev := copyKernel(t, 64), newRecorder()
	missing := func(_ any, err error) error { return err }
	for name, c := range map[string]struct {
		err error
		arg string
	}{
		"launch of nil":              {New(dev).Launch(nil, nil, nil), "kernel"},
		"prepare of nil":             {missing(New(dev).Prepare(nil, nil, nil)), "kernel"},
		"facts of nil":               {missing(FactsOf(nil, nil)), "kernel"},
		"emit of nil":                {missing(Emit(nil, Generic(nil), target.Caps{})), "kernel"},
		"launch on no device":        {New(nil).Launch(k, nil, nil), "device"},
		"prepare on no device":       {missing(New(nil).Prepare(k, nil, nil)), "device"},
		"launch by a zero compiler":  {(&Compiler{}).Launch(k, nil, nil), "device"},
		"launch by no compiler":      {(*Compiler)(nil).Launch(k, nil, nil), "compiler"},
		"prepare by no compiler":     {missing((*Compiler)(nil).Prepare(k, nil, nil)), "compiler"},
		"launch of nothing prepared": {(*Prepared)(nil).Launch(dev.Stream(), nil, nil), "prepared kernel"},
		"launch of a zero Prepared":  {(&Prepared{}).Launch(dev.Stream(), nil, nil), "prepared kernel"},
		"facts of too few arguments": {missing(FactsOf(k, nil)), ""},
		"facts of zero arguments":    {missing(FactsOf(k, make([]Arg, len(k.Views)))), "x"},
	} {
		var e *fault.Error
		if !errors.As(c.err, &e) || !errors.Is(c.err, fault.ErrArgument) || e.Arg != c.arg || c.arg != "" && !strings.Contains(e.Msg, "is nil") {
			t.Errorf("%s: %v, want ErrArgument of %q", name, c.err, c.arg)
		}
	}
	if p := (*Compiler)(nil).Find(k, nil, nil); p != nil {
		t.Errorf("no compiler finds %v", p)
	}
	if err := errors.Join((*Compiler)(nil).Close(), New(nil).Close(), (&Compiler{}).Close()); err != nil {
		t.Error(err)
	}
	if (*Prepared)(nil).GridReadsScalars() {
		t.Error("a nil grid reads scalars")
	}
}
