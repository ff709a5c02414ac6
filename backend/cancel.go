package backend

// Canceler is a Stream whose work can be ended before it is done, which drivers of GPUs cannot.
type Canceler interface {
	Stream
	// Cancel ends what was launched so far, what runs included, and returns at once. Launches that were not done fail with the error, as
	// kernels do that find a fault: reads of what they would have written return it.
	Cancel(err error)
}
