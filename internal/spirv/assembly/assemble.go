package assembly

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

// Compiler names the assembler; a cache of binaries is keyed by it.
const Compiler = "spirv assembly rev 1"

const (
	magic       = 0x07230203
	headerWords = 5 // magic, version, generator, bound, schema
	versionAt   = 1
	boundAt     = 3
	version13   = 0x10300
)

// Assemble returns the binary of a module in little-endian bytes. An error wraps fault.ErrKernel and says the line.
func Assemble(source string) (spv []byte, err error) {
	words, err := Words(source)
	if err != nil {
		return nil, err
	}
	spv = make([]byte, 4*len(words))
	for i, w := range words {
		binary.LittleEndian.PutUint32(spv[4*i:], w)
	}
	return spv, nil
}

// Words is Assemble, with the words that the binary consists of.
func Words(source string) ([]uint32, error) {
	a := &assembler{
		tables: read(),
		words:  make([]uint32, headerWords, headerWords+len(source)/8),
		ids:    make(map[string]uint32, len(source)/64),
		known:  make([]known, 1, 1+len(source)/64),
	}
	a.words[0], a.words[versionAt] = magic, version13
	for line := range strings.Lines(source) {
		a.line++
		a.rest = strings.TrimSuffix(line, "\n")
		if err := a.instruction(); err != nil {
			return nil, a.fail(a.line, err)
		}
	}
	for name, n := range a.ids {
		if k := a.known[n]; !k.defined {
			return nil, a.fail(k.line, fmt.Errorf("%s is defined nowhere", name))
		}
	}
	a.words[boundAt] = uint32(len(a.known))
	return a.words, nil
}

// assembler is at a line of the text.
type assembler struct {
	*tables
	words []uint32
	ids   map[string]uint32
	known []known // by id
	line  int
	rest  string // of the line
	typ   uint32 // of the result of the instruction at hand
	name  string // of its result, "" if none was given or it was used
}

// known is what the text said of an id so far.
type known struct {
	defined bool
	line    int // which names it first
	literal literal
}

func (a *assembler) fail(line int, err error) error {
	return fault.New(fault.ErrKernel, "spirv", "line %d: %v", line, err)
}

// instruction reads a line.
func (a *assembler) instruction() error {
	name, err := a.token()
	if name == "" || err != nil {
		return err
	}
	a.name, a.typ = "", 0
	if name[0] == '%' {
		a.name = name
		if is, err := a.token(); is != "=" {
			return orElse(err, "%s is followed by %q, not by =", name, is)
		}
		if name, err = a.token(); err != nil {
			return err
		}
	}
	inst := a.instructions[name]
	switch {
	case inst == nil:
		return fmt.Errorf("the instruction %q is not known", name)
	case inst.hasResult != (a.name != ""):
		return fmt.Errorf("%s has a result: %v", name, inst.hasResult)
	}
	start := len(a.words)
	a.words = append(a.words, 0)
	if err := a.operands(inst.operands); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if extra, err := a.token(); extra != "" || err != nil {
		return orElse(err, "%s: the operand %s is one too many", name, extra)
	}
	count := len(a.words) - start
	if count > 0xffff {
		return fmt.Errorf("%s has %d words, which are too many", name, count)
	}
	a.words[start] = uint32(count)<<16 | inst.code
	a.noteType(inst.code, a.words[start+1:])
	return nil
}

// operands reads what the rows of a table ask for.
func (a *assembler) operands(list []operand) error {
	for _, o := range list {
		for more := true; more; more = o.times == '*' {
			if o.form == result {
				if err := a.define(); err != nil {
					return err
				}
				continue
			}
			token, err := a.token()
			switch {
			case err != nil:
				return err
			case token == "" && o.times != 0:
				return nil
			case token == "":
				return fmt.Errorf("an operand is missing")
			}
			if err := a.operand(o, token); err != nil {
				return err
			}
		}
	}
	return nil
}

// define appends the instruction's result.
func (a *assembler) define() error {
	n, err := a.id(a.name)
	if err != nil {
		return err
	}
	if a.known[n].defined {
		return fmt.Errorf("%s is defined twice", a.name)
	}
	a.known[n].defined = true
	a.words = append(a.words, n)
	return nil
}

// operand appends the words of one.
func (a *assembler) operand(o operand, token string) error {
	if token[0] == '!' {
		n, err := strconv.ParseUint(token[1:], 0, 32)
		a.words = append(a.words, uint32(n))
		return orElse(err, "")
	}
	switch o.form {
	case id, resultType:
		n, err := a.id(token)
		if o.form == resultType {
			a.typ = n
		}
		a.words = append(a.words, n)
		return err
	case integer:
		return a.literal(literal{kind: unsigned, bits: 32}, token)
	case text:
		return a.string(token)
	case number:
		return a.literal(a.known[a.typ].literal, token)
	}
	return a.enumerant(o.enum, token)
}

// id is the number of a name.
func (a *assembler) id(name string) (uint32, error) {
	if n, ok := a.ids[name]; ok {
		return n, nil
	}
	if len(name) < 2 || name[0] != '%' || strings.ContainsFunc(name[1:], notInName) {
		return 0, fmt.Errorf("%q is not the name of an id", name)
	}
	n := uint32(len(a.known))
	a.ids[name] = n
	a.known = append(a.known, known{line: a.line})
	return n, nil
}

func notInName(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// string appends the words of a string, whose token has a quotation mark before it.
func (a *assembler) string(token string) error {
	if token[0] != '"' {
		return fmt.Errorf("%q is not a string", token)
	}
	bytes := append([]byte(token[1:]), 0)
	for len(bytes)%4 != 0 {
		bytes = append(bytes, 0)
	}
	for ; len(bytes) > 0; bytes = bytes[4:] {
		a.words = append(a.words, binary.LittleEndian.Uint32(bytes))
	}
	return nil
}

// enumerant appends an enumerant, or several of a mask, and what they take.
func (a *assembler) enumerant(e *enumeration, token string) error {
	if v, ok := e.values[token]; ok {
		a.words = append(a.words, v.number)
		return a.operands(v.operands)
	}
	sum := uint32(0)
	for name := range strings.SplitSeq(token, "|") {
		v, ok := e.values[name]
		if !ok || !e.mask {
			return fmt.Errorf("%q is not a %s", token, e.name)
		}
		sum |= v.number
	}
	a.words = append(a.words, sum)
	for rest := sum; rest != 0; rest &= rest - 1 {
		if err := a.operands(e.bits[rest&-rest].operands); err != nil {
			return err
		}
	}
	return nil
}

// orElse is err, or what the format says.
func orElse(err error, format string, args ...any) error {
	if err != nil || format == "" {
		return err
	}
	return fmt.Errorf(format, args...)
}
