package recent

import "sync/atomic"

// ID numbers what has calls that are remembered: the options of an op, and maps.
type ID uint64

var lastID atomic.Uint64

// NewID is a number that no other has.
func NewID() ID { return ID(lastID.Add(1)) }
