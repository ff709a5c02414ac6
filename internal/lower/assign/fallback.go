package assign

// Fallback is what an assignment does without where shared memory is short.
type Fallback struct {
	AvoidShared bool // no conversions through shared memory where tiles can do with other distributions
	InRegisters bool // invariant operands, which could stay in shared memory throughout a loop, stay in registers
}
