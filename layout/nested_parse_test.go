package layout

import (
	"errors"
	"testing"

	"github.com/weftgpu/weft/fault"
)

// FuzzParseNested: whatever the text, there is an error of the stated kinds or a
// layout that prints as text which reads as the same layout.
func FuzzParseNested(f *testing.F) {
	for _, s := range []string{
		"4:1", "((2,2),3):((24,2),8)", "():()", "(():1)", "(4,(2,())):(1,(-4,()))", "(1,2:3,4)", "((((", "2:-", "2:99999999999999999999",
		" ( 3 , 4 ) : ( 4 , 1 ) ", "(2,):(1,)", "(,2):(,1)", "2:1:1", ":", "+2:+1", "9223372036854775807:2",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseNested(text)
		if err != nil {
			if !errors.Is(err, fault.ErrArgument) && !errors.Is(err, fault.ErrShape) && !errors.Is(err, fault.ErrLimit) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if b, err := ParseNested(a.String()); err != nil || !b.Equal(a) {
			t.Fatalf("%q is %v, which reads as %v, %v", text, a, b, err)
		}
		if lo, hi := a.Bounds(); a.At(0) != 0 || lo > 0 || hi < 0 || a.Size() < 1 {
			t.Fatalf("%q is %v: bounds %d %d, size %d", text, a, lo, hi, a.Size())
		}
	})
}
