package target

// Machine is what a device is made of: the facts by which launch rules and the model of package tune choose. A compute unit is
// what workgroups are given to: a streaming multiprocessor of NVIDIA's, a compute unit of AMD's, an Xe core of Intel's, a core of
// Apple's GPUs or of a CPU. A fact that is not known is 0. Machines are shared: nobody changes one.
type Machine struct {
	Name string
	// Generic says that the figures stand for a kind of device, not for this one: they can compare configs,
	// but not predict times.
	Generic bool

	Units      int   // compute units
	Threads    int   // of a unit at a time
	Workgroups int   // of a unit at a time
	Registers  int   // of a unit, of 32 bits
	Shared     int   // bytes of shared memory of a unit
	L2         int64 // bytes of the largest cache that all units share

	Clock  float64     // of the units, in Hz
	Memory float64     // bytes a second of device memory
	Cache  float64     // bytes a second of the cache that all units share
	Staged float64     // bytes a second of the shared memory of all units
	Flops  float64     // operations a second of F32 on ordinary units, a multiplication and an addition being two
	Matrix MatrixRates // operations a second of matrix instructions, 0 where there are none
	Link   float64     // bytes a second to memory of another device, in one direction; 0 is by a bus

	// Sustained is which parts of these rates long kernels reach; 0 where that was not measured.
	Sustained struct{ Memory, Flops, Matrix float64 }

	Latency float64 // seconds of a load from device memory
	Launch  float64 // seconds of a launch
	Program float64 // seconds of starting a program
}

// linkShare is the part of a link's rate that long copies reach, and bus the rate of PCIe 4.0 with 16 lanes.
const linkShare, bus = 0.8, 32e9

// LinkBytes is how many bytes a second copies between devices reach.
func (m *Machine) LinkBytes() float64 {
	if m.Link > 0 {
		return linkShare * m.Link
	}
	return linkShare * bus
}

// MatrixRates are operations a second of dense products by matrix instructions, with sums of 32 bits.
type MatrixRates struct {
	F16, TF32, I8 float64 // BF16 is as F16
	// Warp is the part of these that instructions of single warps reach, where warpgroups have others; 0 is all of it.
	Warp float64
}

// WarpShare is Warp, or 1 where it is not given.
func (r MatrixRates) WarpShare() float64 {
	if r.Warp == 0 {
		return 1
	}
	return r.Warp
}

// Room is how many workgroups of so many threads run at a time, limited by threads alone.
func (m *Machine) Room(threads int) int { return m.Units * max(m.Threads/max(threads, 1), 1) }

// CacheBytes is the part of the shared cache that operands can count on: the rest holds what else is outstanding.
func (m *Machine) CacheBytes() float64 { return 0.8 * float64(m.L2) }

// Facts is the machine that the capabilities are of: that of the device where it is known, else one of its kind. It is never nil.
func (c Caps) Facts() *Machine {
	switch {
	case c.Machine != nil:
		return c.Machine
	case c.WholeTiles:
		return kinds[Host]
	case c.Registers == SoftwareRegisters:
		return kinds[Software]
	}
	return kinds[Discrete]
}

// scaled is the machine with another number of units, as a part of a GPU has them, and with rates of arithmetic to match.
func (m Machine) scaled(units int) Machine {
	if units == 0 || units == m.Units || m.Units == 0 {
		return m
	}
	by := float64(units) / float64(m.Units)
	m.Units = units
	for _, rate := range []*float64{&m.Staged, &m.Flops, &m.Matrix.F16, &m.Matrix.TF32, &m.Matrix.I8} {
		*rate *= by
	}
	return m
}

// as replaces the facts that a driver tells.
func (m Machine) as(told Machine) *Machine {
	m = m.scaled(told.Units)
	for _, f := range []struct{ to, from *int }{
		{&m.Threads, &told.Threads}, {&m.Workgroups, &told.Workgroups}, {&m.Registers, &told.Registers}, {&m.Shared, &told.Shared},
	} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	if told.L2 > 0 {
		m.L2 = told.L2
	}
	return &m
}
