package simt

import "github.com/weftgpu/weft/dtype"

// roles appends a Roles with what two functions append, in a kernel with a map of halves and an array of two barriers.
func (f *fixture) roles(produce, consume func(m *TensorMap, tile, signals *Shared)) {
	halves := &Buffer{Name: "halves", Elem: dtype.F16, Read: true}
	m := &TensorMap{Name: "m", Buffer: halves, Dims: []int{1, 0}, Box: []int{64, 8}}
	f.Func.Buffers, f.Func.Maps, f.Func.Producers = append(f.Func.Buffers, halves), append(f.Func.Maps, m), WarpThreads
	tile, signals := f.NewShared("block", dtype.F16, 512), f.NewSignals("full", 2, 1)
	f.Int(0) // which both roles use
	op := &Op{Kind: Roles, Body: &Block{}, Else: &Block{}, Line: f.line}
	outer := f.block
	for b, add := range map[*Block]func(m *TensorMap, tile, signals *Shared){op.Body: produce, op.Else: consume} {
		f.block = b
		add(m, tile, signals)
	}
	f.block = outer
	f.Do(op)
}

func nothing(*TensorMap, *Shared, *Shared) {}

// produced appends a Roles with one op of the producer.
func (f *fixture) produced(kind Kind, change func(op *Op, m *TensorMap, tile, signals *Shared)) {
	f.roles(func(m *TensorMap, tile, signals *Shared) {
		zero := f.Int(0)
		op := &Op{Kind: kind, Map: m, Shared: tile, Signals: signals, Args: []*Value{zero, zero, zero, zero}}
		if kind == Expect {
			op = &Op{Kind: kind, Shared: signals, Bytes: m.Bytes(), Args: []*Value{zero}}
		}
		change(op, m, tile, signals)
		f.Do(op)
	}, nothing)
}

// stored appends a TensorStore to the output.
func (f *fixture) stored(change func(op *Op)) {
	m := &TensorMap{Name: "to", Buffer: f.out, Dims: []int{1, 0}, Box: []int{64, 8}}
	f.Func.Maps = append(f.Func.Maps, m)
	op := &Op{Kind: TensorStore, Map: m, Shared: f.NewShared("out", dtype.F16, 512), Args: []*Value{f.Int(0), f.Int(0), f.Int(0)}}
	change(op)
	f.Do(op)
}

// brokenRoles breaks the rules of tensor maps, barriers in shared memory and roles, as broken does those of other ops.
var brokenRoles = []brokenRow{
	{"a copy without a map", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Map = nil })
	}, "no map for the array"},
	{"a copy of too few coordinates", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Args = op.Args[:3] })
	}, "3 operands of a copy by a map"},
	{"a copy to floats", func(f *fixture) {
		large := f.NewShared("large", dtype.F32, 512)
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Shared = large })
	}, "no map for the array"},
	{"a copy that is larger than the array", func(f *fixture) {
		f.produced(TensorCopy, func(_ *Op, m *TensorMap, _, _ *Shared) { m.Box[1] = 9 })
	}, "a block of 1152 bytes in an array of 1024"},
	{"a copy of a buffer that is written", func(f *fixture) {
		f.produced(TensorCopy, func(_ *Op, m *TensorMap, _, _ *Shared) { m.Buffer.Write = true })
	}, "a buffer that is not only read"},
	{"a copy that no barrier tells of", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Signals = nil })
	}, "no barriers"},
	{"a copy that an array tells of", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, tile, _ *Shared) { op.Signals = tile })
	}, "no barriers"},
	{"a copy by another kernel's barriers", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, signals *Shared) {
			other := *signals
			op.Signals = &other
		})
	}, "memory of another kernel"},
	{"another kernel's map", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, m *TensorMap, _, _ *Shared) {
			other := *m
			op.Map = &other
		})
	}, "memory of another kernel"},
	{"a copy at a float", func(f *fixture) {
		x := f.float()
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Args[3] = x })
	}, "index is f32"},
	{"nothing to expect", func(f *fixture) {
		f.produced(Expect, func(op *Op, _ *TensorMap, _, _ *Shared) { op.Bytes = 0 })
	}, "expects 0 bytes"},
	{"a store by a map of an input", func(f *fixture) { f.stored(func(op *Op) { op.Map.Buffer.Write = false }) }, "or no map to store by"},
	{"a store without a map", func(f *fixture) { f.stored(func(op *Op) { op.Map = nil }) }, "no map for the array"},
	{"a store of too many coordinates", func(f *fixture) { f.stored(func(op *Op) { op.Args = append(op.Args, op.Args[0]) }) }, "4 operands, or no map to store by"},
	{"a store of what no warpgroup wrote", func(f *fixture) { f.stored(func(op *Op) { op.Warpgroup = -1 }) }, "stores what warpgroup -2 wrote"},
	{"a store of floats", func(f *fixture) { f.stored(func(op *Op) { op.Shared = f.NewShared("large", dtype.F32, 512) }) }, "no map for the array"},
	{"a store at a float", func(f *fixture) { x := f.float(); f.stored(func(op *Op) { op.Args[1] = x }) }, "index is f32"},
	{"a store under a condition", func(f *fixture) {
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.stored(func(*Op) {}) })
	}, "may differ between threads"},
	{"a store by the producer", func(f *fixture) { f.roles(func(*TensorMap, *Shared, *Shared) { f.stored(func(*Op) {}) }, nothing) }, "in the wrong role"},
	{"a wait for more stores than all", func(f *fixture) { f.Do(&Op{Kind: StoreWait, Pending: -1}) }, "waits for all but -1"},
	{"an arrival at an array", func(f *fixture) { f.Do(&Op{Kind: Arrive, Shared: f.tile, Args: []*Value{f.Int(0)}}) }, "no barriers"},
	{"a wait for nothing", func(f *fixture) { f.Do(&Op{Kind: Wait, Args: []*Value{f.Int(0), f.Int(0)}}) }, "no barriers"},
	{"an arrival under a condition", func(f *fixture) {
		signals := f.NewSignals("empty", 1, 1)
		f.If(f.Binary(Lt, f.thread(), f.Int(3)), func() { f.Do(&Op{Kind: Arrive, Shared: signals, Args: []*Value{f.Int(0)}}) })
	}, "may differ between threads"},
	{"an arrival under half a condition", func(f *fixture) {
		f.Do(&Op{Kind: Arrive, Shared: f.NewSignals("empty", 1, 1), Args: []*Value{f.Int(0), f.Int(1)}})
	}, "2 operands of an arrival, or a condition that is none"},
	{"a load of a barrier", func(f *fixture) { f.SharedLoad(f.NewSignals("empty", 1, 1), f.Int(0), 1) }, "an access to barriers"},
	{"a copy to barriers", func(f *fixture) {
		f.produced(TensorCopy, func(op *Op, _ *TensorMap, _, signals *Shared) { op.Shared = signals })
	}, "an access to barriers"},
	{"roles of a kernel without producers", func(f *fixture) { f.roles(nothing, nothing); f.Func.Producers = 0 }, "no bodies, or no threads for them"},
	{"a role too few", func(f *fixture) {
		f.roles(nothing, nothing)
		f.Func.Body.Ops[len(f.Func.Body.Ops)-1].Else = nil
	}, "no bodies, or no threads for them"},
	{"a copy by a consumer", func(f *fixture) {
		f.roles(nothing, func(m *TensorMap, tile, signals *Shared) {
			f.Do(&Op{Kind: Expect, Shared: signals, Bytes: m.Bytes(), Args: []*Value{f.Int(0)}})
		})
	}, "in the wrong role"},
	{"a barrier of the producer's", func(f *fixture) {
		f.roles(func(*TensorMap, *Shared, *Shared) { f.Do(&Op{Kind: Barrier}) }, nothing)
	}, "in the wrong role"},
	{"a store in a loop of the producer's", func(f *fixture) {
		x, n := f.float(), f.Emit(&Op{Kind: Param}, i32T)
		f.roles(func(*TensorMap, *Shared, *Shared) {
			f.For(f.Int(0), n, f.Int(1), nil, false, func(i *Value, _ []*Value) []*Value { f.Store(f.out, i, x, nil); return nil })
		}, nothing)
	}, "in the wrong role"},
	{"a load of the producer's from what others write", func(f *fixture) {
		f.roles(func(*TensorMap, *Shared, *Shared) { f.Load(f.out, f.Int(0), nil, 1, 0) }, nothing)
		f.out.Read = true
	}, "from a buffer that the other role may write"},
	{"the number of a group before there are any", func(f *fixture) { f.Emit(&Op{Kind: ConsumerID}, i32T) }, "not in the role of the consumers"},
	{"the producer's number of a group", func(f *fixture) {
		f.roles(func(*TensorMap, *Shared, *Shared) { f.Emit(&Op{Kind: ConsumerID}, i32T) }, nothing)
	}, "not in the role of the consumers"},
	{"an order before there are roles", func(f *fixture) { f.Func.Threads = 256; f.Do(&Op{Kind: OrderBegin}) }, "not in the role of the consumers"},
	{"an order of the producer", func(f *fixture) {
		f.Func.Threads = 256
		f.roles(func(*TensorMap, *Shared, *Shared) { f.Do(&Op{Kind: OrderEnd}) }, nothing)
	}, "not in the role of the consumers"},
	{"an order of a single warpgroup", func(f *fixture) {
		f.Func.Threads = 128
		f.roles(nothing, func(*TensorMap, *Shared, *Shared) { f.Do(&Op{Kind: OrderBegin}) })
	}, "256 threads execute it together, the workgroup has 128"},
	{"an order in several groups", func(f *fixture) {
		f.Func.Threads, f.Func.Consumers = 256, 2
		f.roles(nothing, func(*TensorMap, *Shared, *Shared) { f.Do(&Op{Kind: OrderEnd}) })
	}, "an order of warpgroups in each of 2 groups of consumers"},
	{"roles before the end", func(f *fixture) { f.roles(nothing, nothing); f.thread() }, "not at the end of the kernel"},
	{"roles in a loop", func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.For(f.Int(0), n, f.Int(1), nil, false, func(*Value, []*Value) []*Value { f.roles(nothing, nothing); return nil })
	}, "not at the end of the kernel"},
}

// brokenMaps breaks the declaration of a map or of barriers in a kernel with roles.
var brokenMaps = map[string]func(k *Func){
	"a tensor map of no buffer of the kernel":                             func(k *Func) { k.Maps[0].Buffer = &Buffer{Elem: dtype.F16, Read: true} },
	"a tensor map of 2 dimensions with a box of 1":                        func(k *Func) { k.Maps[0].Box = []int{64} },
	"a tensor map of 0 dimensions":                                        func(k *Func) { k.Maps[0].Dims, k.Maps[0].Box = nil, nil },
	"a tensor map of 6 dimensions":                                        func(k *Func) { k.Maps[0].Dims, k.Maps[0].Box = make([]int, 6), make([]int, 6) },
	"a tensor map with a box [32 8]":                                      func(k *Func) { k.Maps[0].Box[0] = 32 },
	"a tensor map with a box [64 257]":                                    func(k *Func) { k.Maps[0].Box[1] = 257 },
	"box [64 8] along dimensions [1 1] of f16":                            func(k *Func) { k.Maps[0].Dims[1] = 1 },
	"box [64 8] along dimensions [-1 0] of f16":                           func(k *Func) { k.Maps[0].Dims[0] = -1 },
	"registers for 2 workgroups, 12 and 240 of a thread, with 32 threads": func(k *Func) { k.Resident, k.Registers = 2, Registers{12, 240} },
	"31 producer threads with 32":                                         func(k *Func) { k.Producers = 31 },
	"-32 producer threads with 32":                                        func(k *Func) { k.Producers = -32 },
	"4096 producer threads with 32":                                       func(k *Func) { k.Producers = 4096 },
	"-1 consumer groups of 32 threads with 32":                            func(k *Func) { k.Consumers = -1 },
	"16 consumer groups of 32 threads with 32":                            func(k *Func) { k.Consumers = 16 },
	"2 consumer groups of 16 threads with 32":                             func(k *Func) { k.Consumers, k.Threads = 2, 16 },
	"barriers of i64":                                                     func(k *Func) { k.Shared[2].Elem = dtype.I64 },
	"barriers of u64":                                                     func(k *Func) { k.Shared[2].Arrivals = -1 },
	"barriers of u64 ":                                                    func(k *Func) { k.Shared[2].Stages = 2 },
}
