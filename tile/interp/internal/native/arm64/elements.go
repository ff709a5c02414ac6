package arm64

import "github.com/weftgpu/weft/dtype"

// accesses are the instructions that load and store a register's part, by its bytes.
var accesses = map[int]struct{ load, store Inst }{1: {loadB, storeB}, 2: {loadH, storeH}, 4: {loadS, storeS}, 8: {loadD, storeD}, 16: {loadQ, storeQ}}

// LoadAs loads a vector's lanes from elements: floats of F16, the bits of other elements of 16, bytes with or without a sign.
func (a *Asm) LoadAs(elem dtype.Type, d Vec, m Mem) {
	bytes := a.Lanes() * elem.Size()
	a.access(accesses[bytes].load, uint8(d), m, int32(bytes))
	a.widen(elem, d)
}

// LoadFirst is LoadAs of one element into the first lane.
func (a *Asm) LoadFirst(elem dtype.Type, d Vec, m Mem) {
	a.access(accesses[elem.Size()].load, uint8(d), m, int32(elem.Size()))
	a.widen(elem, d)
}

// widen makes lanes of the elements that a register begins with.
func (a *Asm) widen(elem dtype.Type, d Vec) {
	switch {
	case elem.Size() == 4:
	case elem == dtype.F16:
		a.two(fcvtl, d, d)
	case elem.Size() == 2:
		a.two(uxtlH, d, d)
	case elem == dtype.I8:
		a.two(sxtlB, d, d)
		a.two(sxtlH, d, d)
	default:
		a.two(uxtlB, d, d)
		a.two(uxtlH, d, d)
	}
}

// StoreAs stores lanes as elements: floats as F16, rounded to nearest, and of others the low bits.
func (a *Asm) StoreAs(elem dtype.Type, m Mem, x, spare Vec) {
	bytes := a.Lanes() * elem.Size()
	a.access(accesses[bytes].store, uint8(a.narrow(elem, x)), m, int32(bytes))
}

// StoreFirst is StoreAs of the first lane.
func (a *Asm) StoreFirst(elem dtype.Type, m Mem, x, spare Vec) {
	a.access(accesses[elem.Size()].store, uint8(a.narrow(elem, x)), m, int32(elem.Size()))
}

// narrow is a register that begins with the elements of lanes.
func (a *Asm) narrow(elem dtype.Type, x Vec) Vec {
	switch {
	case elem.Size() == 4:
		return x
	case elem == dtype.F16:
		a.two(fcvtn, between, x)
	default:
		a.two(xtnH, between, x)
	}
	if elem.Size() == 1 {
		a.two(xtnB, between, between)
	}
	return between
}

// LoadPairs is LoadAs where each element is for two lanes; of F16 these have its bits.
func (a *Asm) LoadPairs(elem dtype.Type, d Vec, m Mem) {
	bytes := a.Lanes() / 2 * elem.Size()
	a.access(accesses[bytes].load, uint8(d), m, int32(bytes))
	if elem == dtype.F16 {
		elem = dtype.BF16
	}
	a.widen(elem, d)
	a.three(zip1, d, d, d)
}

// StorePairs stores the even lanes as elements of 32 or 8 bits.
func (a *Asm) StorePairs(elem dtype.Type, m Mem, x, spare Vec) {
	bytes := a.Lanes() / 2 * elem.Size()
	a.three(uzp1, between, x, x)
	a.access(accesses[bytes].store, uint8(a.narrow(elem, between)), m, int32(bytes))
}

// Double gives both lanes of each pair the value of the even one, or of the odd one.
func (a *Asm) Double(d, x Vec, odd bool) {
	if odd {
		a.three(trn2, d, x, x)
	} else {
		a.three(trn1, d, x, x)
	}
}

// FromHalves makes floats of F16 in the low halves of lanes.
func (a *Asm) FromHalves(d, x, spare Vec) {
	a.two(xtnH, between, x)
	a.two(fcvtl, d, between)
}

// RoundHalf rounds lanes to F16.
func (a *Asm) RoundHalf(d, x Vec) {
	a.two(fcvtn, d, x)
	a.two(fcvtl, d, d)
}
