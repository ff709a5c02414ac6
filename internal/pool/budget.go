package pool

import (
	"strconv"
	"strings"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
)

// Env says how many bytes of buffers may wait in a device's pool: a number with or without
// KiB, MiB or GiB, or "off".
const Env = "WEFT_POOL"

// Budget is the budget that the value of Env asks for, and for none an eighth of a GPU's memory, a
// 32nd of the host's, and 256 MiB where the memory is not known.
//
// Error: fault.ErrArgument for a value that is no size; the budget is then that of none.
func Budget(value string, info backend.Info) (bytes int64, err error) {
	switch value {
	case "":
	case "off":
		return 0, nil
	default:
		if bytes, err = parse(value); err == nil {
			return bytes, nil
		}
	}
	switch {
	case info.Memory <= 0:
		return 256 << 20, err
	case info.Kind == backend.GPU:
		return info.Memory / 8, err
	}
	return info.Memory / 32, err
}

func parse(value string) (int64, error) {
	digits, shift := strings.TrimSuffix(value, "B"), 0
	for i, unit := range []string{"Ki", "Mi", "Gi"} {
		if s, ok := strings.CutSuffix(digits, unit); ok {
			digits, shift = s, 10*(i+1)
			break
		}
	}
	n, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 63-shift)
	if err != nil {
		return 0, fault.New(fault.ErrArgument, "open", "%s=%s is neither off nor a size such as 512MiB", Env, value)
	}
	return int64(n) << shift, nil
}
