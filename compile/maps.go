package compile

import (
	"slices"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/tile"
)

// mapped says which dimensions of which view a tensor map of an artifact's source copies.
type mapped struct {
	View int
	Dims []int
}

// mapsOf splits the tensor maps of a lowered kernel into what its source says of them and what launches work out.
func mapsOf(k *tile.Func, low *simt.Func) (maps []backend.TensorMap, views []mapped, err error) {
	for _, m := range low.Maps {
		if m.View >= len(k.Views) || k.Views[m.View].Elem != m.Buffer.Elem ||
			slices.ContainsFunc(m.Dims, func(d int) bool { return d < 0 || d >= k.Views[m.View].Rank }) {
			return nil, nil, fault.New(fault.ErrKernel, k.Name, "the tensor map is of dimensions %v of view %d, which the kernel does not have", m.Dims, m.View).For(m.Name)
		}
		maps = append(maps, backend.TensorMap{
			Name: m.Name, Binding: slices.Index(low.Buffers, m.Buffer), Elem: m.Buffer.Elem, Box: slices.Clone(m.Box),
		})
		views = append(views, mapped{m.View, slices.Clone(m.Dims)})
	}
	return maps, views, nil
}

// regions are the regions of an artifact's tensor maps for the words of a launch.
func (a *Artifact) regions(k *tile.Func, words []uint32) []backend.Region {
	if len(a.maps) == 0 {
		return nil
	}
	list := make([]backend.Region, len(a.maps))
	for i, m := range a.maps {
		v := k.Views[m.View]
		at, size := k.ViewWord(v), int64(v.Elem.Size())
		r := &list[i]
		r.Offset = int64(words[at]) * size
		for j, d := range m.Dims {
			r.Sizes[j] = int64(words[at+1+d])
			r.Strides[j] = int64(int32(words[at+1+v.Rank+d])) * size
		}
	}
	return list
}
