package emit

import (
	"github.com/weftgpu/weft/internal/lower/assign"
	"github.com/weftgpu/weft/internal/lower/tilepass"
)

// Padded emits a kernel whose operands are padded even where they surely do not fit, of which it tells.
func Padded(passed *tilepass.Kernel, a *assign.Assignment) (e *Emitted, crowded bool, err error) {
	l := start(passed, a)
	crowded = l.crowded(passed.Func.Body)
	e, err = l.emit()
	return e, crowded, err
}
