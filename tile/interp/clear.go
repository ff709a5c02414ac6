package interp

// clear sets the elements of the views that the kernel adds to to zero, which is the same
// bits in every type.
func (p *Program) clear(l *Launch) {
	for i, v := range p.Kernel.Views {
		if !v.Cleared {
			continue
		}
		view, size := &l.views[i], v.Elem.Size()
		var walk func(d, at int)
		walk = func(d, at int) {
			if d < v.Rank {
				for n := range view.size[d] {
					walk(d+1, at+n*view.stride[d])
				}
				return
			}
			clear(view.data[at*size : (at+1)*size])
			if l.shadow != nil {
				l.shadow.wrote(p.Buffers[i], at)
			}
		}
		walk(0, view.offset)
	}
}
