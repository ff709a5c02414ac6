package kernels

import (
	"github.com/weftgpu/weft/tune"
)

// ImagesView is the view of images [N,C,H,W] in the order of a shape.
func (s Conv2DShape) ImagesView(n, channels, rows, columns int) tune.View {
	v := tune.View{Rank: 4, Unit: true, Align: 1, Order: [tune.MaxRank]int8{0, 1, 2, 3}, Size: [tune.MaxRank]int{n, channels, rows, columns}}
	run := columns
	if s.ChannelsLast {
		v.Order, run = [tune.MaxRank]int8{0, 2, 3, 1}, channels
	}
	for v.Align < 16 && run%int(2*v.Align) == 0 {
		v.Align *= 2
	}
	return v
}
