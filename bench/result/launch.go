package result

// Launch is a kernel that a work launches, as 'weft explain' tells of it.
type Launch struct {
	Kernel     string   `json:"kernel"`
	Config     string   `json:"config"`                // in words
	Workgroups int      `json:"workgroups"`            // of the grid
	Threads    int      `json:"threads"`               // of a workgroup
	Shared     int      `json:"sharedBytes,omitempty"` // of a workgroup
	Waves      float64  `json:"waves,omitempty"`       // how often the device is filled, by threads, workgroups and shared memory of its units
	Choices    []string `json:"choices,omitempty"`     // of the compiler, each once
}
