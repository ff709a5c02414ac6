package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Header says what follows it in a file.
type Header struct {
	Descr   string // element type with its byte order, such as "<f4"; of records the list of their fields
	Fortran bool   // the first dimension runs fastest, not the last
	Shape   []int
}

const (
	magic = "\x93NUMPY"
	align = 64 // elements begin at a multiple of it
	// maxHeader bounds what is read before anything is known to be right. NumPy itself refuses
	// headers of more than 10,000 bytes unless told otherwise.
	maxHeader = 1 << 20
)

// ErrFormat is what all errors are about, but those of the reader itself.
var ErrFormat = errors.New("not a valid .npy file")

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

// Read reads a header and leaves the reader at the first element.
// Errors: ErrFormat, also where the header ends early, and those of the reader.
func Read(r io.Reader) (Header, error) {
	start := make([]byte, len(magic)+2)
	if err := readFull(r, start); err != nil {
		return Header{}, err
	}
	if string(start[:len(magic)]) != magic {
		return Header{}, wrong("it begins with %q", start[:len(magic)])
	}
	size := make([]byte, 4)
	switch major, minor := start[len(magic)], start[len(magic)+1]; {
	case minor != 0 || major < 1 || major > 3:
		return Header{}, wrong("version %d.%d", major, minor)
	case major == 1:
		if err := readFull(r, size[:2]); err != nil {
			return Header{}, err
		}
	default:
		if err := readFull(r, size); err != nil {
			return Header{}, err
		}
	}
	n := binary.LittleEndian.Uint32(size)
	if n > maxHeader {
		return Header{}, wrong("a header of %d bytes", n)
	}
	text := make([]byte, n)
	if err := readFull(r, text); err != nil {
		return Header{}, err
	}
	return parse(string(text))
}

func readFull(r io.Reader, p []byte) error {
	_, err := io.ReadFull(r, p)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return wrong("it ends within the header")
	}
	return err
}

// Write writes a header in the oldest version that holds it.
func Write(w io.Writer, h Header) error {
	sizes := make([]string, len(h.Shape))
	for i, n := range h.Shape {
		sizes[i] = strconv.Itoa(n) + ","
	}
	shape := strings.Join(sizes, " ")
	if len(h.Shape) > 1 {
		shape = strings.TrimSuffix(shape, ",")
	}
	order := "False"
	if h.Fortran {
		order = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", h.Descr, order, shape)
	version, prefix := byte(1), len(magic)+2+2
	if len(text)+align > 0xffff {
		version, prefix = 2, len(magic)+2+4
	}
	pad := align - 1 - (prefix+len(text))%align
	text += strings.Repeat(" ", pad) + "\n"
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write([]byte{version, 0})
	if version == 1 {
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(text))))
	} else {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(text))))
	}
	b.WriteString(text)
	_, err := w.Write(b.Bytes())
	return err
}

// parse reads the header's text: a Python dictionary of exactly the three keys.
func parse(text string) (Header, error) {
	p := parser{rest: text}
	var h Header
	seen := map[string]bool{}
	p.want("{")
	for !p.next("}") && p.err == nil {
		key := p.quoted()
		if seen[key] {
			p.fail("the key %q is given twice", key)
		}
		seen[key] = true
		p.want(":")
		switch key {
		case "descr":
			h.Descr = p.descr()
		case "fortran_order":
			if h.Fortran = p.next("True"); !h.Fortran {
				p.want("False")
			}
		case "shape":
			h.Shape = p.tuple()
		default:
			p.fail("unknown key %q", key)
		}
		if !p.next(",") {
			p.want("}")
			break
		}
	}
	if p.skip(); p.rest != "" {
		p.fail("there is text after the header's dictionary")
	}
	if len(seen) < 3 {
		p.fail("a key is missing, want descr, fortran_order and shape")
	}
	if p.err != nil {
		return Header{}, p.err
	}
	return h, nil
}

// parser takes a text apart from its start on and keeps the first error.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = wrong(format, args...)
	}
	p.rest = ""
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// next takes a token if it comes next.
func (p *parser) next(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	p.rest = rest
	return ok
}

func (p *parser) want(token string) {
	if !p.next(token) {
		p.fail("found %q, want %q", p.rest[:min(len(p.rest), 20)], token)
	}
}

// descr takes an element type: a string, or as it is written the list that an array of records has. Names in it are as
// one likes, so the list is not taken apart: its end is where a bracket closes the first one, outside of strings.
func (p *parser) descr() string {
	if p.skip(); !strings.HasPrefix(p.rest, "[") {
		return p.quoted()
	}
	list, depth, quote := p.rest, 0, byte(0)
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case quote != 0 && c == '\\':
			i++ // what is escaped ends no string
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				p.rest = list[i+1:]
				return list[:i+1]
			}
		}
	}
	p.fail("a list is not closed")
	return ""
}

// quoted takes a string. Strings that matter hold no escapes.
func (p *parser) quoted() string {
	quote := "'"
	if !p.next(quote) {
		quote = `"`
		p.want(quote)
	}
	s, rest, ok := strings.Cut(p.rest, quote)
	if !ok {
		p.fail("a string is not closed")
		return ""
	}
	p.rest = rest
	return s
}

// tuple takes (), (3,), (3, 4) or (3, 4,). Python 2 wrote long integers as 3L.
func (p *parser) tuple() []int {
	shape := []int{}
	p.want("(")
	for !p.next(")") && p.err == nil {
		p.skip()
		end := 0
		for end < len(p.rest) && p.rest[end] >= '0' && p.rest[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(p.rest[:end])
		if err != nil {
			p.fail("found %q, want a size", p.rest[:min(len(p.rest), 20)])
			break
		}
		shape, p.rest = append(shape, n), p.rest[end:]
		p.next("L")
		if !p.next(",") {
			p.want(")")
			break
		}
	}
	return shape
}
