package assign

// Fallback is what a lowering does without to save shared memory.
type Fallback struct {
	Dense       bool // no elements between the rows of operands, which spare conflicts of banks
	AvoidShared bool // no conversions through shared memory where tiles can do with other distributions
	InRegisters bool // what could stay in shared memory throughout a loop stays in registers
}
