package processor

// cpuid is the instruction, and xgetbv the lower half of extended control register 0: the registers that the system saves.
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() (eax uint32)

// detect asks the processor (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID).
func detect() []Vectors {
	const (
		fma, osxsave, avx, f16c = 1 << 12, 1 << 27, 1 << 28, 1 << 29 // leaf 1, ecx
		avx2                    = 1 << 5                             // leaf 7, ebx
		avx512                  = 1<<16 | 1<<17 | 1<<30 | 1<<31      // F, DQ, BW, VL
		ymmState, zmmState      = 0x06, 0xe6                         // registers that the system saves
	)
	has := func(bits, all uint32) bool { return bits&all == all }
	if leaves, _, _, _ := cpuid(0, 0); leaves < 7 {
		return nil
	}
	_, _, first, _ := cpuid(1, 0)
	_, seventh, _, _ := cpuid(7, 0)
	if !has(first, fma|osxsave|avx|f16c) || !has(seventh, avx2) || !has(xgetbv(), ymmState) {
		return nil
	}
	if has(seventh, avx512) && has(xgetbv(), zmmState) {
		return []Vectors{AVX2, AVX512}
	}
	return []Vectors{AVX2}
}

// fusesPairs reports whether there is AVX-512 VNNI, and pairsBFloats whether there is AVX-512 BF16.
func fusesPairs() bool {
	_, _, c, _ := cpuid(7, 0)
	return c>>11&1 > 0
}

func pairsBFloats() bool {
	leaves, _, _, _ := cpuid(7, 0)
	if leaves < 1 {
		return false
	}
	a, _, _, _ := cpuid(7, 1)
	return a>>5&1 > 0
}

// multipliesTiles reports whether there is AMX for BF16, whose registers the system saves.
func multipliesTiles() bool {
	const bf16, tile, state = 1 << 22, 1 << 24, 3 << 17
	_, _, _, d := cpuid(7, 0)
	return d&bf16 > 0 && d&tile > 0 && xgetbv()&state == state
}
