package catalog

import (
	"math"
	"strconv"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
)

// Shape is what a person types for the sizes of an op: tensors separated by commas, sizes by "x".
type Shape struct {
	text    string
	Tensors [][]int
}

// ParseShape reads "32x64x56x56,64x64x3x3". Error: ErrShape for what is no such text, ErrLimit for sizes beyond
// 31 bits.
func ParseShape(text string) (Shape, error) {
	s := Shape{text: text}
	for _, tensor := range strings.Split(text, ",") {
		var sizes []int
		for _, field := range strings.Split(tensor, "x") {
			n, err := strconv.ParseUint(field, 10, 64)
			if err != nil && !strings.Contains(err.Error(), "range") {
				return s, fault.New(weft.ErrShape, "shape", "%q: %q is not a size; sizes are written like 64x128, tensors are separated by commas", text, field)
			}
			if err != nil || n > math.MaxInt32 {
				return s, fault.New(weft.ErrLimit, "shape", "%q: size %s is beyond 2^31-1", text, field)
			}
			sizes = append(sizes, int(n))
		}
		s.Tensors = append(s.Tensors, sizes)
	}
	return s, nil
}
