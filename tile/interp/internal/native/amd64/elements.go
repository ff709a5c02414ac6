package amd64

import "github.com/weftgpu/weft/dtype"

// loads is the instruction that loads lanes from elements: floats of F16, the bits of other elements of 16, bytes with or without a sign.
func loads(elem dtype.Type) Inst {
	switch {
	case elem.Size() == 4:
		return movUPS
	case elem == dtype.F16:
		return cvtPHPS
	case elem.Size() == 2:
		return zxWD
	case elem == dtype.I8:
		return sxBD
	}
	return zxBD
}

// LoadAs loads a vector's lanes from elements.
func (a *Asm) LoadAs(elem dtype.Type, d Vec, m Mem) { a.twoMem(loads(elem), d, m) }

// StoreAs stores lanes as elements: floats as F16, rounded to nearest, and of others, which are below 2^16 or 2^8, the low bits; spare may be x.
func (a *Asm) StoreAs(elem dtype.Type, m Mem, x, spare Vec) {
	switch {
	case elem.Size() == 4:
		a.Store(m, x)
	case elem == dtype.F16:
		a.vector(cvtPSPH, a.full(), uint8(x), 0, mem(m), 0, 0)
	case elem.Size() == 2 && a.Wide:
		a.vector(pmovDW, bits512, uint8(x), 0, mem(m), 0)
	case a.Wide:
		a.vector(pmovDB, bits512, uint8(x), 0, mem(m), 0)
	case elem.Size() == 2:
		a.packWords(spare, x)
		a.vector(movUPSTo, bits128, uint8(spare), 0, mem(m), 0)
	default:
		a.packWords(spare, x)
		a.three(packUSWB, spare, spare, spare)
		a.vector(movQTo, bits128, uint8(spare), 0, mem(m), 0)
	}
}

// LoadPairs is LoadAs where each element is for two lanes; of F16 these have its bits.
func (a *Asm) LoadPairs(elem dtype.Type, d Vec, m Mem) {
	i := zxDQ
	switch {
	case elem.Size() == 2:
		i = zxWQ
	case elem == dtype.I8:
		i = sxBQ
	case elem.Size() == 1:
		i = zxBQ
	}
	a.twoMem(i, d, m)
	a.two(evenLanes, d, d)
}

// StorePairs stores the even lanes as elements of 32 or 8 bits.
func (a *Asm) StorePairs(elem dtype.Type, m Mem, x, spare Vec) {
	switch bytes := elem.Size(); {
	case a.Wide && bytes == 1:
		a.vector(pmovQB, bits512, uint8(x), 0, mem(m), 0)
		return
	case a.Wide:
		a.vector(pmovQD, bits512, uint8(x), 0, mem(m), 0)
		return
	}
	a.vector(shuffle, bits256, uint8(spare), 0, vec(x), 0, 0x08)
	a.vector(permQ, bits256, uint8(spare), 0, vec(spare), 0, 0x08)
	if elem.Size() == 4 {
		a.vector(movUPSTo, bits128, uint8(spare), 0, mem(m), 0)
		return
	}
	a.vector(packUSDW, bits128, uint8(spare), uint8(spare), vec(spare), 0)
	a.vector(packUSWB, bits128, uint8(spare), uint8(spare), vec(spare), 0)
	a.vector(movSSTo, bits128, uint8(spare), 0, mem(m), 0)
}

// Double gives both lanes of each pair the value of the even one, or of the odd one.
func (a *Asm) Double(d, x Vec, odd bool) {
	if odd {
		a.two(oddLanes, d, x)
	} else {
		a.two(evenLanes, d, x)
	}
}

// packWords puts the low 16 bits of lanes, which are below 2^16, side by side; d may be x.
func (a *Asm) packWords(d, x Vec) {
	if a.Wide {
		a.vector(pmovDW, bits512, uint8(x), 0, vec(d), 0)
		return
	}
	a.three(packUSDW, d, x, x) // in halves of 128 bits
	a.vector(permQ, bits256, uint8(d), 0, vec(d), 0, 0x08)
}

// FromHalves makes floats of F16 in the low halves of lanes, whose other bits are zeros.
func (a *Asm) FromHalves(d, x, spare Vec) {
	a.packWords(spare, x)
	a.two(cvtPHPS, d, spare)
}

// RoundHalf rounds lanes to F16.
func (a *Asm) RoundHalf(d, x Vec) {
	a.vector(cvtPSPH, a.full(), uint8(x), 0, vec(d), 0, 0)
	a.two(cvtPHPS, d, d)
}

// LoadFirst is LoadAs of one element into the first lane.
func (a *Asm) LoadFirst(elem dtype.Type, d Vec, m Mem) {
	if elem.Size() == 4 {
		a.vector(movSS, bits128, uint8(d), 0, mem(m), 0)
		return
	}
	scratch := general64.Scratch
	a.loadSmall(scratch, m, elem.Size(), elem == dtype.I8)
	a.first(d, scratch)
	if elem == dtype.F16 {
		a.vector(cvtPHPS, bits128, uint8(d), 0, vec(d), 0)
	}
}

// StoreFirst is StoreAs of the first lane.
func (a *Asm) StoreFirst(elem dtype.Type, m Mem, x, spare Vec) {
	if elem == dtype.F16 {
		a.vector(cvtPSPH, bits128, uint8(x), 0, vec(spare), 0, 0)
		x = spare
	}
	switch elem.Size() {
	case 1:
		a.vector(extrB, bits128, uint8(x), 0, mem(m), 0, 0)
	case 2:
		a.vector(extrW, bits128, uint8(x), 0, mem(m), 0, 0)
	default:
		a.vector(movSSTo, bits128, uint8(x), 0, mem(m), 0)
	}
}

// first puts a general register's low 32 bits into the first lane.
func (a *Asm) first(d Vec, x Reg) { a.vector(movD, bits128, uint8(d), 0, operand{reg: uint8(x)}, 0) }

// SpreadReg copies a general register's low 32 bits to all lanes.
func (a *Asm) SpreadReg(d Vec, x Reg) {
	a.first(d, x)
	a.Spread(d, d)
}
