package lower

import (
	"github.com/weftgpu/weft/internal/machine"
	"github.com/weftgpu/weft/layout"
	"github.com/weftgpu/weft/simt"
)

// viewsOf is what the tensor maps of a kernel copy from, given the layouts of the tile kernel's views.
func viewsOf(k *simt.Func, layouts []layout.Layout) []machine.View {
	views := make([]machine.View, len(k.Maps))
	for i, m := range k.Maps {
		l := layouts[m.View]
		views[i].Offset = l.Offset()
		for _, d := range m.Dims {
			views[i].Sizes, views[i].Strides = append(views[i].Sizes, l.Size(d)), append(views[i].Strides, l.Stride(d))
		}
	}
	return views
}

// schedulesOf is how many schedules there are to try: one if threads have no roles.
func schedulesOf(k *simt.Func) machine.Schedule {
	if len(k.Maps) == 0 {
		return 1
	}
	return machine.Schedules
}
