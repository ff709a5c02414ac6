package tune

import (
	"fmt"
	"time"
)

// Needs are what every config of a problem makes a machine do, however it computes the result: each
// byte of the operands read and each byte of the results written once, and the operations of the definition. The zero value of a
// field stands for nothing of it.
type Needs struct {
	Read, Written float64 // bytes
	Flops         float64 // operations that only ordinary units do, a multiplication and addition being two
	Matrix        float64 // operations that matrix units may do, as so many of F16
}

// What a rate may be above the figure that a machine has for it, so that a shorter time is not right.
const (
	// roofMargin is for rates of data sheets: chips may be clocked higher than these say.
	roofMargin = 0.75
	// cacheMargin is for bandwidths of caches, which no data sheet says: they were measured, or estimated.
	cacheMargin = 0.5
)

// Bound is the least time that a launch with such needs can take, and the part of the machine that needs it. It is 0 where the
// machine's rates stand for a kind of device.
//
// Caches are counted as the best for the launch: the largest one may have as much of the operands before the launch, and of the
// results after it, as it holds. No smaller cache keeps anything from one launch to the next, so that all bytes
// cross the largest one. Rates are those of data sheets with a margin: the bound is below what any config reaches.
func (m Model) Bound(n Needs) (least time.Duration, part string) {
	if m.Machine.Generic {
		return 0, ""
	}
	uncached := 0.0
	if size := float64(m.Machine.L2); size > 0 {
		uncached = max(n.Read-size, 0) + max(n.Written-size, 0)
	}
	rates := m.Machine.Matrix.F16
	if rates == 0 { // packed multiplications and additions
		rates = 2 * m.Machine.Flops
	}
	longest := 0.0
	for _, p := range []struct {
		name                  string
		amount, rate, counted float64
	}{
		{"memory", uncached, m.Machine.Memory, roofMargin},
		{"cache", n.Read + n.Written, m.Machine.Cache, cacheMargin},
		{"arithmetic", n.Flops, m.Machine.Flops, roofMargin},
		{"arithmetic", n.Matrix, rates, roofMargin},
	} {
		if p.rate == 0 {
			continue
		}
		if s := p.counted * p.amount / p.rate; s > longest {
			longest, part = s, p.name
		}
	}
	return time.Duration(longest * 1e9), part
}

// impossible says why a time cannot be a config's; it is empty if it can.
func (r *race[C]) impossible(took time.Duration) string {
	switch {
	case took <= 0:
		return fmt.Sprintf("no time: the device reports %v", took)
	case took < r.least:
		return fmt.Sprintf("beyond the roofline: %v, and %s takes %v at least", took, r.part, r.least)
	}
	return ""
}

// dropImpossible drops the configs whose times are no config's.
func (r *race[C]) dropImpossible() {
	for _, c := range r.field {
		if why := r.impossible(c.median()); why != "" && c.dropped == "" && len(c.samples) > 0 {
			r.drop(c, why)
		}
	}
}
