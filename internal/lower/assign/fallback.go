package assign

// Fallback is a level of what an assignment gives up under shared-memory pressure.
type Fallback struct {
	AvoidShared bool // no conversions through shared memory where tiles can do with other distributions
	InRegisters bool // invariant operands, which could stay in shared memory throughout a loop, stay in registers
}
