package pass

import "github.com/weftgpu/weft/internal/setting"

// CheckEnv is the environment variable that says when the IR is verified: after every pass if it is
// "1", and else at the end of the passes alone. What a pass breaks is broken at the end as well; tests set it
// (internal/testenv), so that they name the pass.
const CheckEnv = "WEFT_CHECK"

var check = setting.New(CheckEnv, "0", "1")

// Checked reports whether the IR is verified after every pass.
func Checked() bool { return check.Value() == "1" }
