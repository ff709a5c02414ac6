package pass

import (
	"flag"
	"os"
)

// CheckEnv is the environment variable that says when the IR is verified: after every pass if it is
// "1", at the end of the passes alone if it is "0". Without it test binaries do the first and other programs the second:
// what a pass breaks is broken at the end as well, and tests are who want to know which pass it was.
const CheckEnv = "WEFT_CHECK"

// Checked reports whether the IR is verified after every pass.
func Checked() bool {
	switch os.Getenv(CheckEnv) {
	case "1":
		return true
	case "0":
		return false
	}
	return flag.Lookup("test.v") != nil // as testing.Testing, without package testing
}
