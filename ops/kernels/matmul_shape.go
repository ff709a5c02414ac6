package kernels

// MaxBatch is the most batch dimensions of the kernel, whose views have two dimensions more.
const MaxBatch = 3
