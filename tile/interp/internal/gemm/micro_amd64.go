package gemm

// micros lists the kernels that this processor has, the fastest first.
var micros = func() []*micro {
	const (
		fma, osxsave, avx = 1 << 12, 1 << 27, 1 << 28 // leaf 1, ecx
		avx2Bit, avx512f  = 1 << 5, 1 << 16           // leaf 7, ebx
		ymmState          = 0x06                      // registers that the system saves
		zmmState          = 0xe6
	)
	var list []*micro
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return nil
	}
	_, _, first, _ := cpuid(1, 0)
	if first&(fma|osxsave|avx) != fma|osxsave|avx {
		return nil
	}
	_, seventh, _, _ := cpuid(7, 0)
	state := xgetbv()
	if seventh&avx512f != 0 && state&zmmState == zmmState {
		list = append(list, &micro{"avx512", 8, 32, avx512})
	}
	if seventh&avx2Bit != 0 && state&ymmState == ymmState {
		list = append(list, &micro{"avx2", 4, 16, avx2})
	}
	return list
}()
