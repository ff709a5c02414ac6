package squares

import "unsafe"

// kernel transposes lines of elements of one size, a vector's number of them, and n times side elements of each. Steps are bytes between
// lines.
type kernel struct {
	lines int
	run   func(to *byte, toStep int, from *byte, fromStep, n int)
}

// side is how many elements a piece of 16 bytes has.
func side(size int) int { return 16 / size }

// Transpose copies element i of line l of from to element l of line i of to, for all of so many lines and elements of a size of 1, 2, 4 or 8 bytes. Steps are
// bytes from one line to the next, of either sign. to and from have no memory in common.
func Transpose(to unsafe.Pointer, toStep int, from unsafe.Pointer, fromStep int, lines, elements, size int) {
	list, side := kernelsOf(size), side(size)
	if len(list) == 0 || lines < list[len(list)-1].lines || elements < side {
		plain(to, toStep, from, fromStep, lines, elements, size)
		return
	}
	most := elements / side
	if collide(elements, toStep) {
		most = cacheLine
	}
	for i := 0; i < elements; {
		n := min(most, (elements-i)/side)
		if n == 0 { // the last ones again, where less than a square is left
			i, n = elements-side, 1
		}
		across(list, unsafe.Add(to, i*toStep), toStep, unsafe.Add(from, i*size), fromStep, lines, n, size)
		i += n * side
	}
}

// cacheLine is how many pieces of a line are in a cache line.
const cacheLine = 4

// collide reports whether so many lines at a distance have no room in the first-level cache together, in which lines a multiple of a page apart have the
// same few places. Then few lines are written at a time, each of them from its begin to its end; otherwise few are read, which processors foresee.
func collide(lines, step int) bool {
	const page, ways = 4096, 8
	step = max(step, -step)
	return lines*min(step&-step, page) > ways*page
}

// across transposes n pieces of each line.
func across(list []kernel, to unsafe.Pointer, toStep int, from unsafe.Pointer, fromStep, lines, n, size int) {
	for l := 0; l < lines; {
		k := &list[0]
		for i := range list {
			if k = &list[i]; k.lines <= lines-l {
				break
			}
		}
		l = min(l, lines-k.lines)
		k.run((*byte)(unsafe.Add(to, l*size)), toStep, (*byte)(unsafe.Add(from, l*fromStep)), fromStep, n)
		l += k.lines
	}
}

// plain is Transpose in Go, in parts of which each line stays in the first-level cache: squares, or longer ones of few lines or elements.
func plain(to unsafe.Pointer, toStep int, from unsafe.Pointer, fromStep int, lines, elements, size int) {
	const side, few = 32, 8
	long := side
	if min(lines, elements) < few {
		long = side * side
	}
	for l := 0; l < lines; l += long {
		for i := 0; i < elements; i += long {
			d, s := unsafe.Add(to, l*size+i*toStep), unsafe.Add(from, l*fromStep+i*size)
			m, n := min(long, lines-l), min(long, elements-i)
			if m < n {
				each(m, d, size, s, fromStep, n, toStep, size, size)
			} else {
				each(n, d, toStep, s, size, m, size, fromStep, size)
			}
		}
	}
}

// each copies so many strided rows.
func each(rows int, to unsafe.Pointer, toRow int, from unsafe.Pointer, fromRow, n, toStep, fromStep, size int) {
	for r := range rows {
		Strided(unsafe.Add(to, r*toRow), toStep, unsafe.Add(from, r*fromRow), fromStep, n, size)
	}
}

// Strided copies n elements of a size that are so many bytes apart.
func Strided(to unsafe.Pointer, toStep int, from unsafe.Pointer, fromStep int, n, size int) {
	switch size {
	case 1:
		strided[uint8](to, toStep, from, fromStep, n)
	case 2:
		strided[uint16](to, toStep, from, fromStep, n)
	case 4:
		strided[uint32](to, toStep, from, fromStep, n)
	case 8:
		strided[uint64](to, toStep, from, fromStep, n)
	}
}

func strided[T any](to unsafe.Pointer, toStep int, from unsafe.Pointer, fromStep int, n int) {
	d, s := 0, 0
	for ; n >= 4; n -= 4 {
		a := *(*T)(unsafe.Add(from, s))
		b := *(*T)(unsafe.Add(from, s+fromStep))
		c := *(*T)(unsafe.Add(from, s+2*fromStep))
		e := *(*T)(unsafe.Add(from, s+3*fromStep))
		*(*T)(unsafe.Add(to, d)) = a
		*(*T)(unsafe.Add(to, d+toStep)) = b
		*(*T)(unsafe.Add(to, d+2*toStep)) = c
		*(*T)(unsafe.Add(to, d+3*toStep)) = e
		d, s = d+4*toStep, s+4*fromStep
	}
	for ; n > 0; n-- {
		*(*T)(unsafe.Add(to, d)) = *(*T)(unsafe.Add(from, s))
		d, s = d+toStep, s+fromStep
	}
}
