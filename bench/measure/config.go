package measure

import (
	"fmt"
	"strings"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/bench/suite"
	"github.com/weftgpu/weft/internal/offline"
	"github.com/weftgpu/weft/target"
)

// configs says which kernels a work launches on a device with which configs, such as "matmul BM=128 BN=128": it
// runs the work on a device of the same abilities that is not there. It is empty if that fails.
func configs(caps target.Caps, w suite.Work) string {
	dev, record := offline.Open("bench", caps)
	defer dev.Close()
	var in []*weft.Tensor
	for _, o := range append(w.Inputs[:len(w.Inputs):len(w.Inputs)], w.Output) {
		t, err := weft.Empty(dev, o.Elem, o.Shape...)
		if err != nil {
			return ""
		}
		in = append(in, t)
	}
	if err := w.Run(in[len(in)-1], in[:len(in)-1]); err != nil {
		return ""
	}
	var list []string
	for _, l := range record.Take() {
		text := l.Kernel.Name
		for name, value := range offline.Fields(l.Kernel.Config) {
			text += fmt.Sprintf(" %s=%v", name, value)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}
