package simt

import (
	"testing"

	"github.com/weftgpu/weft/dtype"
)

// clusters makes a kernel one of clusters of two workgroups, whose copying thread executes what a function appends.
func (f *fixture) clusters(produce func(copied *Op)) {
	f.Func.Cluster = 2
	large := f.NewShared("large", dtype.F16, 1024)
	f.Do(&Op{Kind: ClusterBarrier})
	f.roles(func(m *TensorMap, _, signals *Shared) {
		zero := f.Int(0)
		produce(&Op{Kind: TensorCopy, Map: m, Shared: large, Signals: signals, Multicast: 2, Args: []*Value{zero, zero, zero, zero}})
	}, nothing)
}

// rank is the number of this workgroup within a cluster of two, computed.
func (f *fixture) rank() *Value {
	return f.Binary(Rem, f.Emit(&Op{Kind: WorkgroupID}, i32T), f.Int(2))
}

// repeat appends a loop to a bound around what a function appends.
func (f *fixture) repeat(n *Value, body func()) {
	f.For(f.Int(0), n, f.Int(1), nil, false, func(*Value, []*Value) []*Value { body(); return nil })
}

// everywhere appends an arrival at the barriers of all workgroups of a cluster.
func (f *fixture) everywhere(at *Value) {
	f.Func.Cluster = 2
	f.Do(&Op{Kind: Arrive, Shared: f.NewSignals("empty", 2, 2), Cluster: true, Args: []*Value{at}})
}

// brokenClusters breaks the rules of clusters.
var brokenClusters = []brokenRow{
	{"a cluster barrier of one workgroup", func(f *fixture) { f.Do(&Op{Kind: ClusterBarrier}) }, "the kernel has no clusters"},
	{"a cluster barrier in a loop", func(f *fixture) {
		f.Func.Cluster = 2
		f.repeat(f.Int(2), func() { f.Do(&Op{Kind: ClusterBarrier}) })
	}, "workgroups meet within a body"},
	{"parts along no dimension", func(f *fixture) { f.clusters(func(op *Op) { op.Multicast = 3; f.Do(op) }) }, "parts along dimension 2 of 2"},
	{"parts along a dimension before the first", func(f *fixture) { f.clusters(func(op *Op) { op.Multicast = -1; f.Do(op) }) }, "parts along dimension -2 of 2"},
	{"parts that are larger than the array", func(f *fixture) {
		f.clusters(func(op *Op) { op.Shared.Len = 1023; f.Do(op) })
	}, "2 blocks of 1024 bytes in an array of 2046"},
	{"a copy for all of what is one's own", func(f *fixture) {
		f.clusters(func(op *Op) { op.Args[2] = f.rank(); f.Do(op) })
	}, "it may differ between the workgroups of a cluster"},
	{"a copy for all as often as one's number", func(f *fixture) {
		f.clusters(func(op *Op) { f.repeat(f.rank(), func() { f.Do(op) }) })
	}, "it may differ between the workgroups of a cluster"},
	{"an arrival for all at another place", func(f *fixture) { f.everywhere(f.rank()) }, "it may differ between the workgroups of a cluster"},
	{"an arrival for all of one of them", func(f *fixture) {
		zero, at := f.Int(0), f.rank()
		f.Branch(f.Binary(Eq, at, zero), func() []*Value { f.everywhere(zero); return nil }, func() []*Value { return nil })
	}, "it may differ between the workgroups of a cluster"},
	{"an arrival for all after loops of different length", func(f *fixture) {
		n := f.rank()
		sum := f.For(f.Int(0), n, f.Int(1), []*Value{f.Int(0)}, false, func(i *Value, c []*Value) []*Value { return []*Value{f.Int(1)} })
		f.everywhere(sum[0])
	}, "it may differ between the workgroups of a cluster"},
	{"an arrival for all where a workgroup's own sum says", func(f *fixture) {
		zero := f.Int(0)
		f.everywhere(f.Emit(&Op{Kind: Convert, Args: []*Value{f.SharedLoad(f.tile, zero, 1)}}, i32T))
	}, "it may differ between the workgroups of a cluster"},
	{"a load from another workgroup where there is none", func(f *fixture) { f.SharedLoad(f.tile, f.Int(0), 1).Op.Cluster = true }, "the kernel has no clusters"},
	{"a load from another workgroup of four", func(f *fixture) {
		f.Func.Cluster = 4
		f.SharedLoad(f.tile, f.Int(0), 1).Op.Cluster = true
	}, "a load from another workgroup of 4, packed: false, of one element for all: false, masked: false"},
	{"a load of one element from another workgroup", func(f *fixture) {
		f.Func.Cluster = 2
		v := f.SharedLoad(f.tile, f.Int(0), 1)
		v.Op.Cluster, v.Op.Uniform = true, true
	}, "of one element for all: true"},
	{"an end of one workgroup", func(f *fixture) {
		f.Func.Cluster = 2
		f.Do(&Op{Kind: Exit, Args: []*Value{f.Binary(Eq, f.rank(), f.Int(1))}})
	}, "one workgroup of a cluster ends before the others"},
}

// soundClusters are accepted.
var soundClusters = map[string]func(f *fixture){
	"a copy for all": func(f *fixture) { f.clusters(func(op *Op) { f.Do(op) }) },
	"a copy for all where the cluster's number says": func(f *fixture) {
		f.clusters(func(op *Op) {
			cluster := f.Binary(Div, f.Emit(&Op{Kind: WorkgroupID}, i32T), f.Int(4))
			op.Args[2] = f.Binary(Mul, f.Binary(Add, cluster, f.Binary(Shr, f.Emit(&Op{Kind: WorkgroupID}, i32T), f.Int(1))), f.Int(8))
			f.repeat(op.Args[2], func() { f.Do(op) })
		})
	},
	"an arrival for all where another axis says": func(f *fixture) {
		f.everywhere(f.Emit(&Op{Kind: WorkgroupID, Axis: 1}, i32T))
	},
	"an arrival for all in a loop": func(f *fixture) {
		n := f.Emit(&Op{Kind: Param}, i32T)
		f.repeat(n, func() { f.everywhere(n) })
	},
}

// TestClusters: what is the same in all workgroups of a cluster passes, and reads back.
func TestClusters(t *testing.T) {
	for what, build := range soundClusters {
		f := newFixture()
		build(f)
		if err := Verify(f.Func); err != nil {
			t.Errorf("%s: %v\n%v", what, err, f.Func)
		}
		again, err := Parse(f.Func.String())
		if err != nil || again.String() != f.Func.String() {
			t.Errorf("%s: %v: read back as\n%v\nof\n%v", what, err, again, f.Func)
		}
	}
}
