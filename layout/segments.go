package layout

// Segments returns how many aligned segments of neighbouring elements along a
// dimension a group of threads touches when each takes one of its registers: the
// memory transactions of one access, if dim is the dimension whose elements are
// side by side in memory and a segment what one transaction moves. A group is
// lanes threads whose numbers differ in the low bits alone; all groups and all
// registers touch equally many, and a vector that is in one segment touches no
// more than its first element. lanes and length are powers of two; threads or
// elements beyond those of l count as those that there are.
//
// Law: Segments(dim, length, lanes) is the number of different coordinates of the
// elements (r, t), (r, t+1), .. (r, t+lanes-1), for any register r and any multiple t
// of lanes, with coordinate dim divided by length.
//
// It panics if lanes or length are no powers of two: the compiler chooses both.
func (l Linear) Segments(dim, length, lanes int) int {
	if !isPow2(length) || !isPow2(lanes) {
		panic("layout: segments of no power of two")
	}
	within := (min(length, l.shape[dim]) - 1) << l.low(dim)
	var touched span
	threads := l.of(Thread)
	for _, b := range threads[:min(log2(lanes), len(threads))] {
		touched.add(b&^within, 0)
	}
	return 1 << len(touched)
}
