package fault_test

import (
	"errors"
	"fmt"

	"github.com/weftgpu/weft/fault"
)

// What kind of error it is, and what it says of its place.
func ExampleError() {
	err := error(fault.New(fault.ErrShape, "matmul", "%d columns, b has %d rows", 5, 7).For("a"))
	fmt.Println(err)
	var e *fault.Error
	fmt.Println(errors.Is(err, fault.ErrShape), errors.As(err, &e), e.Op, e.Arg)
	// Output:
	// weft: matmul: a: 5 columns, b has 7 rows: shape mismatch
	// true true matmul a
}
