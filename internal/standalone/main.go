package standalone

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/weftgpu/weft/fault"
)

//go:embed mains/*.cpp.in
var mains embed.FS

// Main is a program that tests what CUDA wrote, to be put after it: it compares the results of random operands, for
// several sizes and alignments, with plain loops on the host. It is compiled where WEFT_MAIN is defined.
//
// Error: ErrUnsupported for ops and options without such loops.
func (p *Plan) Main() (string, error) {
	o := p.Call.Options
	none := fault.New(fault.ErrUnsupported, p.Call.Op.Name, "no test program for this op with these options")
	body, err := mains.ReadFile("mains/" + p.Call.Op.Name + ".cpp.in")
	if err != nil || !o.Elem().IsFloat() {
		return "", none
	}
	// What the loops know of the problem.
	words := map[string]string{
		"ELEMENT": ctypes[o.Elem()], "STRIDE": strconv.Itoa(o.Stride), "PAD": strconv.Itoa(o.Pad), "DILATION": strconv.Itoa(o.Dilation),
	}
	parameters := map[string]int{"add": 1, "transpose": 2, "matmul": 3, "softmax": 2, "sum": 1, "attention": 4, "conv2d": 5}
	switch name := p.Call.Op.Name; {
	case len(p.Sizes) != parameters[name]:
		return "", none
	case name == "matmul":
		words["A_INDEX"], words["B_INDEX"] = "size_t(m) * K + k", "size_t(k) * N + n"
		if o.Layout[0] == 't' {
			words["A_INDEX"] = "size_t(k) * M + m"
		}
		if o.Layout[1] == 't' {
			words["B_INDEX"] = "size_t(n) * K + k"
		}
	case name == "attention":
		if o.KVHeads > 0 {
			return "", none
		}
		words["HEAD"], words["CAUSAL"] = strconv.Itoa(p.Fixed[3]), strconv.FormatBool(o.Causal)
	case name == "conv2d":
		if o.Groups != 1 || o.ChannelsLast {
			return "", none
		}
		words["ROWS"], words["COLUMNS"] = strconv.Itoa(p.Call.Kernel[0]), strconv.Itoa(p.Call.Kernel[1])
	}
	head, err := mains.ReadFile("mains/head.cpp.in")
	if err != nil {
		return "", err
	}
	tail, err := mains.ReadFile("mains/tail.cpp.in")
	if err != nil {
		return "", err
	}
	text := string(body)
	var defines strings.Builder
	for _, w := range []string{"ELEMENT", "A_INDEX", "B_INDEX", "HEAD", "CAUSAL", "ROWS", "COLUMNS", "STRIDE", "PAD", "DILATION"} {
		if value := words[w]; value != "" && strings.Contains(text, w) {
			fmt.Fprintf(&defines, "#define %s %s\n", w, value)
		}
	}
	return string(head) + defines.String() + "\n" + text + string(tail), nil
}
