package arch

// A row is one package and what it may know. Packages are named relative to
// the module, "." being the root; "x/..." stands for x and all below it. An
// exact name wins over a pattern, and a later pattern over an earlier one.
type row struct {
	pkg string
	// may lists the packages of the module that pkg may import directly, beside
	// the shared leaves.
	may []string
	// never lists those that it may not reach, not even through others.
	never []string
	// only, if set, lists all packages that may import pkg.
	only []string
}

// Groups that the table names often.
var (
	concrete = []string{"backend/all", "backend/cpu/...", "backend/cuda/...", "backend/vulkan/...", "backend/webgpu/..."}
	emitters = []string{"wgsl/...", "cuda/...", "spirv/..."}
	anything = []string{"..."}
	nobody   = []string{}
	// everyone may import these; each has a row that keeps it a leaf.
	shared = []string{"fault", "internal/pow2", "internal/logging", "internal/trace", "internal/setting"}
)

// table is who may import whom, lowest layer first.
var table = []row{
	// What all layers speak of.
	{pkg: "fault"},
	{pkg: "internal/pow2"},
	{pkg: "internal/logging"},
	{pkg: "internal/trace"},
	{pkg: "internal/setting"},
	{pkg: "internal/cachedir", only: list("compile", "tune", "backend/vulkan", "cmd/...", "bench/...", "internal/launchbench")},
	{pkg: "internal/npy", only: list(".", "internal/reference/golden")},
	{pkg: "internal/recent", only: list("compile", "tune", ".", "memo", "mesh")},
	{pkg: "dtype"},
	{pkg: "layout"},
	{pkg: "target", may: list("dtype")},

	// What to compute, and how one workgroup computes it.
	{pkg: "tile", may: list("dtype", "layout"), never: list("target", "backend/...", emitters)},
	{pkg: "tile/interp", may: list("tile", "tile/interp/internal/...", "dtype", "layout"), never: list("backend/...", emitters)},
	{pkg: "tile/interp/internal/...", may: list("dtype", "tile/interp/internal/..."), only: list("tile/interp", "tile/interp/internal/...")},
	{pkg: "simt", may: list("dtype", "layout"), never: list("tile/...", "backend/...")},
	{pkg: "internal/lower/pass", only: list("internal/lower/...", "internal/lower", "compile")},
	{pkg: "internal/lower/plan", may: list("simt", "target", "dtype"), never: list("tile/...", "layout", "backend/...", emitters), only: list("internal/lower/...", "internal/lower", "elementwise", "internal/kernels")},
	{pkg: "internal/lower/simtpass", may: list("internal/lower/plan", "internal/lower/pass", "internal/lower/codes", "simt", "target", "dtype"), never: list("tile/...", "layout", "backend/..."), only: list("internal/lower")},
	// The packages of the compiler, lowest first.
	{pkg: "internal/lower/distribution", may: list("simt", "layout"), never: list("tile/...", "target", "backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/axis", may: list("tile", "dtype", "layout"), never: list("simt", "backend/...", emitters), only: list("internal/lower/...", "internal/lower", "compile", "internal/standalone")},
	{pkg: "internal/lower/mma", may: list("internal/lower/plan", "internal/lower/distribution", "simt", "tile", "target", "dtype", "layout"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/codes", may: list("simt", "dtype"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/memory", may: list("internal/lower/plan", "internal/lower/distribution", "internal/lower/axis", "internal/lower/mma", "simt", "tile", "target", "dtype", "layout"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/cost", may: list("internal/lower/plan", "internal/lower/distribution", "internal/lower/axis", "internal/lower/mma", "internal/lower/memory", "simt", "tile", "target", "dtype", "layout"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/tilepass", may: list("internal/lower/axis", "internal/lower/memory", "internal/lower/pass", "tile", "target", "dtype", "layout"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/assign", may: list("internal/lower/distribution", "internal/lower/axis", "internal/lower/mma", "internal/lower/memory", "internal/lower/cost", "internal/lower/tilepass", "simt", "tile", "target", "dtype", "layout"), never: list("backend/...", emitters), only: list("internal/lower/...", "internal/lower")},
	{pkg: "internal/lower/emit", may: list("internal/lower/plan", "internal/lower/distribution", "internal/lower/axis", "internal/lower/mma", "internal/lower/memory", "internal/lower/cost", "internal/lower/tilepass", "internal/lower/assign", "internal/lower/codes", "simt", "tile", "target", "dtype", "layout"), never: list("internal/lower/simtpass", "backend/...", emitters), only: list("internal/lower")},
	{pkg: "internal/lower/axis/axistest", may: list("tile", "tile/interp", "internal/machine", "internal/testenv", "dtype", "layout"), only: list("internal/lower/lowertest")},
	{pkg: "internal/lower/lowertest", may: list("internal/lower/axis", "internal/lower/axis/axistest", "simt", "tile", "target", "dtype", "layout"), only: nobody},
	{pkg: "internal/lower", may: list("internal/lower/...", "tile", "simt", "target", "dtype", "layout"), never: list("backend/...", emitters)},

	// Printers and the shader compiler.
	{pkg: "internal/cstyle", may: list("simt", "target", "dtype"), never: list("tile/...", "backend/..."), only: emitters},
	{pkg: "wgsl", may: list("internal/cstyle", "simt", "target", "dtype"), never: list("cuda/...", "spirv/...", "tile/...", "backend/...")},
	{pkg: "cuda", may: list("internal/cstyle", "simt", "target", "dtype"), never: list("wgsl/...", "spirv/...", "tile/...", "backend/...")},
	{pkg: "spirv", may: list("internal/cstyle", "simt", "target", "dtype"), never: list("wgsl/...", "cuda/...", "tile/...", "backend/...")},
	{pkg: "internal/spirv", never: list("backend/..."), only: list("backend/vulkan/...", "cmd/weft", "internal/testenv/compilers/server")},
	{pkg: "internal/spirv/assembly", may: list("dtype"), only: list("backend/vulkan/...", "cmd/weft", "internal/testenv/compilers/server")},

	// Devices.
	{pkg: "backend", may: list("target", "dtype"), never: list("tile/...", "internal/lower", emitters)},
	{pkg: "internal/tracedev", may: list("backend", "internal/trace"), only: list(".", "internal/launchbench")},
	{pkg: "internal/pool", may: list("backend"), only: list(".")},
	{pkg: "backend/cpu", may: list("backend", "target", "dtype", "tile", "tile/interp"), never: device("cpu")},
	{pkg: "backend/webgpu", may: list("backend", "target", "dtype"), never: device("webgpu", "tile/...")},
	{pkg: "backend/vulkan", may: list("backend", "target", "dtype", "internal/cachedir", "internal/spirv", "internal/spirv/assembly"), never: device("vulkan", "tile/...")},
	{pkg: "backend/cuda", may: list("backend", "target", "dtype"), never: device("cuda", "tile/...")},
	{pkg: "backend/all", may: concrete, never: list("ops", "tune")},

	// The whole way, and what users call. The compiler hands the interpreter's
	// program to the CPU backend, so it knows tile/interp as it knows the emitters.
	{pkg: "internal/statusline", only: list("tune/progress", "bench/command", "internal/testenv/summary")},
	{pkg: "tune/progress", may: list("tune", "internal/statusline"), only: list("cmd/...", "bench/...", "examples/...")},
	{pkg: "compile", may: list("internal/recent", "tile", "tile/interp", "simt", "internal/lower", "internal/lower/axis", "internal/lower/pass", "internal/cachedir", emitters, "backend", "target", "dtype", "layout"), never: concrete},
	{pkg: "tune", may: list("internal/recent", "internal/cachedir", "compile", "backend", "target", "dtype", "layout", "tile"), never: list("ops", concrete)},
	{pkg: "elementwise", may: list("internal/lower/plan", "tune", "target", "tile", "dtype", "layout"), never: list("ops", ".", concrete)},
	{pkg: ".", may: list("elementwise", "tune", "internal/recent", "internal/npy", "internal/pool", "internal/tracedev", "backend", "compile", "layout", "dtype", "target", "tile", "tile/interp"), never: list("ops", concrete)},
	{pkg: "memo", may: list(".", "internal/recent"), never: concrete},
	{pkg: "ops/bounds", may: list("dtype", "tile", "."), never: concrete},
	{pkg: "internal/kernels", may: list("internal/lower/plan", ".", "elementwise", "tune", "tile", "target", "dtype", "layout", "internal/pow2"), never: list("ops", concrete)},
	{pkg: "mesh", may: list(".", "ops", "backend", "tile", "dtype", "layout", "target", "tune", "internal/kernels", "internal/recent"), never: concrete, only: list("bench/...", "cmd/...", "examples/...")},
	{pkg: "ops", may: list(".", "memo", "elementwise", "ops/bounds", "internal/kernels", "tune", "compile", "backend", "tile", "tile/interp", "target", "dtype", "layout"), never: concrete},

	// What knows the ops by name, and devices that are not there.
	{pkg: "internal/offline", may: list(".", "compile", "backend", "target"), never: list("ops", concrete)},
	{pkg: "internal/catalog", may: list(".", "ops", "ops/bounds", "internal/kernels", "dtype", "internal/reference"), never: concrete, only: list("bench/...", "cmd/...", "internal/standalone", "backend/backendtest")},
	{pkg: "internal/standalone", may: list(".", "ops", "ops/bounds", "internal/kernels", "compile", "internal/catalog", "internal/offline", "internal/lower/axis", "tile", "target", "dtype", "layout"), never: concrete, only: list("cmd/weft")},

	// Tests' tools and leaves.
	{pkg: "backend/backendtest", may: list(".", "elementwise", "ops", "ops/bounds", "internal/kernels", "compile", "backend", "tile", "tile/interp", "target", "dtype", "layout", "internal/catalog", "internal/kernelgen", "internal/reference", "internal/reference/golden", "internal/testenv"), never: concrete},
	{pkg: "backend/backendtest/matrix", may: list("backend/backendtest", "internal/reference/golden", "dtype"), never: concrete, only: nobody},
	{pkg: "internal/reference", only: list("backend/backendtest", "bench/...", "cmd/...", "examples/...", "internal/catalog")},
	{pkg: "internal/reference/golden", may: list("internal/npy"), only: list("backend/backendtest", "backend/backendtest/matrix", "examples/...")},
	{pkg: "internal/bounds", may: list("tile", "dtype", "layout"), never: list("tile/interp"), only: list("internal/kernelgen")},
	{pkg: "internal/kernelgen", may: list("tile", "tile/interp", "internal/bounds", "internal/testenv", "dtype", "layout"), only: list("backend/backendtest")},
	{pkg: "internal/launchbench", may: list(".", "ops", "ops/bounds", "internal/kernels", "tile", "compile", "backend", "internal/offline", "internal/cachedir", "internal/tracedev"), never: concrete, only: nobody},
	{pkg: "internal/machine", may: list("simt", "dtype"), only: list("internal/lower/axis/axistest", "internal/emulated")},
	{pkg: "internal/emulated", may: list("backend", "internal/machine", "simt", "target"), never: concrete, only: nobody},
	{pkg: "internal/testenv", only: list("internal/testenv/...", "internal/kernelgen", "internal/lower/axis/axistest", "backend/backendtest")},
	{pkg: "internal/testenv/compilers", may: list("internal/testenv"), only: list("internal/testenv/compilers/server")},
	{pkg: "internal/testenv/compilers/server", may: list("internal/testenv/compilers", "internal/spirv", "backend/cuda"), only: nobody},
	{pkg: "internal/testenv/summary", may: list("internal/testenv", "internal/statusline"), only: nobody},
	{pkg: "internal/arch", only: nobody},
	{pkg: "internal/emittest", only: nobody},
	{pkg: "internal/endtoend", only: nobody},
	{pkg: "bench/...", may: anything, only: list("bench/...", "cmd/weft")},
	{pkg: "cmd/...", may: anything, only: nobody},
	{pkg: "examples/...", may: anything, only: nobody},
	{pkg: "examples/internal/...", may: list("."), only: list("examples/...")},
	{pkg: "docs", only: nobody},
}

// device is what a backend may not reach: the other backends, what stands above
// all backends, the emitters, and more where given.
func device(self string, more ...string) []string {
	never := list(".", "ops", "tune", "compile", "internal/lower", emitters, more)
	for _, p := range concrete {
		if p != "backend/"+self+"/..." {
			never = append(never, p)
		}
	}
	return never
}

// bindings says who may import the modules that stay inside one place, tests
// apart. "C" is cgo. A module without a line may be imported by tests alone.
var bindings = map[string][]string{
	"C":                            {"backend/vulkan/...", "backend/webgpu/..."},
	"github.com/goki/vulkan":       {"backend/vulkan/..."},
	"github.com/cogentcore/webgpu": {"backend/webgpu/..."},
	"github.com/ebitengine/purego": {"backend/cuda/...", "backend/vulkan/..."},
	"github.com/gogpu/naga":        {"internal/spirv"},
	"github.com/x448/float16":      {"dtype"},
	"github.com/sbinet/npyio":      {"bench/...", "cmd/...", "examples/..."},
	"gonum.org/v1/plot":            {"bench/chart"},
	"gonum.org/v1/gonum": {".", "tile/interp/...", "ops", "backend/cpu/...", "backend/backendtest", "internal/catalog", "internal/reference",
		"bench/...", "cmd/...", "examples/..."},
	"pgregory.net/rapid":     {"internal/kernelgen", "internal/lower/lowertest"},
	"golang.org/x/perf":      {"bench/..."},
	"golang.org/x/term":      {"internal/statusline"},
	"github.com/spf13/cobra": {"bench/...", "cmd/..."},
	"github.com/spf13/pflag": {"cmd/..."},
	"golang.org/x/sync":      {"..."},
}

// list flattens strings and slices of strings.
func list(parts ...any) []string {
	var all []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			all = append(all, p)
		case []string:
			all = append(all, p...)
		}
	}
	return all
}
