package interp

// clear sets the elements of the views that the kernel adds to to zero, which is the same
// bits in every type.
func (p *Program) clear(l *Launch) {
	for i, v := range p.Kernel.Views {
		if !v.Cleared {
			continue
		}
		view, size := &l.views[i], v.Elem.Size()
		view.each(v.Rank, func(_ []int, at int) {
			clear(view.data[at*size : (at+1)*size])
			if l.shadow != nil {
				l.shadow.wrote(p.Buffers[i], at)
			}
		})
	}
}
