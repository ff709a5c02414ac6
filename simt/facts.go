package simt

import "github.com/weftgpu/weft/dtype"

// operand says which element types the operands of a kind have.
type operand uint8

const (
	anyElem  operand = iota
	floatOp          // F32, F64
	intOp            // I32, U32, I64, U64
	bitsOp           // Bool and integers
	numberOp         // integers, F32 and F64
	signedOp         // I32, I64, F32, F64
	wordOp           // U32
)

// A trait is a fact about all ops of a kind, from which the passes and the verifier conclude what they may do with one.
type trait uint16

const (
	pure         trait = 1 << iota // the result depends on the operands and the attributes alone
	effect                         // it does something besides computing its results
	reads                          // threads read memory: Shared or Buffer
	writes                         // threads write it
	collective                     // all threads of a workgroup execute it together
	byThread                       // threads get results that differ though the operands do not
	byWorkgroup                    // so do the workgroups of a cluster
	divides                        // an integer division
	onBarriers                     // Shared is an array of barriers
	ofProducer                     // only the producer's role has it
	forProducer                    // the producer's role may have it, too
	ofConsumers                    // only the consumers' role has it
	loops                          // its body is executed again and again
	opaqueMemory                   // it accesses shared memory by bytes, whatever the type of elements
)

// fact is all that is known of a kind, but for its lowering, its text in other languages and what it computes.
type fact struct {
	name    string
	arity   int // -1: depends
	elem    operand
	results int // -1: as many as its check or its bodies say
	traits  trait
	threads int // how many threads in a row execute it together, 0 for any number
	attrs   []attr
	check   func(op *Op) error // by itself, without its surroundings
}

// lanewise is a row of a kind that works lane by lane.
func lanewise(name string, arity int, elem operand, attrs ...attr) fact {
	return fact{name: name, arity: arity, elem: elem, results: 1, traits: pure, attrs: attrs, check: checkElementwise}
}

// facts has a row for each kind. The lists of attributes are in the order in which they are printed.
var facts = [NumKinds]fact{
	Invalid: {name: "invalid"},

	Const:       {name: "const", results: 1, traits: pure, attrs: []attr{attrNumber}},
	Param:       {name: "param", results: 1, traits: pure, attrs: []attr{attrWord}},
	ThreadID:    {name: "thread", results: 1, traits: pure | byThread, check: checkID},
	ConsumerID:  {name: "consumer", results: 1, traits: pure | ofConsumers, check: checkID},
	WarpgroupID: {name: "warpgroup", results: 1, traits: pure | byThread, check: checkID},
	WorkgroupID: {name: "workgroup", results: 1, traits: pure, attrs: []attr{attrAxis}, check: checkID},

	Neg:      lanewise("neg", 1, signedOp, attrWraps),
	Not:      lanewise("not", 1, bitsOp),
	Abs:      lanewise("abs", 1, signedOp),
	BitCount: lanewise("bitcount", 1, wordOp),
	Exp:      lanewise("exp", 1, floatOp),
	Exp2:     lanewise("exp2", 1, floatOp),
	Log:      lanewise("log", 1, floatOp),
	Log2:     lanewise("log2", 1, floatOp),
	Sqrt:     lanewise("sqrt", 1, floatOp),
	Rsqrt:    lanewise("rsqrt", 1, floatOp),
	Sin:      lanewise("sin", 1, floatOp),
	Cos:      lanewise("cos", 1, floatOp),
	Tanh:     lanewise("tanh", 1, floatOp),
	Floor:    lanewise("floor", 1, floatOp),
	Ceil:     lanewise("ceil", 1, floatOp),
	Round:    lanewise("round", 1, floatOp),
	Erf:      lanewise("erf", 1, floatOp),
	Log1p:    lanewise("log1p", 1, floatOp),
	Expm1:    lanewise("expm1", 1, floatOp),
	Convert:  lanewise("convert", 1, anyElem),
	Bitcast:  lanewise("bitcast", 1, anyElem),
	Round16:  lanewise("round16", 1, floatOp, attrElem),

	Add:   lanewise("add", 2, numberOp, attrWraps, attrMultiple),
	Sub:   lanewise("sub", 2, numberOp, attrWraps, attrMultiple),
	Mul:   lanewise("mul", 2, numberOp, attrWraps, attrMultiple),
	Div:   {name: "div", arity: 2, elem: numberOp, results: 1, traits: pure | divides, check: checkElementwise},
	Rem:   {name: "rem", arity: 2, elem: intOp, results: 1, traits: pure | divides, check: checkElementwise},
	MulHi: lanewise("mulhi", 2, wordOp),
	Min:   lanewise("min", 2, numberOp),
	Max:   lanewise("max", 2, numberOp),
	And:   lanewise("and", 2, bitsOp, attrMultiple),
	Or:    lanewise("or", 2, bitsOp, attrMultiple),
	Xor:   lanewise("xor", 2, bitsOp, attrMultiple),
	Shl:   lanewise("shl", 2, intOp, attrMultiple),
	Shr:   lanewise("shr", 2, intOp),
	Eq:    lanewise("eq", 2, anyElem),
	Ne:    lanewise("ne", 2, anyElem),
	Lt:    lanewise("lt", 2, numberOp),
	Le:    lanewise("le", 2, numberOp),
	Gt:    lanewise("gt", 2, numberOp),
	Ge:    lanewise("ge", 2, numberOp),

	Select: lanewise("select", 3, anyElem),
	FMA:    lanewise("fma", 3, floatOp),

	Splat:     {name: "splat", arity: 1, results: 1, traits: pure, check: checkSplat},
	Extract:   {name: "extract", arity: 1, results: 1, traits: pure, attrs: []attr{attrLane}, check: checkExtract},
	Unpack:    {name: "unpack", arity: 1, results: 1, traits: pure, attrs: []attr{attrElem}, check: checkPacked},
	Pack:      {name: "pack", arity: 1, results: 1, traits: pure, attrs: []attr{attrElem}, check: checkPacked},
	PairFMA:   {name: "pair.fma", arity: 3, results: 1, traits: pure, attrs: []attr{attrElem}, check: checkPairs},
	PickBytes: {name: "pick.bytes", arity: 3, results: 1, traits: pure, check: checkBytes},
	AndXor:    {name: "and.xor", arity: 3, results: 1, traits: pure, check: checkBytes},
	Compose:   {name: "compose", arity: -1, results: 1, traits: pure, check: checkCompose},

	Load: {name: "load", arity: -1, results: 1, traits: reads | forProducer,
		attrs: []attr{attrPacked, attrBuffer, attrAlias, attrFill}, check: checkMemory},
	Store: {name: "store", arity: -1, traits: effect | writes,
		attrs: []attr{attrPacked, attrBuffer, attrAlias, attrUnordered, attrDisjoint}, check: checkMemory},
	SharedLoad: {name: "shared.load", arity: -1, results: 1, traits: reads | byWorkgroup,
		attrs: []attr{attrPacked, attrShared, attrUniform, attrCluster, attrCost, attrFill}, check: checkMemory},
	SharedStore: {name: "shared.store", arity: -1, traits: effect | writes,
		attrs: []attr{attrPacked, attrShared, attrDisjoint, attrCost}, check: checkMemory},
	Atomic: {name: "atomic", arity: -1, results: 1, traits: effect | reads | writes | byThread | byWorkgroup,
		attrs: []attr{attrOrder, attrRMW, attrBuffer, attrAlias, attrUnordered, attrFill}, check: checkMemory},
	SharedAtomic: {name: "shared.atomic", arity: -1, traits: effect | reads | writes,
		attrs: []attr{attrRMW, attrShared, attrUnordered}, check: checkMemory},

	Barrier:        {name: "barrier", traits: effect | collective, attrs: []attr{attrBuffers, attrAsync}},
	ClusterBarrier: {name: "cluster.barrier", traits: effect | collective, attrs: []attr{attrCluster}},
	Issue:          {name: "issue", traits: effect | collective},
	Ballot:         {name: "ballot", arity: 1, results: 1, traits: collective | byThread | byWorkgroup, threads: WarpThreads, check: checkBallot},
	SharedRank: {name: "shared.rank", arity: 1, results: 1, traits: effect | reads | writes | collective | byThread | byWorkgroup, threads: WarpThreads,
		attrs: []attr{attrCount, attrShared, attrUnordered}, check: checkSharedRank},
	ShuffleXor: {name: "shuffle.xor", arity: 1, results: 1, traits: collective | byThread | byWorkgroup, attrs: []attr{attrLaneMask}, check: checkShuffle},

	MMA: {name: "mma", arity: 3, results: 1, traits: collective | byThread | byWorkgroup, threads: WarpThreads,
		attrs: []attr{attrElem}, check: checkMMA},
	LoadMatrix: {name: "load.matrix", arity: 1, results: 1, traits: reads | collective | byThread | byWorkgroup | opaqueMemory, threads: WarpThreads,
		attrs: []attr{attrShared, attrTranspose, attrCost}, check: checkLoadMatrix},
	StoreMatrix: {name: "store.matrix", arity: 2, traits: effect | writes | collective | opaqueMemory, threads: WarpThreads,
		attrs: []attr{attrShared, attrTranspose, attrDisjoint, attrCost}, check: checkStoreMatrix},
	GroupMMA: {name: "group.mma", arity: -1, results: -1, traits: collective | byThread | byWorkgroup, threads: WarpgroupMMA.Threads,
		attrs: []attr{attrElem, attrMatrices, attrOpaque}, check: checkGroup},
	GroupWait: {name: "group.wait", arity: -1, results: -1, traits: collective, threads: WarpgroupMMA.Threads,
		attrs: []attr{attrPending}, check: checkGroupWait},
	OrderBegin: {name: "order.begin", traits: effect | collective | ofConsumers, threads: 2 * WarpgroupMMA.Threads},
	OrderEnd:   {name: "order.end", traits: effect | collective | ofConsumers, threads: 2 * WarpgroupMMA.Threads},
	MatrixPlace: {name: "matrix.place", arity: 1, results: 1, traits: reads | collective | byThread | byWorkgroup | opaqueMemory,
		attrs: []attr{attrShared, attrMNMajor, attrLead}, check: checkPlace},
	CooperativeLoad: {name: "cooperative.load", arity: 1, results: 1, traits: reads | collective | byThread | byWorkgroup | opaqueMemory,
		attrs: []attr{attrShared, attrPitch, attrTranspose}, check: checkCooperativeLoad},
	CooperativeStore: {name: "cooperative.store", arity: 2, traits: effect | writes | collective | opaqueMemory,
		attrs: []attr{attrShared, attrPitch, attrTranspose, attrDisjoint}, check: checkCooperativeStore},
	CooperativeMulAdd: {name: "cooperative.muladd", arity: 3, results: 1, traits: collective | byThread | byWorkgroup, check: checkMulAdd},
	CopyAsync: {name: "copy.async", arity: -1, traits: effect,
		attrs: []attr{attrCount, attrShared, attrBuffer, attrCost}, check: checkCopyAsync},
	CopyCommit: {name: "copy.commit", traits: effect | collective},
	CopyWait:   {name: "copy.wait", traits: effect | collective, attrs: []attr{attrPending}, check: checkPending},

	TensorCopy: {name: "tensor.copy", arity: -1, traits: effect | ofProducer,
		attrs: []attr{attrMap, attrShared, attrSignals, attrMulticast}, check: checkTensorCopy},
	TensorStore: {name: "tensor.store", arity: -1, traits: effect | reads | collective | opaqueMemory,
		attrs: []attr{attrMap, attrShared, attrWarpgroup}, check: checkTensorStore},
	StoreWait: {name: "store.wait", traits: effect | collective, attrs: []attr{attrPending}, check: checkPending},
	Expect: {name: "barrier.expect", arity: 1, traits: effect | onBarriers | ofProducer,
		attrs: []attr{attrBytes, attrShared}, check: checkExpect},
	Arrive: {name: "barrier.arrive", arity: -1, traits: effect | collective | onBarriers,
		attrs: []attr{attrShared, attrCluster}, check: checkArrive},
	Wait: {name: "barrier.wait", arity: 2, traits: effect | collective | onBarriers | forProducer,
		attrs: []attr{attrShared}, check: checkWait},

	For:    {name: "for", arity: -1, results: -1, traits: loops | forProducer, attrs: []attr{attrUnroll, attrTimes, attrWraps}},
	Yield:  {name: "yield", arity: -1, traits: forProducer},
	If:     {name: "if", arity: 1, check: checkCondition},
	Exit:   {name: "exit", arity: 1, traits: effect | collective, check: checkCondition},
	Branch: {name: "branch", arity: 1, results: -1, check: checkCondition},
	While:  {name: "while", arity: -1, results: -1, traits: loops},
	Break:  {name: "break", arity: 1, traits: effect, check: checkCondition},
	Roles:  {name: "roles"},
}

func (k Kind) has(t trait) bool { return k < NumKinds && facts[k].traits&t != 0 }

// IsPure reports whether the op's result depends on its operands alone, so
// that it may be dropped, merged with an equal one, or printed where it is used.
func (k Kind) IsPure() bool { return k.has(pure) }

// InProducer reports whether the producer's role may have the op.
func (k Kind) InProducer() bool { return k.has(pure | ofProducer | forProducer) }

// IsLoop reports whether the op's body is executed again and again.
func (k Kind) IsLoop() bool { return k.has(loops) }

// Reads reports whether threads read the array or the buffer of the op, which barriers order. What the hardware copies
// to shared memory is ordered otherwise.
func (k Kind) Reads() bool { return k.has(reads) }

// Writes reports whether threads write it.
func (k Kind) Writes() bool { return k.has(writes) }

// StoresShared reports whether threads store to the op's shared array, and the op does nothing else.
func (op *Op) StoresShared() bool { return op.Shared != nil && op.Kind.Writes() && len(op.Out) == 0 }

// ByBytes reports whether the op accesses a shared array by its bytes, whatever the type of its elements.
func (k Kind) ByBytes() bool { return k.has(opaqueMemory) }

// MayTrap reports whether an op may stop the device for operands that it does not
// get where it stands: an integer division by what may be 0 then.
func (op *Op) MayTrap() bool {
	if !op.Kind.has(divides) || op.Result().Type.Elem.IsFloat() {
		return false
	}
	x, ok := ConstOf(op.Args[1])
	return !ok || x == 0 || x == -1
}

// HasEffect reports whether an op does something besides computing its results, so that it must stay where nothing uses those; what is in the bodies of
// loops and conditions has effects of its own.
func (op *Op) HasEffect() bool {
	return op.Kind.has(effect) || op.Kind == GroupWait && len(op.Out) == 0 // for products whose sums it does not give
}

// isCollective reports whether all threads of a workgroup execute the op together.
func isCollective(op *Op) bool { return op.Kind.has(collective) || op.Uniform }

func (o operand) accepts(e dtype.Type) bool {
	switch o {
	case floatOp:
		return e.IsFloat()
	case intOp:
		return e.IsInt()
	case bitsOp:
		return e == dtype.Bool || e.IsInt()
	case numberOp:
		return e != dtype.Bool
	case signedOp:
		return e.IsSigned()
	case wordOp:
		return e == dtype.U32
	}
	return true
}
