package cachedir

// Kind is what a store's entries are.
type Kind struct {
	Name    string // of the folder beneath the root: letters, digits, dots and dashes
	Purpose string // for people
	// Budget is how many bytes the files of the kind may take, 0 for no limit.
	Budget int64
	// Durable entries are on the disk when Put returns. It costs milliseconds, and is for
	// what takes a person's time to make again; checksums find what a crash left of others.
	Durable bool
}

// The kinds.
var (
	Programs = Kind{Name: "programs", Purpose: "compiled kernels", Budget: 512 << 20}
	Tuned    = Kind{Name: "tuned", Purpose: "configs that were measured to be the fastest", Budget: 64 << 20, Durable: true}
	Devices  = Kind{Name: "devices", Purpose: "what kernels found out about devices", Budget: 4 << 20, Durable: true}
)

// Kinds are all kinds. Other folders beneath the root are none of weft's business.
var Kinds = []Kind{Programs, Tuned, Devices}
