package simtpass

import (
	"fmt"

	"github.com/weftgpu/weft/internal/lower/pass"
	"github.com/weftgpu/weft/simt"
)

// A Pass is one step over simt IR.
type Pass struct {
	Name string
	Run  func(c *Context)
}

// Passes in the order in which they run. After each the kernel is verified, if pass.CheckEnv says so, and,
// where WEFT_DUMP names a folder, printed there; it is always verified after the last. What each does, and what it
// leaves alone, is in testdata/passes, in kernels before and after it.
var Passes = []Pass{
	{"hoist", hoist},
	{"cse", cse},
	{"matrices", matrices},
	{"dce", dce},
	{"elements", elements},
	{"specialise", specialise},
	{"pipeline", pipeline},
	{"simplify", simplify},
	{"infinities", keepInfinities},
	{"hoist", hoist},
	{"cse", cse},
	{"tables", tables},
	{"dce", dce},
	{"joinloads", joinLoads},
	{"allocate", allocate},
	{"barriers", barriers},
	{"pack", pack},
	{"alias", aliasEpilogue},
	{"params", compactParams},
	{"registers", registers},
	{"fences", fences},
	{"opaque", opaque},
	{"constants", hideConstants},
	{"issue", issueLoads},
	{"wraps", wraps},
	{"declare", declare},
}

// order says which pass must run again, or for the first time, after another.
// The test of this package checks the list above against it.
var order = []pass.Order{
	pass.Before("hoist", "cse", "equal ops meet in one block"),
	pass.Before("cse", "dce", "what cse replaced is dropped"),
	pass.Before("cse", "matrices", "elements that loops yield are those of one matrix"),
	pass.Before("matrices", "dce", "elements that loops no longer carry are dropped"),
	pass.Before("matrices", "pipeline", "loops carry matrices ahead"),
	pass.Before("matrices", "elements", "only elements that are used leave their matrix"),
	pass.Before("dce", "elements", "elements that nothing uses are not stored"),
	pass.Before("elements", "cse", "places in shared memory are computed once"),
	pass.Before("elements", "allocate", "it makes an array"),
	pass.Before("dce", "pipeline", "dead loads are not copied, or carried from one iteration to the next"),
	pass.Before("hoist", "pipeline", "places in shared memory do not change in a loop"),
	pass.Before("dce", "specialise", "dead ops are in no role"),
	pass.Before("specialise", "pipeline", "copies by tensor maps are not pipelined again"),
	pass.Before("specialise", "barriers", "the barriers of one role are its own"),
	pass.Before("pipeline", "simplify", "the first iteration's index is a constant"),
	pass.Before("simplify", "dce", "what was folded is dropped"),
	pass.Before("cse", "infinities", "equal operands are one value"),
	pass.Before("infinities", "cse", "ops that are alike share what was added"),
	pass.Before("pipeline", "tables", "loops carry what was loaded, not what it stands for"),
	pass.Before("cse", "tables", "equal numbers are one value"),
	pass.Before("tables", "dce", "what numbers were computed by is dropped"),
	pass.Before("tables", "allocate", "it makes arrays"),
	pass.Before("tables", "barriers", "threads wait for the numbers"),
	pass.Before("pipeline", "barriers", "pipelining moves accesses to shared memory apart"),
	pass.Before("dce", "barriers", "dead accesses need no barrier"),
	pass.Before("dce", "allocate", "dead accesses keep no array alive"),
	pass.Before("pipeline", "allocate", "pipelining moves accesses to shared memory apart"),
	pass.Before("allocate", "barriers", "an array that follows another in its place may need a barrier between them"),
	pass.Before("barriers", "pack", "arrays share memory where barriers separate their uses"),
	pass.Before("pack", "fences", "all barriers are there"),
	pass.Before("pack", "declare", "arrays that share memory are one"),
	pass.Before("pipeline", "alias", "arrays alias its circular buffers"),
	pass.Before("allocate", "alias", "arrays that share memory are one"),
	pass.Before("barriers", "alias", "it adds the only further barrier that aliases of circular buffers need"),
	pass.Before("alias", "registers", "workgroups that share a multiprocessor share its memory, too"),
	pass.Before("alias", "fences", "all barriers are there"),
	pass.Before("pipeline", "joinloads", "loads of the next iteration follow each other"),
	pass.Before("simplify", "joinloads", "equal masks are one value"),
	pass.Before("joinloads", "allocate", "it orders what arrays live by"),
	pass.Before("dce", "opaque", "operands are what products take in the end"),
	pass.Before("simplify", "wraps", "what an index is computed from is known"),
	pass.Before("allocate", "declare", "arrays that share memory are one"),
	pass.Before("pipeline", "declare", "all accesses are there, with their indices"),
	pass.Before("dce", "params", "words that only dead ops read are dropped"),
}

// Run runs all passes on a kernel, up to one that refuses it or finds it too large.
func Run(r *Context) error {
	d := r.Dump
	if d == nil {
		d = pass.NewDump(r.Kernel.Name)
	}
	d.Write("lowered", "simt", r.Kernel)
	each := pass.Checked()
	if each {
		if err := simt.Verify(r.Kernel); err != nil {
			return fmt.Errorf("after lowering: %w", err)
		}
	}
	for i, p := range Passes {
		if p.Run(r); r.Refused != "" || r.TooLarge {
			return nil
		}
		d.Write(p.Name, "simt", r.Kernel)
		if each || i == len(Passes)-1 {
			if err := simt.Verify(r.Kernel); err != nil {
				return fmt.Errorf("after pass %s: %w", p.Name, err)
			}
		}
	}
	return d.Err()
}
