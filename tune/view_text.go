package tune

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// MarshalText prints a view as "333x257 order=01 align=1", with "strided" after it if neighbours are not neighbours
// in memory and "repeat=01" for dimensions that repeat elements.
func (v View) MarshalText() ([]byte, error) {
	var b strings.Builder
	for d := range int(v.Rank) {
		if d > 0 {
			b.WriteByte('x')
		}
		fmt.Fprint(&b, v.Size[d])
	}
	b.WriteString(" order=")
	for _, d := range v.Order[:v.Rank] {
		fmt.Fprint(&b, d)
	}
	fmt.Fprintf(&b, " align=%d", v.Align)
	if !v.Unit {
		b.WriteString(" strided")
	}
	if v.Repeat != 0 {
		b.WriteString(" repeat=")
		for d := range int(v.Rank) {
			if v.Repeat>>d&1 != 0 {
				fmt.Fprint(&b, d)
			}
		}
	}
	return []byte(b.String()), nil
}

// UnmarshalText reads what MarshalText prints.
// Error: fault.ErrArgument for anything else.
func (v *View) UnmarshalText(text []byte) error {
	fail := func(part string) error {
		return fault.New(fault.ErrArgument, "tune: view", "%q in %q is not known", part, text)
	}
	*v = View{Unit: true}
	sizes, rest, _ := strings.Cut(string(text), " ")
	if sizes != "" {
		for s := range strings.SplitSeq(sizes, "x") {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || v.Rank == MaxRank {
				return fail(sizes)
			}
			v.Size[v.Rank] = n
			v.Rank++
		}
	}
	for _, part := range strings.Fields(rest) {
		name, value, _ := strings.Cut(part, "=")
		ok := true
		switch name {
		case "order":
			ok = len(value) == int(v.Rank)
			seen := uint8(0)
			for i, c := range []byte(value) {
				if ok = ok && v.dimension(c); ok {
					v.Order[i] = int8(c - '0')
					seen |= 1 << (c - '0')
				}
			}
			ok = ok && seen == 1<<v.Rank-1
		case "align":
			n, err := strconv.Atoi(value)
			ok = err == nil && n >= 1 && n <= maxAlign && n&(n-1) == 0
			v.Align = int8(n)
		case "strided":
			v.Unit = false
		case "repeat":
			for _, c := range []byte(value) {
				if ok = ok && v.dimension(c); ok {
					v.Repeat |= 1 << (c - '0')
				}
			}
		default:
			ok = false
		}
		if !ok {
			return fail(part)
		}
	}
	if v.Align == 0 {
		return fail("the alignment is missing")
	}
	return nil
}

// dimension reports whether a digit is one of the view's dimensions.
func (v *View) dimension(digit byte) bool { return digit >= '0' && digit < '0'+byte(v.Rank) }
