package backend

// Resizer is a Buffer that can serve again at another length, which is what a pool of buffers
// needs of it. The streams of all devices are in order, so that a buffer that nobody refers to may
// be reused at once: what is launched on it comes after the work before.
type Resizer interface {
	Buffer
	// Capacity is the length that the buffer was made with, in bytes.
	Capacity() int64
	// Resize makes the buffer one of another length up to its capacity, with undefined contents. Work in
	// flight still has the buffer that was. No other method may be called meanwhile.
	Resize(bytes int64)
}
