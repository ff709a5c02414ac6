//go:build linux && (amd64 || arm64)

package cuda

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/weftgpu/weft/backend"
	"github.com/weftgpu/weft/internal/testenv"
	"github.com/weftgpu/weft/target"
)

// testKernels are the kernels of the tests; the fake driver knows them by name.
var testKernels = map[string]string{
	"vadd": `extern "C" __global__ void vadd(const float *a, const float *b, float *out, unsigned n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = a[i] + b[i];
}`,
	// Threads read what other workgroups of the launch before wrote late, while they could have started.
	"dependent": `extern "C" __global__ void dependent(const float *a, const float *b, float *out, unsigned n) {
#if __CUDA_ARCH__ >= 900
	asm volatile("griddepcontrol.launch_dependents; griddepcontrol.wait;" ::: "memory");
	__nanosleep(2000);
#endif
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, last = n - 1 - i;
	if (i < n) out[i] = a[last] + b[last];
}`,
	"words": `extern "C" __global__ void words(unsigned *out, unsigned x, unsigned y, unsigned z) {
	if (threadIdx.x == 0) { out[0] = x; out[1] = y; out[2] = z; }
}`,
	"nothing": `extern "C" __global__ void nothing() {}`,
	"block": `struct alignas(64) tensor_map { unsigned long long words[16]; };
extern "C" __global__ void block(const __grid_constant__ tensor_map map, const void *, unsigned char *out, int x, int y, int z, unsigned lines) {
#if __CUDA_ARCH__ >= 900
	__shared__ __align__(1024) unsigned char block[32768];
	__shared__ unsigned long long signal;
	unsigned to = (unsigned)__cvta_generic_to_shared(block), at = (unsigned)__cvta_generic_to_shared(&signal);
	if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async.shared::cta;" :: "r"(at) : "memory");
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(at), "r"(128 * lines) : "memory");
		asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
			:: "r"(to), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(at) : "memory");
	}
	for (unsigned done = 0; !done;)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory");
	for (unsigned i = threadIdx.x; i < 128 * lines; i += blockDim.x) {
		unsigned line = i / 128, chunk = i / 16 % 8 ^ line % 8;
		out[i] = block[128 * line + 16 * chunk + i % 16];
	}
#endif
}`,
	"crash": `extern "C" __global__ void crash(float *p) { *(volatile float *)16 = *p; }`,
}

// testSource is the source of a test kernel.
func testSource(name string) backend.Source {
	bindings := map[string][]backend.Binding{
		"vadd":      {{Name: "a", Access: backend.Read}, {Name: "b", Access: backend.Read}, {Name: "out", Access: backend.Write}},
		"words":     {{Name: "out", Access: backend.Write}},
		"dependent": {{Name: "a", Access: backend.Read}, {Name: "b", Access: backend.Read}, {Name: "out", Access: backend.Write}},
		"crash":     {{Name: "p", Access: backend.Read}},
		"block":     {{Name: "src", Access: backend.Read}, {Name: "out", Access: backend.Write}},
	}
	words := map[string]int{"vadd": 1, "dependent": 1, "words": 3, "block": 4}
	return backend.Source{
		Language: target.CUDA, Entry: name, Text: testKernels[name],
		Bindings: bindings[name], Words: words[name], Threads: 128, Dependent: name == "dependent",
	}
}

// Indices of fake_set and fake_get, in the order of the C enum.
const (
	fakeInitStatus = iota
	fakeCapability
	fakeMemory
	fakePools
	fakeVersion
	fakeCount
	fakeLiveBytes
	fakeLiveObjects
	fakeContexts
	fakeWaits
	fakeAnyKernel // kernels of any name, which do nothing
	fakeEncoded   // tensor maps
	fakeEncodeStatus
	fakeDependent // launches of kernels that wait themselves
	fakePeers     // whether devices reach each other; 2 is with atomic ops
	fakeCalls     // of NCCL
	fakeNCCLError // that is found after a call
)

//go:embed testdata/fakecuda.c
var fakeCode []byte

// fakeLibrary builds the fake driver, once.
var fakeLibrary = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "fakecuda")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	code, library := filepath.Join(dir, "fakecuda.c"), filepath.Join(dir, "libcuda.so")
	if err := os.WriteFile(code, fakeCode, 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-O1", "-pthread", "-o", library, code).CombinedOutput(); err != nil {
		return out, err
	}
	return os.ReadFile(library)
})

// fake is a driver without a GPU, with state of its own.
type fake struct {
	*driverLib
	path     string
	get, set proc
}

func newFake(t testing.TB) *fake {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		testenv.Skip(t, "gcc", "the fake driver cannot be built")
	}
	code, err := fakeLibrary()
	if err != nil {
		t.Fatalf("building the fake driver: %v\n%s", err, code)
	}
	path := filepath.Join(t.TempDir(), "libcuda.so") // another file is another library to the loader
	if err := os.WriteFile(path, code, 0o777); err != nil {
		t.Fatal(err)
	}
	lib, err := loadDriver([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{driverLib: lib, path: path}
	handle, err := openLibrary(path)
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Get proc `sym:"fake_get"`
		Set proc `sym:"fake_set"`
	}
	if err := bind(handle, &table); err != nil {
		t.Fatal(err)
	}
	f.get, f.set = table.Get, table.Set
	return f
}

func (f *fake) value(what int) int64 {
	var v int64
	f.get.call(uintptr(what), uintptr(unsafe.Pointer(&v)))
	return v
}

func (f *fake) change(what int, value int64) { f.set.call(uintptr(what), uintptr(value)) }

// fakeNVRTC stands for an NVRTC of which the fake driver needs only the version.
func fakeNVRTC() (*nvrtcLib, error) {
	return &nvrtcLib{path: "fake", major: 12, minor: 9, archs: []int{70, 80, 90}}, nil
}

// fakeCubin is an ELF header, which is all that the fake driver looks at.
func fakeCubin() []byte {
	image := make([]byte, 64)
	copy(image, "\x7fELF\x02\x01\x01")
	return image
}

func (f *fake) open(t testing.TB) backend.Device {
	t.Helper()
	list := candidates(f.driverLib, fakeNVRTC)
	if list[0].Refused != nil {
		t.Fatal(list[0].Refused)
	}
	dev, err := list[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	return dev
}
