package target

// SoftwareRegisters is what GPU interfaces implemented on the host have for each of
// their threads: the vector registers of one core, as AVX2 and NEON count them.
const SoftwareRegisters = 16

// Registers tells how many 32-bit registers one thread of a vendor's GPUs may
// hold, by the vendor's PCI number, which graphics interfaces report; 0 where it
// is not known. The interfaces themselves do not tell.
func Registers(vendor uint32) int {
	switch vendor {
	case 0x10de: // NVIDIA, since Kepler (CUDA programming guide, technical specifications)
		return 255
	case 0x1002: // AMD, since GCN (RDNA ISA documents: 256 vector registers)
		return 256
	}
	return 0
}
