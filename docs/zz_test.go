package docs_test
import ("testing";"fmt"
"github.com/weftgpu/weft"
"github.com/weftgpu/weft/compile"
"github.com/weftgpu/weft/internal/lower"
"github.com/weftgpu/weft/layout"
"github.com/weftgpu/weft/tile"
"github.com/weftgpu/weft/target")
var rowSum = weft.NewKernel("row_sum", func(k *tile.Builder, columns int) {
	x, out := k.In("x", weft.F32, 2), k.Out("out", weft.F32, 2)
	k.Schedule(tile.Schedule{Threads: 64})
	k.Grid(x.Dim(0))
	row := k.ProgramID(0)
	sum := k.Var(k.Zeros(weft.F32, 1, columns))
	for i := range k.Range(k.CDiv(x.Dim(1), columns)) {
		sum.Set(sum.Get().Add(x.Block(1, columns).Load(row, i)))
	}
	out.Block(1, 1).Store(sum.Get().Sum(1), row, 0)
})
func TestDumpX(t *testing.T){
 k:=need(rowSum.Build(256))
 l:=need(layout.Contiguous(4096,1000))
 l2:=need(layout.Contiguous(4096,1))
 for _,c:=range []target.Caps{{Language: target.WGSL, MaxThreads: 256, SharedBytes: 16 << 10, Registers: 255},{Language: target.CUDA, Arch: "sm_90a", MaxThreads: 1024, SharedBytes: 48 << 10, SubgroupSize: 32, Registers: 255}}{
 f:=lower.FactsOf([]layout.Layout{l,l2},[]int{0,1})
 a,err:=compile.Emit(k, f, c)
 if err!=nil{t.Fatal(err)}
 fmt.Println(f.Key(), f)
 for _,n:=range a.Notes{fmt.Println(n)}; fmt.Println(a.Source.Text)
 }
}
