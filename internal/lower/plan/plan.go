package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// Source is where the operand of a product comes from.
type Source uint8

// The sources.
const (
	Loaded    Source = iota // as the loop loads it
	Computed                // by threads, from what the loop loads
	Held                    // in registers, as the product before leaves its sums
	Invariant               // loaded before the loop
)

// Operand is an operand of a product.
type Operand struct {
	Source Source
	KMajor bool // contiguous along K, not along the other dimension
	Run    int  // bytes, a power of two: rows are runs that begin at multiples of so many; 0 where elements are not contiguous
	Viewed bool // it is not what is loaded itself, but its transposition or a part of it
	Map    bool // strides and offset are those that a tensor map takes
}

// Product is a product in a loop.
type Product struct {
	Dot
	A, B Operand
}

// Kernel is a kernel that multiplies in a loop. Products follow each other in an iteration.
type Kernel struct {
	Threads, Stages, Producers, Consumers int // see tile.Schedule
	Products                              []Product
	Rest                                  int // bytes of other shared arrays that the loop needs
	Late                                  int // bytes of those that are used only after it
}

// Plan is what a kernel takes of a device.
type Plan struct {
	Instructions []*simt.MatrixInstruction // of each product, nil for fused multiply-adds
	Reasons      []string                  // why that is not one of warpgroups, or none
	Maps         int                       // operands that tensor maps copy
	Stages       int                       // pipeline stages that there is room for, at most those that are asked for
	StageBytes   int                       // of shared memory
	SharedBytes  int                       // that it needs
	Spare        int                       // bytes that it takes in addition, at most, where there is room
	Accumulators int                       // registers of all threads of a group that hold sums throughout
	Fits         bool                      // into shared memory, with all stages that matrix instructions are to have
	Refused      []string                  // why the kernel is refused
}

// Of plans a kernel for a device.
func (k Kernel) Of(caps target.Caps) (p Plan) {
	asked := k.Stages
	if asked == 0 {
		asked = DefaultStages
	}
	var m memory
	isMatrix := false
	for _, d := range k.Products {
		instruction, reason := k.instruction(caps, d)
		p.Instructions, p.Reasons = append(p.Instructions, instruction), append(p.Reasons, reason)
		p.Accumulators += d.Sums()
		isMatrix = isMatrix || instruction != nil
		m.add(caps, k, d, instruction)
	}
	p.Maps, p.Stages = m.maps, m.stages(caps, k, asked)
	if p.StageBytes = m.copied + m.mapped; isMatrix && p.StageBytes > 0 && p.Stages < k.Stages {
		p.refuse("shared memory has room for %d of %d stages", p.Stages, k.Stages)
	}
	if p.Stages < 2 && m.mapped == 0 {
		m.copied, m.own = 0, m.all // arrays of one stage share memory
	}
	p.Spare = m.spare * p.Stages
	rest := k.Rest + m.kept + m.held + m.made + m.opaque + m.shared(caps)
	p.SharedBytes = SharedBytes(p.Stages, m.copied+m.mapped, rest, k.Late)
	if m.before > 0 { // operands in registers come there as conversions of sums do, or both are staged in the loop
		p.SharedBytes = max(p.SharedBytes, m.before+min(p.SharedBytes, m.converted))
	}
	if m.opaque > 0 { // as many more matrices as all other arrays have room for
		p.Spare += p.SharedBytes + p.Spare
	}
	if more := m.made * (MadeStages - 1); p.Stages >= 4 && (caps.SharedBytes == 0 || p.SharedBytes+more <= caps.SharedBytes) {
		p.SharedBytes += more
	}
	if caps.SharedBytes > 0 && p.SharedBytes > caps.SharedBytes {
		p.refuse("it needs %d bytes of shared memory, the device has %d", p.SharedBytes, caps.SharedBytes)
	}
	p.Fits = len(p.Refused) == 0
	if isMatrix {
		if reason := NoRegisters(caps, p.Accumulators, k.Threads, k.Consumers); reason != "" {
			p.Refused = append(p.Refused, reason)
		}
	}
	return p
}

func (p *Plan) refuse(format string, args ...any) {
	p.Refused = append(p.Refused, fmt.Sprintf(format, args...))
}

// Err is the first reason why a kernel is refused, nil if it is not.
func (p Plan) Err() error {
	if len(p.Refused) == 0 {
		return nil
	}
	return errors.New(p.Refused[0])
}

// memory is what the operands of a kernel's products take of shared memory, in bytes.
type memory struct {
	copied, mapped int   // of a stage, that threads copy and that tensor maps copy
	maps           int   // arrays of tensor maps
	kept           int   // throughout the loop
	before         int   // before the loop
	held           int   // of sums that become an operand of cooperative matrices through shared memory, in that operand's type
	converted      int   // the same in the type of sums, which share no memory with operands
	opaque         int   // through which elements of opaque matrices pass: of another type than operands, with which they share no memory
	made           int   // what threads make of copied operands
	spare          int   // between the rows of operands, and for conversions
	own, all       []int // of each product, what is no part of a stage, and that with what is
}

// sumBytes is the size of a sum.
const sumBytes = 4

// add adds the operands of a product.
func (m *memory) add(caps target.Caps, k Kernel, d Product, instruction *simt.MatrixInstruction) {
	own, all := 0, 0
	elem := MatrixElem(instruction, d.Elem)
	if instruction != nil && instruction.Opaque { // one matrix of each subgroup at least
		m.opaque = max(m.opaque, instruction.Rows*instruction.Columns*sumBytes*max(k.Threads/instruction.Threads, 1))
	}
	for which, o := range []Operand{d.A, d.B} {
		bytes, groups := d.operandBytes(which, instruction), instruction == simt.WarpgroupMMA
		switch {
		case o.Source == Held && instruction != nil && !instruction.Opaque && elem.Size() == 2 && d.M*simt.WarpThreads >= instruction.Rows*k.Threads*simt.WarpThreads/instruction.Threads:
			if !instruction.TakesSums() { // once for all products
				m.held, m.converted = max(m.held, bytes), max(m.converted, d.M*d.K*sumBytes)
			}
			continue
		case o.Source == Invariant && groups:
			m.kept += bytes
			continue
		case instruction != nil && instruction.Cooperative && o.Source == Invariant && o.Run < directBytes(instruction, elem): // staged as the others are
			m.kept += bytes
			continue
		case instruction != nil && instruction.Cooperative && o.Source == Invariant: // in registers, which it reaches through shared memory
			m.before = max(m.before, bytes)
			continue
		case instruction != nil && instruction.Cooperative: // staged an iteration ahead, with padding between rows
			bytes, padding := k.staged(d, which, instruction)
			m.kept, m.spare = m.kept+bytes, m.spare+padding
			continue
		case o.Source == Loaded && groups && k.Producers > 0 && caps.TensorMaps && d.takesMap(which):
			bytes = d.mappedBytes(which)
			m.mapped, m.maps = m.mapped+bytes, m.maps+1
			continue
		case o.Source == Loaded && d.isCopied(caps, which, bytes, k.Threads, instruction):
			m.copied += bytes
		default:
			own += bytes
		}
		all += bytes
		if instruction == nil { // operands may have some elements between the rows along K
			m.spare += d.K * 16 * SharedElem(d.Elem).Size()
		}
	}
	if m.spare += d.M * d.N * sumBytes; len(k.Products) > 1 { // conversions between products, and of what they take
		m.spare += all
	}
	if d.Split && instruction == simt.WarpgroupMMA {
		m.made += d.K * d.N * d.Elem.Size()
	}
	m.own, m.all = append(m.own, own), append(m.all, all)
}

// stages is how many stages there is room for.
func (m *memory) stages(caps target.Caps, k Kernel, asked int) int {
	other := func(int) (bytes, late int) { return k.Rest + m.kept + m.held + m.made + m.shared(caps), k.Late }
	switch {
	case m.mapped > 0:
		return MapStages(caps, asked, m.maps, m.copied+m.mapped, other)
	case m.copied > 0:
		return FitStages(caps, asked, m.copied, other)
	}
	return 1
}

// shared is what the arrays of products that follow each other take that are no stages: they share memory, but in WGSL, whose arrays have one width of accesses,
// those of the first product are apart.
func (m *memory) shared(caps target.Caps) (bytes int) {
	for i, own := range m.own {
		if bytes = max(bytes, own); i == 0 && caps.Language == target.WGSL {
			bytes = 0
		}
	}
	if caps.Language == target.WGSL && len(m.own) > 0 {
		bytes += m.own[0]
	}
	return bytes
}

// staged is what the arrays of an operand of cooperative matrices take, and the padding of their rows. Where threads copy the operands of a kernel's only
// product part by part, 16 bytes each at least, there are arrays for two parts. Operands of bytes are there as a whole, those that threads compute,
// and those of opaque matrices, may be.
func (k Kernel) staged(d Product, which int, m *simt.MatrixInstruction) (bytes, padding int) {
	const chunk = 16
	elem := MatrixElem(m, d.Elem)
	free, depth := []int{d.M, d.N}[which], m.Bytes/elem.Size()
	kMajor := []Operand{d.A, d.B}[which].KMajor
	if kMajor && elem == d.Elem {
		depth = PartDepth(m, elem, d.K, free, k.Threads)
	}
	parts := max(d.K/depth, 1)
	loaded := elem == d.Elem && elem.Size() > 1 && !m.Opaque && d.A.Source == Loaded && d.B.Source == Loaded
	if loaded && len(k.Products) == 1 && k.Threads > 0 && min(d.M, d.N)*m.Bytes >= k.Threads*chunk {
		parts = min(parts, 2)
	}
	lines := parts * depth
	if kMajor {
		lines = parts * free
	}
	return parts * depth * free * d.Elem.Size(), lines * chunk * d.Elem.Size() / elem.Size()
}

// instruction is the one that computes a product, with the reason why it is not a wider one.
func (k Kernel) instruction(caps target.Caps, d Product) (*simt.MatrixInstruction, string) {
	if reason := d.NoMatrix(caps, k.Threads); reason != "" {
		return nil, reason
	}
	m, _ := Instruction(caps, d.Dot)
	switch {
	case !d.ByWarpgroups(caps, k.Threads):
		return m, "no warpgroups"
	case !d.takesLines(1):
		return m, "the right operand is in no swizzle rows"
	case d.Split:
	case d.A.Source != Held && !d.takesLines(0):
		return m, "the left operand is in no swizzle rows"
	}
	return simt.WarpgroupMMA, ""
}

// takesLines reports whether warpgroups multiply an operand that is staged in swizzle rows.
func (d Product) takesLines(which int) bool {
	n, rows, kMajor := d.lines(which)
	return ReadsLines(d.Elem, n, rows, kMajor) || which == 0 && !kMajor && LoadsWords(d.Elem, d.Split, n, rows)
}

// lines are the swizzle rows of an operand: elements of a row, rows, and whether they are along K. Bytes are staged K-major.
func (d Product) lines(which int) (n, rows int, kMajor bool) {
	free := []int{d.M, d.N}[which]
	if []Operand{d.A, d.B}[which].KMajor || d.Elem.Size() == 1 {
		return d.K, free, true
	}
	return free, d.K, false
}

func (d Product) takesMap(which int) bool {
	o := []Operand{d.A, d.B}[which]
	n, rows, kMajor := d.lines(which)
	return !d.Split && o.Map && o.KMajor == kMajor && NoBox(d.Elem, n, rows) == ""
}

// directBytes is how many bytes rows begin at multiples of, at least, where threads load the left operand of cooperative matrices from memory as they have its
// elements: of those next to each other a load takes several. Other rows are staged in shared memory where that takes fewer loads.
func directBytes(m *simt.MatrixInstruction, elem dtype.Type) int {
	run := 1
	for slices.Contains(m.A.Registers, [2]int{0, run}) {
		run *= 2
	}
	return min(run*elem.Size(), 8)
}

// isCopied reports whether threads copy an operand of so many bytes asynchronously: as it is in memory, 4 bytes at a time or more.
func (d Product) isCopied(caps target.Caps, which, bytes, threads int, m *simt.MatrixInstruction) bool {
	o := []Operand{d.A, d.B}[which]
	run := min(o.Run, bytes/max(threads, 1))
	switch size := d.Elem.Size(); {
	case !caps.AsyncCopy:
		return false
	case size >= CopiedBytes:
		return run >= size && SharedElem(d.Elem) == d.Elem && (m != nil || !o.KMajor || !o.Viewed || bytes <= size*threads)
	default:
		return m != nil && run >= CopiedBytes && (size > 1 || o.KMajor)
	}
}

// CopiedBytes is what an asynchronous copy moves at least.
const CopiedBytes = 4

// mappedBytes is what an operand takes in shared memory that a tensor map copies: without swizzle rows that are zeros, after all others.
func (d Product) mappedBytes(which int) int {
	n, rows, kMajor := d.lines(which)
	if which == 1 && d.Columns > 0 {
		return d.Elem.Size() * KeptElements(d.Elem, n, rows, d.Columns, kMajor)
	}
	return d.Elem.Size() * n * rows
}

// KeptElements are those of an array for a right operand of which some columns alone may be other than zeros, of so many rows of n elements along K or, if it is not K-major, along columns: what comes
// after all that is needed is left out. Lines of several boxes of a row are one after the other.
func KeptElements(elem dtype.Type, n, rows, columns int, kMajor bool) int {
	line := simt.LineBytes / elem.Size()
	switch {
	case !kMajor:
		return min((columns+line-1)/line*line, n) * rows
	case n == line:
		return n * min(columns, rows)
	}
	return n * rows
}

// operandBytes is what an operand takes in shared memory.
func (d Product) operandBytes(which int, m *simt.MatrixInstruction) int {
	elem := d.Elem
	if m == nil {
		elem = SharedElem(elem)
	}
	return d.K * []int{d.M, d.N}[which] * elem.Size()
}
