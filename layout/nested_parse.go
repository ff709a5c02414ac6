package layout

import (
	"errors"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// ParseNested reads shape:stride, such as "((2,2),3):((24,2),8)" or "4:1". Blanks
// do not matter.
//
// Law: ParseNested(a.String()) equals a.
//
// Errors: fault.ErrArgument if the text is no shape:stride of equal nesting, fault.ErrShape if a
// size is below 1, fault.ErrLimit for numbers that overflow an int.
func ParseNested(text string) (Nested, error) {
	shape, stride, ok := strings.Cut(strings.ReplaceAll(text, " ", ""), ":")
	p, q := reader{rest: shape}, reader{rest: stride}
	a := p.nested(&q)
	if !ok || p.bad || q.bad || p.rest != "" || q.rest != "" {
		return Nested{}, fault.New(fault.ErrArgument, "parse", "%q is not a shape:stride of equal nesting", text)
	}
	if p.large || q.large {
		return Nested{}, fault.New(fault.ErrLimit, "parse", "a number in %q overflows an int", text)
	}
	return a.checked("parse")
}

// reader consumes one side of the text; the two sides are read in step.
type reader struct {
	rest       string
	bad, large bool
}

// nested reads one tree, its sizes from p and its strides from q.
func (p *reader) nested(q *reader) Nested {
	if !p.take("(") {
		return leafOf(p.number(), q.number())
	}
	q.expect("(")
	var modes []Nested
	for !p.take(")") && !p.bad && !q.bad {
		if len(modes) > 0 {
			p.expect(",")
			q.expect(",")
		}
		modes = append(modes, p.nested(q))
	}
	q.expect(")")
	return groupOf(modes...)
}

func (p *reader) take(token string) bool {
	rest, ok := strings.CutPrefix(p.rest, token)
	p.rest = rest
	return ok
}

func (p *reader) expect(token string) {
	if !p.take(token) {
		p.bad = true
	}
}

func (p *reader) number() int {
	end := strings.IndexAny(p.rest, "(),")
	if end < 0 {
		end = len(p.rest)
	}
	digits := p.rest[:end]
	p.rest = p.rest[end:]
	n, err := strconv.Atoi(digits)
	if errors.Is(err, strconv.ErrRange) {
		p.large = true
	} else if err != nil {
		p.bad = true
	}
	return n
}
