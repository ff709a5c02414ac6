package simt

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/dtype"
)

// Clusters: Func.Cluster workgroups whose numbers along the first axis follow one another, the first of them a multiple of it, run at
// one time and reach each other's shared memory (target.Caps.Clusters). The rank of a workgroup is its place among them.
//
// A TensorCopy with Multicast is one for all workgroups of a cluster, each of which executes it: that of rank r copies the block that begins
// r boxes further along dimension Multicast-1 of the map, and is r blocks after the index, to the array of every workgroup (multicast), where it
// counts at the barrier of that workgroup. So each array gets as many blocks as there are workgroups, and each barrier has to expect all of them.
//
// An Arrive with Cluster arrives at the barrier of every workgroup, as many times at each as another one does at its own.
//
// The threads of all workgroups of a cluster wait at a ClusterBarrier for each other, which orders none of their accesses, but with Cluster those to shared arrays. In the
// bodies of Roles it is for the threads that multiply: the others have ended by then, or will. Before it, no barrier and no array
// of another workgroup is ready, for that one may not have begun. Before a workgroup ends it has to know, by Waits or such a barrier, that others are done with
// what is its own.
//
// A SharedLoad with Cluster loads from the array of the other workgroup of a cluster of two.
//
// What those ops are given, and what decides whether they are executed, is the same in all workgroups of a cluster.

// maxCluster is the most workgroups of a cluster (CUDA C++ programming guide, "Thread Block Clusters").
const maxCluster = 8

// spans reports whether an op reaches the shared memory of other workgroups, or waits for them.
func spans(op *Op) bool {
	return op.Kind == ClusterBarrier || op.Multicast != 0 || op.Cluster
}

// clusters checks the ops of a kernel that reach other workgroups.
func (v *verifier) clusters(k *Func) error {
	differs := differsInCluster(k)
	var check func(b *Block, around *Op, alike bool) error
	check = func(b *Block, around *Op, alike bool) error {
		for _, op := range b.Ops {
			same := func(args []*Value) bool {
				return !slices.ContainsFunc(args, func(a *Value) bool { return differs[a.ID] })
			}
			if k.Cluster > 1 && op.Kind == Exit {
				return v.fail(op, "one workgroup of a cluster ends before the others")
			}
			if spans(op) {
				if err := checkSpan(k, op, around); err != nil {
					return v.fail(op, "%v", err)
				}
				if !alike || !same(op.Args) {
					return v.fail(op, "it may differ between the workgroups of a cluster")
				}
			}
			for _, body := range op.Blocks() {
				if err := check(body, op, alike && sameWay(op, differs)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return check(k.Body, nil, true)
}

// sameWay reports whether the workgroups of a cluster execute the bodies of an op alike.
func sameWay(op *Op, differs []bool) bool {
	var deciding []*Value
	switch op.Kind {
	case For:
		deciding = op.Args[:3]
	case If, Branch:
		deciding = op.Args[:1]
	case While:
		deciding = breakOf(op).Args
	}
	return !slices.ContainsFunc(deciding, func(a *Value) bool { return differs[a.ID] })
}

// checkSpan verifies an op that reaches other workgroups by itself; around is the op in whose body it stands, nil for none.
func checkSpan(k *Func, op, around *Op) error {
	switch {
	case k.Cluster < 2:
		return fmt.Errorf("the kernel has no clusters")
	case op.Kind == ClusterBarrier && around != nil && around.Kind != Roles:
		return fmt.Errorf("workgroups meet within a body")
	case op.Kind == SharedLoad && (k.Cluster != 2 || op.Packed || op.Uniform || op.Mask() != nil):
		return fmt.Errorf("a load from another workgroup of %d, packed: %v, of one element for all: %v, masked: %v; want one of two, and neither", k.Cluster, op.Packed, op.Uniform, op.Mask() != nil)
	case op.Kind == TensorCopy && (op.Multicast < 0 || op.Multicast > len(op.Map.Dims)):
		return fmt.Errorf("parts along dimension %d of %d", op.Multicast-1, len(op.Map.Dims))
	case op.Kind == TensorCopy && k.Cluster*op.Map.Bytes() > op.Shared.Bytes():
		return fmt.Errorf("%d blocks of %d bytes in an array of %d", k.Cluster, op.Map.Bytes(), op.Shared.Bytes())
	}
	return nil
}

// SameInCluster tells of the values of a kernel which are the same in all workgroups of a cluster, for threads of one number.
func SameInCluster(k *Func) func(v *Value) bool {
	differs := differsInCluster(k)
	return func(v *Value) bool { return v.ID < len(differs) && !differs[v.ID] }
}

// differsInCluster finds the values, by their numbers, that may differ between the workgroups of a cluster.
func differsInCluster(k *Func) []bool {
	u := uniformity{differs: make([]bool, nextID(k.Body)), source: func(op *Op) bool {
		switch op.Kind {
		case WorkgroupID:
			return op.Axis == 0
		case Load:
			return op.Buffer.Write
		}
		return op.Kind.has(byWorkgroup)
	}, same: func(op *Op) bool { return dropsRank(op, k.Cluster) }}
	u.solve(k.Body)
	return u.differs
}

// dropsRank reports whether an op divides the number of a workgroup by a multiple of the cluster's size.
func dropsRank(op *Op, size int) bool {
	if op.Kind != Div && op.Kind != Shr {
		return false
	}
	n, ok := ConstOf(op.Args[1])
	id := op.Args[0].Op
	if !ok || id == nil || id.Kind != WorkgroupID || id.Axis != 0 || op.Result().Type != Scalar(dtype.I32) {
		return false
	}
	divisor := int(n)
	if op.Kind == Shr {
		divisor = 1 << min(max(int(n), 0), 30)
	}
	return divisor > 0 && size > 0 && divisor%size == 0
}
