package backend

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Collectives is a Device whose backend has a library for collectives, such as NCCL. It is optional.
type Collectives interface {
	Device
	// CollectivesLibrary names the library, or is the error that says why it cannot be used.
	CollectivesLibrary() (string, error)
	// CommunicatorID makes the id by which processes find each other. One of them makes it and gives it to the others.
	CommunicatorID() ([]byte, error)
	// SpansProcesses reports whether ranks may belong to other processes.
	SpansProcesses() bool
	// Connect makes the communicator of several devices. It returns once all ranks have called it with the same id.
	Connect(m Members) (Communicator, error)
}

// Members are the ranks of a communicator that belong to this process.
type Members struct {
	ID      []byte   // nil if all ranks belong to this process
	World   int      // number of all ranks
	Ranks   []int    // of the devices
	Devices []Device // of the backend
}

// Communicator runs collectives on its devices' streams, in the order of the calls.
type Communicator interface {
	// Reduces reports whether the library can reduce the elements of a part.
	Reduces(p Part) bool
	// Start starts parts of collectives as one group and returns when they are queued.
	Start(parts []Part) error
	// Record makes the parts a step of a sequence for each device, in the order of Members.Devices, instead.
	Record(parts []Part) ([]Work, error)
	// Err is a fault of the library that was found after a call returned, such as a lost peer.
	Err() error
	// Abort ends what runs and makes the communicator unusable. Results of what ran are undefined.
	Abort() error
	// Close waits for what runs and frees the communicator.
	Close() error
}

// MemberStarter is a Communicator that starts the parts of each member by a call of its own. It is optional: a library that starts those of all
// members by one call may take longer for it than several threads that start those of one each.
type MemberStarter interface {
	Communicator
	// StartMember starts the parts of one member, which all have it. Those of the other members are started at the same time, by other goroutines: one
	// call may wait for the others.
	StartMember(parts []Part) error
}

// CollectiveKind is what a collective does.
type CollectiveKind uint8

// The kinds. An all-to-all is a group of sends and receives.
const (
	AllReduce CollectiveKind = iota
	AllGather
	ReduceScatter
	Broadcast
	Send
	Receive
)

var collectiveNames = [...]string{"all-reduce", "all-gather", "reduce-scatter", "broadcast", "send", "receive"}

// String returns the kind's name.
func (k CollectiveKind) String() string {
	if int(k) >= len(collectiveNames) {
		return fmt.Sprintf("collective(%d)", uint8(k))
	}
	return collectiveNames[k]
}

// Reduction is how a collective combines elements.
type Reduction uint8

// The reductions, numbered as in nccl.h.
const (
	Sum Reduction = iota
	Prod
	Max
	Min
)

var reductionNames = [...]string{"sum", "product", "max", "min"}

// String returns the reduction's name.
func (r Reduction) String() string {
	if int(r) >= len(reductionNames) {
		return fmt.Sprintf("reduction(%d)", uint8(r))
	}
	return reductionNames[r]
}

// Part is what one device does in a collective.
type Part struct {
	Kind   CollectiveKind
	Reduce Reduction
	Elem   dtype.Type
	// Count is a number of elements: of a rank's contribution to an all-gather, of its result of a reduce-scatter, of the
	// whole for the others.
	Count    int
	Member   int // index among the communicator's devices
	Peer     int // rank: of a broadcast's root, of the other side of a send or receive
	Src, Dst Buffer
	From, To int64 // byte offsets
}

// Use is a buffer and what is done with it.
type Use struct {
	Buffer Buffer
	Access Access
}

// Uses adds a use of a buffer to a list; nil is none.
func Uses(list []Use, b Buffer, access Access) []Use {
	if b == nil {
		return list
	}
	if i := slices.IndexFunc(list, func(u Use) bool { return u.Buffer == b }); i >= 0 {
		list[i].Access |= access
		return list
	}
	return append(list, Use{b, access})
}

// Work is a step of a sequence that is no launch of a kernel, such as a device's part of a collective.
type Work interface {
	// Start starts it on the stream that it was made for.
	Start() error
	// Uses are the buffers that it uses, each once.
	Uses() []Use
	// Close frees it once no sequence needs it.
	Close() error
}

// Order is a step of a sequence that does nothing but wait, as one with its uses does. Later steps that use the same wait for it. Unlike other steps that are no
// launches it keeps no order with those.
type Order []Use

// Start implements Work.
func (o Order) Start() error { return nil }

// Uses implements Work.
func (o Order) Uses() []Use { return o }

// Close implements Work.
func (o Order) Close() error { return nil }
