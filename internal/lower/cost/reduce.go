package cost

// MaxParts bounds the elements of an array of partial results.
const MaxParts = 1024

// MaxDirect is the most partial results that each thread combines by itself;
// more are combined in two steps.
const MaxDirect = 16
