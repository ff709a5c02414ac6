package backend

// Zeroed is a Buffer of a device whose launches can fail while they run, which can be kept zero for kernels that count in it and leave zeros. It is optional.
type Zeroed interface {
	Buffer
	// KeepZero says that the buffer holds zeros whenever no launch runs: after a launch that failed the device fills it with zeros, and it can be read. It is
	// called before the first launch.
	KeepZero()
}
