#include "textflag.h"

// func call(entry uintptr, frame *uint64)
TEXT ·call(SB), NOSPLIT, $0-16
	MOVD entry+0(FP), R1
	MOVD frame+8(FP), R0
	CALL (R1)
	RET

// func written(from, to uintptr)
TEXT ·written(SB), NOSPLIT, $0-16
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	MOVD R0, R2
clean: // what was written reaches where instructions come from
	DC   CVAU, R2
	ADD  $16, R2 // no processor has shorter lines
	CMP  R1, R2
	BLO  clean
	DSB  $0xb // of the processors that share memory
invalidate: // and no older instructions stay
	WORD $0xd50b7520 // IC IVAU, R0
	ADD  $16, R0
	CMP  R1, R0
	BLO  invalidate
	DSB  $0xb
	ISB  $0xf
	RET
