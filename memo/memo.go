package memo

import (
	"slices"
	"sync"

	"github.com/weftgpu/weft"
	"github.com/weftgpu/weft/fault"
	"github.com/weftgpu/weft/internal/recent"
)

// Memo remembers what calls of an op launch. The first call with certain options, and tensors of certain
// element types and layouts, runs the op's function, which checks them, chooses configs and launches
// kernels. These launches are taped, as a gradient's or a compiled function's are in other libraries, and a later
// call like the first launches the same kernels on its own tensors, without running the function and
// without allocating anything, unless the function takes memory by weft.Empty.
//
// O is what the function depends on in addition to the tensors: nothing else may change what it does. All that it
// does to memory must be launches, on the tensors it is given, on views of them and on tensors that it makes by
// weft.Empty; a call that copies from or to the host is run each time. Tensors that it fills before anything that reads its operands
// writes them are to be made by weft.EmptyBeside: in a capture, Fill of one of weft.Empty runs once, not in each replay.
//
// Kernels that the function launches for the first time are compiled at once. The launches begin, in their order, when all
// that comes before them is compiled: at the latest when the function ends, whose call has the compiler's errors.
//
// Numbers that differ from call to call, such as where a random stream begins, are no options, or nothing would be
// found again: RunWith takes them as the words of scalars.
type Memo[O comparable] struct {
	run func(o O, words []uint32, tensors []*weft.Tensor) error

	mu  sync.RWMutex
	ids map[O]recent.ID
}

// maxOptions is how many options a Memo remembers.
const maxOptions = 1024

// New makes a memo for an op's function. The function must not keep the tensors.
func New[O comparable](run func(o O, tensors []*weft.Tensor) error) *Memo[O] {
	if run == nil {
		return NewWith[O](nil) // which every call reports
	}
	return NewWith(func(o O, _ []uint32, tensors []*weft.Tensor) error { return run(o, tensors) })
}

// NewWith makes a memo for an op's function that takes the words of RunWith, too. What it does must not depend on
// them: a kernel that it launches has either all of them as its scalars, in their order, or no scalars at all.
func NewWith[O comparable](run func(o O, words []uint32, tensors []*weft.Tensor) error) *Memo[O] {
	return &Memo[O]{run: run, ids: map[O]recent.ID{}}
}

// Run runs the op. Its errors are those of the function.
func (m *Memo[O]) Run(o O, tensors ...*weft.Tensor) error { return m.RunWith(o, nil, tensors...) }

// RunWith is Run with the scalars of kernels as 32-bit words.
func (m *Memo[O]) RunWith(o O, words []uint32, tensors ...*weft.Tensor) error {
	if m == nil || m.run == nil {
		return fault.New(fault.ErrArgument, "memo", "the memo or its function is nil")
	}
	if len(tensors) == 0 || tensors[0].Device() == nil { // for the function to report
		return m.run(o, slices.Clone(words), slices.Clone(tensors))
	}
	run := func(words []uint32, tensors []*weft.Tensor) error { return m.run(o, words, tensors) }
	return tensors[0].Device().Memoize(m.id(o), words, tensors, run)
}

// id numbers the options.
func (m *Memo[O]) id(o O) recent.ID {
	m.mu.RLock()
	id, ok := m.ids[o]
	m.mu.RUnlock()
	if ok {
		return id
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if id, ok := m.ids[o]; ok {
		return id
	}
	if len(m.ids) >= maxOptions {
		clear(m.ids) // plans under their numbers are not found again
	}
	id = recent.NewID()
	m.ids[o] = id
	return id
}
