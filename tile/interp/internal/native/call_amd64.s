#include "textflag.h"

// func call(entry uintptr, frame *uint64)
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ entry+0(FP), AX
	MOVQ frame+8(FP), DI
	CALL AX
	RET
