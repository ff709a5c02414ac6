package kernels

const (
	AttentionHead = 256     // the largest head
	AttentionKeys = 1 << 29 // the most queries and keys, whose numbers are added
)
