package layout

import (
	"slices"

	"github.com/weftgpu/weft/fault"
)

// Shared memory of NVIDIA's GPUs (compute capability 5.0 and later) has 32 banks
// of 4 bytes; other vendors' differ in details, not in kind. One wavefront serves
// one word of each bank. A warp's access of up to 4 bytes a lane is one phase; one
// of 8 bytes runs in 2 phases of 16 lanes, one of 16 bytes in 4 phases of 8, so
// that no phase asks for more than 128 bytes. The phases of wide accesses are not
// documented by the vendor, and an assumption here.
const (
	banks     = 32
	bankBytes = 4
	warpLanes = 32
	maxAccess = 16 // bytes of the widest access of a lane
)

// Wavefronts returns how many wavefronts of shared memory an access of one warp
// takes: for each phase the largest number of different words that its lanes need
// from one bank, but lanes that touch the same word share it. addresses holds the
// byte address of each lane, negative for a lane that does not take part; width is
// the number of bytes a lane: 1, 2, 4, 8 or 16.
//
// Errors: fault.ErrArgument for more than 32 lanes, another width, or an address
// that is no multiple of the width.
func Wavefronts(addresses []int, width int) (int, error) {
	if !isPow2(width) || width > maxAccess {
		return 0, fault.New(fault.ErrArgument, "wavefronts", "an access of %d bytes, want 1, 2, 4, 8 or 16", width)
	}
	if len(addresses) > warpLanes {
		return 0, fault.New(fault.ErrArgument, "wavefronts", "%s, want at most %d", fault.Count(len(addresses), "lane"), warpLanes)
	}
	total := 0
	for phase := range slices.Chunk(addresses, phaseLanes(width)) {
		var seen [banks]int // of 4 bytes: a phase covers each bank once, if there are no conflicts
		var perBank [banks]int
		words, worst := seen[:0], 0
		for _, at := range phase {
			if at >= 0 && at%width != 0 {
				return 0, fault.New(fault.ErrArgument, "wavefronts", "address %d is not a multiple of the access of %d bytes", at, width)
			}
			for b := 0; at >= 0 && b < width; b += bankBytes {
				word := (at + b) / bankBytes
				if !slices.Contains(words, word) {
					words = append(words, word)
					perBank[word%banks]++
					worst = max(worst, perBank[word%banks])
				}
			}
		}
		total += worst
	}
	return total, nil
}

// phaseLanes returns how many lanes of an access are served together.
func phaseLanes(width int) int { return min(warpLanes, banks*bankBytes/width) }

// Access says what it costs a distribution to read or write a shared array.
type Access struct {
	Vector     []int // the register bits that one access of a lane covers, in the order of the elements
	Bytes      int   // width of one access of a lane
	Requests   int   // accesses, counted for each warp
	Wavefronts int   // wavefronts of all requests
	Least      int   // wavefronts if no request had a conflict
}

// Access returns how a distribution with the inputs Register and Thread accesses
// an array of elements of the given number of bytes, in the widest pieces that
// the layout allows: registers that hold copies are left out, threads that do are
// not. It counts for all warps and registers of the tile.
//
// Law: Wavefronts equals the sum of the function Wavefronts over all warps and
// all registers whose Vector bits are 0.
//
// Errors: fault.ErrShape if the tiles differ, fault.ErrArgument for elements of other than 1, 2,
// 4, 8 or 16 bytes; fault.ErrUnsupported for other inputs and those of Linear.
func (s Swizzled) Access(dist Linear, elem int) (Access, error) {
	bases, err := s.offsets(dist, elem)
	if err != nil {
		return Access{}, err
	}
	return bases.access(s.swizzle), nil
}

// offsetBases are the offsets that the bits of a distribution contribute in an
// array before it is swizzled.
type offsetBases struct {
	register, thread []int
	elem             int // bytes
}

func (s Swizzled) offsets(dist Linear, elem int) (offsetBases, error) {
	if !slices.Equal(dist.shape, s.layout.Shape()) {
		return offsetBases{}, fault.New(fault.ErrShape, "access", "tile %s does not have the shape of the array %v", tuple(dist.shape), s.layout)
	}
	array, err := Swizzled{layout: s.layout}.Linear()
	if err != nil {
		return offsetBases{}, err
	}
	return array.offsets(dist, elem)
}

// Access is Swizzled.Access for an array that any linear layout describes: from
// coordinates, one input for each dimension in order, to the offset of an
// element, as Swizzled.Linear and ConflictFreeArray return it.
//
// Errors: fault.ErrShape if l has not one dimension or its inputs do not fit the
// tile, and those of Swizzled.Access.
func (l Linear) Access(dist Linear, elem int) (Access, error) {
	bases, err := l.offsets(dist, elem)
	if err != nil {
		return Access{}, err
	}
	return bases.access(Swizzle{}), nil
}

func (l Linear) offsets(dist Linear, elem int) (offsetBases, error) {
	if err := checkExchange(dist, elem); err != nil {
		return offsetBases{}, err
	}
	if len(l.shape) != 1 {
		return offsetBases{}, fault.New(fault.ErrShape, "access", "the array %v has %s, want 1: the offset", l, fault.Count(len(l.shape), "dimension"))
	}
	to, err := dist.Compose(l, l.names...)
	if err != nil {
		return offsetBases{}, err
	}
	return offsetBases{to.of(Register), to.of(Thread), elem}, nil
}

// checkExchange checks a distribution and the bytes of an element.
func checkExchange(dist Linear, elem int) error {
	if !isPow2(elem) || elem > maxAccess {
		return fault.New(fault.ErrArgument, "access", "elements of %d bytes, want 1, 2, 4, 8 or 16", elem)
	}
	return onlyRegistersAndThreads("access", dist)
}

// onlyRegistersAndThreads checks that a layout has no bits of other inputs.
func onlyRegistersAndThreads(op string, l Linear) error {
	for i, name := range l.names {
		if name != Register && name != Thread && len(l.bases[i]) > 0 {
			return fault.New(fault.ErrUnsupported, op, "input %q of %v, want registers and threads alone", name, l)
		}
	}
	return nil
}

// access counts by ranks instead of addresses: all is linear, so every request
// is the first one with the offsets XORed by a constant, which permutes banks;
// and within a phase all banks that are touched hold equally many words.
func (b offsetBases) access(s Swizzle) Access {
	var rest, lanes []int // the bases outside of the vector
	for _, v := range b.register {
		if v != 0 {
			rest = append(rest, s.At(v))
		}
	}
	for _, v := range b.thread {
		lanes = append(lanes, s.At(v))
	}
	a := Access{Bytes: b.elem}
	for a.Bytes < maxAccess {
		unit := 1 << len(a.Vector)
		i := slices.Index(rest, unit)
		if i < 0 {
			break
		}
		others := slices.Delete(slices.Clone(rest), i, i+1)
		if touches(others, unit) || touches(lanes, unit) {
			break
		}
		bit := slices.IndexFunc(b.register, func(v int) bool { return v != 0 && s.At(v) == unit })
		a.Vector, a.Bytes, rest = append(a.Vector, bit), 2*a.Bytes, others
	}
	warps := 1 << max(len(lanes)-log2(warpLanes), 0)
	lanes = lanes[:min(len(lanes), log2(warpLanes))]
	together := min(len(lanes), log2(phaseLanes(a.Bytes)))
	var words span
	var inBanks span
	add := func(word int) {
		words.add(word, 0)
		inBanks.add(word%banks, 0)
	}
	for w := 1; w < a.Bytes/bankBytes; w *= 2 { // the words of one lane
		add(w)
	}
	for _, v := range lanes[:together] {
		add(v * b.elem / bankBytes)
	}
	phases := 1 << (len(lanes) - together)
	a.Requests = warps << len(rest)
	a.Wavefronts = a.Requests * phases << (len(words) - len(inBanks))
	a.Least = a.Requests * phases << max(len(words)-log2(banks), 0)
	return a
}

// touches reports whether one of the offsets has a bit.
func touches(offsets []int, bit int) bool {
	return slices.ContainsFunc(offsets, func(v int) bool { return v&bit != 0 })
}
