//go:build cgo && (linux || windows || (darwin && weft_moltenvk))

package vulkan

/*
#include "shim.h"
*/
import "C"

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/internal/cachedir"
	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
)

// componentTypes are the types of elements by VkComponentTypeKHR. Products of others are left out.
var componentTypes = map[int]dtype.Type{0: dtype.F16, 1: dtype.F32, 3: dtype.I8, 5: dtype.I32, 7: dtype.U8, 9: dtype.U32, 1000141000: dtype.BF16}

// scopes are those of VkScopeKHR that weft knows.
var scopes = map[int]target.Scope{2: target.WorkgroupScope, 3: target.SubgroupScope}

// enumerate lists the products of cooperative matrices that the device's driver reports, without fragments.
func (p *physical) enumerate(subgroup int) (rows []target.CooperativeMatrix) {
	if !p.has(cooperative) {
		return nil
	}
	add := func(flexible C.int) {
		var list [256]C.weft_matrix
		n := C.weft_matrices(loader.getProc, instancePointer(), pointer(p.handle), flexible, &list[0], C.int(len(list)))
		for _, r := range list[:max(n, 0)] {
			m := target.CooperativeMatrix{M: int(r.m), N: int(r.n), K: int(r.k), Saturating: r.saturating != 0, Flexible: flexible != 0, Threads: int(r.threads)}
			known := true
			for _, t := range []struct {
				to   *dtype.Type
				from C.int
			}{{&m.A, r.a}, {&m.B, r.b}, {&m.C, r.c}, {&m.Result, r.result}} {
				*t.to = componentTypes[int(t.from)]
				known = known && *t.to != dtype.Invalid && (*t.to != dtype.BF16 || p.has(bfloat16s, bfloat16Matrix))
			}
			scope, knownScope := scopes[int(r.scope)]
			if !known || !knownScope {
				continue
			}
			if m.Scope = scope; scope == target.SubgroupScope {
				m.Threads = subgroup
			}
			rows = append(rows, m)
		}
	}
	add(0)
	if p.has(flexibleMatrix) {
		add(1)
	}
	return rows
}

// matrices holds what kernels said of cooperative matrices, by fingerprint.
var matrices sync.Map

// cooperativeMatrices lists the products of a device that takes SPIR-V, with the fragments of their matrices. What kernels said is kept
// in the user's cache: it is asked and measured once for a device and a driver.
func cooperativeMatrices(d *device) (list target.CooperativeList) {
	if d.caps.Language != target.SPIRV || !d.phys.has(cooperative) {
		return list
	}
	if known, ok := matrices.Load(d.caps.Fingerprint); ok {
		return known.(target.CooperativeList)
	}
	files := cachedir.Devices.Open()
	key := cachedir.Key("cooperative matrices 2", d.caps.Fingerprint)
	data, ok := files.Get(key)
	if !ok || json.Unmarshal(data, &list) != nil {
		rows := askMatrices(d)
		if d.info.Kind != backend.Software { // which has matrices for tests
			usualEffort.drop(d, rows)
		}
		list = target.CooperativeOf(rows...)
		if data, err := json.Marshal(list); err == nil {
			_ = files.Put(key, data) // which logs why
		}
	}
	stored, _ := matrices.LoadOrStore(d.caps.Fingerprint, list)
	return stored.(target.CooperativeList)
}

// askMatrices enumerates the products of a device and asks it for their fragments.
func askMatrices(d *device) []target.CooperativeMatrix {
	rows := d.phys.enumerate(d.caps.SubgroupSize)
	asked := newFragments(d, rows)
	for i := range rows {
		asked.fill(&rows[i])
	}
	return rows
}

// operands are the types of the matrices of a row.
func operands(m *target.CooperativeMatrix) [3]matrixType {
	return [3]matrixType{{m.A, useA, m.M, m.K}, {m.B, useB, m.K, m.N}, {m.C, useC, m.M, m.N}}
}

// refused says why the matrices of a row are not used, whatever their fragments are; "" otherwise.
func refused(m *target.CooperativeMatrix) string {
	switch {
	case m.Threads == 0:
		return "the device's subgroups are not those of the workgroup's threads in order"
	case m.Scope != target.SubgroupScope:
		return "a workgroup's matrices have no known fragments"
	case m.Flexible:
		return "fragments of multiples are not known"
	case m.C != m.Result:
		return "sums and results have two types"
	case m.Saturating:
		return "sums saturate"
	}
	for _, t := range operands(m) {
		if pow2.Floor(t.rows) != t.rows || pow2.Floor(t.columns) != t.columns || max(t.rows, t.columns) > elements[t.elem].most {
			return fmt.Sprintf("the size of %v", t)
		}
	}
	return ""
}

// fragments are those of a device's types of matrices.
type fragments struct {
	d       *device
	lengths map[matrixType]int
	known   map[matrixType]target.Fragment
	unknown map[matrixType]string // why it is none that is linear
	failed  map[matrixType]error  // of the kernel that asks for it
	err     error                 // why nothing is known
}

// newFragments asks how many components a thread has of the matrices of some products.
func newFragments(d *device, rows []target.CooperativeMatrix) *fragments {
	f := &fragments{d: d, lengths: map[matrixType]int{}, known: map[matrixType]target.Fragment{}, unknown: map[matrixType]string{}, failed: map[matrixType]error{}}
	var list []matrixType
	for i := range rows {
		if refused(&rows[i]) != "" {
			continue
		}
		for _, t := range operands(&rows[i]) {
			if !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	if len(list) == 0 {
		return f
	}
	var words []uint32
	if words, f.err = ask(d, lengthsSource(list, d.caps.SubgroupSize), nil, len(list)); f.err != nil {
		return f
	}
	for i, t := range list {
		f.lengths[t] = int(words[i])
	}
	return f
}

// fill adds to a row the fragments of its matrices, or why they are not known, or why the matrices are not used.
func (f *fragments) fill(m *target.CooperativeMatrix) {
	if m.Opaque = refused(m); m.Opaque != "" {
		return
	}
	if f.err != nil {
		m.Opaque = fmt.Sprintf("the kernel that asks for fragments: %v", f.err)
		return
	}
	to := [3]*target.Fragment{&m.FragmentA, &m.FragmentB, &m.FragmentC}
	for i, t := range operands(m) {
		var err error
		if *to[i], m.Unknown, err = f.of(t); err != nil {
			m.Opaque = fmt.Sprintf("the kernel that asks for the fragment of %v: %v", t, err)
		}
		if m.Unknown != "" || m.Opaque != "" {
			m.FragmentA, m.FragmentB, m.FragmentC = target.Fragment{}, target.Fragment{}, target.Fragment{}
			return
		}
	}
}

// of is the fragment of a type, which a kernel is asked for once, or why it is not known; an error says that the kernel failed.
func (f *fragments) of(t matrixType) (target.Fragment, string, error) {
	if _, asked := f.unknown[t]; !asked {
		f.known[t], f.unknown[t], f.failed[t] = askFragment(f.d, t, f.lengths[t])
	}
	return f.known[t], f.unknown[t], f.failed[t]
}

// subgroupsAsked are in the workgroup that is asked for fragments: they may not differ.
const subgroupsAsked = 2

// askFragment runs the kernel.
func askFragment(d *device, t matrixType, components int) (f target.Fragment, unknown string, err error) {
	size := d.caps.SubgroupSize
	threads := min(subgroupsAsked*size, d.caps.MaxThreads)
	if components < 1 || components*size > 64*t.rows*t.columns {
		return f, fmt.Sprintf("a thread has %d components of %v", components, t), nil
	}
	words, err := ask(d, fragmentSource(t, components, threads), numbers(t), 2*components*threads)
	if err != nil {
		return f, "", err
	}
	at := func(component, thread int) [2]int {
		i := 2 * (component*threads + thread)
		return [2]int{int(words[i]), int(words[i+1])}
	}
	for component := range components {
		for thread := size; thread < threads; thread++ {
			if at(component, thread) != at(component, thread-size) {
				return f, fmt.Sprintf("subgroups hold %v in different ways", t), nil
			}
		}
	}
	f, unknown = fragmentOf(t, components, size, at)
	return f, unknown, nil
}

// numbers are the bytes of two matrices of a type, one of the numbers of its rows and one of the numbers of its columns.
func numbers(t matrixType) (data []byte) {
	for axis := range 2 {
		for row := range t.rows {
			for column := range t.columns {
				data = appendNumber(data, t.elem, [2]int{row, column}[axis])
			}
		}
	}
	return data
}

// appendNumber appends an element that is a small integer.
func appendNumber(data []byte, e dtype.Type, n int) []byte {
	switch e {
	case dtype.F16:
		return binary.LittleEndian.AppendUint16(data, uint16(dtype.ToFloat16(float32(n))))
	case dtype.BF16:
		return binary.LittleEndian.AppendUint16(data, uint16(dtype.ToBFloat16(float32(n))))
	case dtype.F32:
		return binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(n)))
	case dtype.I8, dtype.U8:
		return append(data, byte(n))
	}
	return binary.LittleEndian.AppendUint32(data, uint32(n))
}

// ask runs a kernel as one workgroup, with a buffer of what it reads unless that is nothing, and returns words that it writes.
func ask(d *device, src backend.Source, in []byte, words int) ([]uint32, error) {
	out := make([]byte, 4*words)
	for i := range out {
		out[i] = 0xff // so that what is not written is wrong
	}
	t, err := newTrial(d, src, in, out)
	if err != nil {
		return nil, err
	}
	defer t.close()
	if err := t.launch(1); err != nil {
		return nil, err
	}
	if err := t.buffers[len(t.buffers)-1].Download(0, out); err != nil {
		return nil, err
	}
	return wordsOf(out), nil
}

// trial is a kernel that a device is asked by, and its buffers.
type trial struct {
	d       *device
	program backend.Program
	buffers []backend.Buffer
}

// newTrial loads a kernel and fills its buffers. There is none for nil.
func newTrial(d *device, src backend.Source, contents ...[]byte) (*trial, error) {
	t := &trial{d: d}
	if err := t.prepare(src, contents); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *trial) prepare(src backend.Source, contents [][]byte) error {
	binary, err := t.d.Compile(src)
	if err != nil {
		return err
	}
	if t.program, err = t.d.Load(src, binary); err != nil {
		return err
	}
	for _, data := range contents {
		if data == nil {
			continue
		}
		b, err := t.d.NewBuffer(int64(len(data)))
		if err != nil {
			return err
		}
		t.buffers = append(t.buffers, b)
		if err := b.Upload(0, data); err != nil {
			return err
		}
	}
	return nil
}

// launch runs the kernel to its end.
func (t *trial) launch(groups int) error {
	if err := t.d.Stream().Launch(t.program, backend.Launch{Grid: [3]int{groups, 1, 1}, Buffers: t.buffers}); err != nil {
		return err
	}
	return t.d.Stream().Synchronize()
}

func (t *trial) close() {
	for _, b := range t.buffers {
		b.Close()
	}
	if t.program != nil {
		t.program.Close()
	}
}

// wordsOf reads little-endian words.
func wordsOf(data []byte) []uint32 {
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words
}
