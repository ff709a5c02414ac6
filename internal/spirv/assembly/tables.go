package assembly

import (
	"strconv"
	"strings"
	"sync"
)

// form is what the text of an operand is.
type form uint8

const (
	resultType form = iota
	result
	id
	integer
	text
	number
	enumerant
)

var forms = map[string]form{"type": resultType, "result": result, "id": id, "int": integer, "string": text, "number": number}

// operand is an operand of an instruction or of an enumerant.
type operand struct {
	form  form
	times byte         // '?' if it may be missing, '*' if there may be any number, 0 for one
	enum  *enumeration // of an enumerant
}

// instruction is a row of the table of instructions.
type instruction struct {
	code      uint32
	hasResult bool
	operands  []operand
}

// enumeration is a row of the table of enumerants.
type enumeration struct {
	name   string
	mask   bool
	values map[string]value
	bits   map[uint32]value // of a mask, by their numbers
}

// value is an enumerant.
type value struct {
	number   uint32
	operands []operand
}

type tables struct {
	instructions map[string]*instruction
	enumerations map[string]*enumeration
}

// read reads the tables once.
var read = sync.OnceValue(func() *tables {
	t := &tables{instructions: map[string]*instruction{}, enumerations: map[string]*enumeration{}}
	for line := range strings.Lines(strings.TrimSpace(enumerantList)) {
		t.readEnumeration(strings.Fields(line))
	}
	for line := range strings.Lines(strings.TrimSpace(instructionList)) {
		fields := strings.Fields(line)
		inst := &instruction{code: decimal(fields[1])}
		for _, field := range fields[2:] {
			o := t.operand(field)
			inst.hasResult = inst.hasResult || o.form == result
			inst.operands = append(inst.operands, o)
		}
		t.instructions[fields[0]] = inst
	}
	return t
})

// readEnumeration adds one line. What its enumerants take has to be on lines before it.
func (t *tables) readEnumeration(fields []string) {
	e := &enumeration{values: map[string]value{}, bits: map[uint32]value{}}
	e.name, e.mask = strings.CutSuffix(fields[0], "|")
	for _, field := range fields[1:] {
		name, what, _ := strings.Cut(field, "=")
		digits, parameters, _ := strings.Cut(strings.TrimSuffix(what, ")"), "(")
		v := value{number: decimal(digits)}
		if parameters != "" {
			for p := range strings.SplitSeq(parameters, ",") {
				v.operands = append(v.operands, t.operand(p))
			}
		}
		e.values[name], e.bits[v.number] = v, v
	}
	t.enumerations[e.name] = e
}

func (t *tables) operand(field string) (o operand) {
	if last := field[len(field)-1]; last == '?' || last == '*' {
		o.times = last
		field = field[:len(field)-1]
	}
	var known bool
	if o.form, known = forms[field]; !known {
		o.form, o.enum = enumerant, t.enumerations[field]
	}
	return o
}

// decimal is a number of the tables.
func decimal(digits string) uint32 {
	n, _ := strconv.ParseUint(digits, 10, 32)
	return uint32(n)
}
