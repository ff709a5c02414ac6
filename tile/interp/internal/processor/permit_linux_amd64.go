package processor

import "syscall"

// permitTiles asks the system for the use of tile registers (Documentation/arch/x86/xstate.rst of Linux).
func permitTiles() bool {
	const requestPermission, tileData = 0x1023, 18
	_, _, err := syscall.RawSyscall(syscall.SYS_ARCH_PRCTL, requestPermission, tileData, 0)
	return err == 0
}
