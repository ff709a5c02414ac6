package arm64

import (
	"encoding/binary"
	"testing"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/tile/interp/internal/native/vector"
)

// TestEncodings compares code with what an assembler makes of the text (llvm-mc --triple=aarch64 --show-encoding).
func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		emit func(a *Asm)
		want []word
	}{
		{func(a *Asm) { a.Three(vector.AddF, 1, 2, 29) }, []word{{0x4e3dd441, "fadd v1.4s, v2.4s, v29.4s"}}},
		{func(a *Asm) { a.Three(vector.SubF, 1, 2, 3) }, []word{{0x4ea3d441, "fsub v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MulF, 1, 2, 3) }, []word{{0x6e23dc41, "fmul v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.DivF, 1, 2, 3) }, []word{{0x6e23fc41, "fdiv v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MinF, 1, 2, 3) }, []word{
			{0x6ea2e47f, "fcmgt v31.4s, v3.4s, v2.4s"},
			{0x4ebf1fe1, "mov v1.16b, v31.16b"},
			{0x6e631c41, "bsl v1.16b, v2.16b, v3.16b"},
		}},
		{func(a *Asm) { a.Three(vector.MaxF, 2, 2, 3) }, []word{
			{0x6ea3e45f, "fcmgt v31.4s, v2.4s, v3.4s"},
			{0x6eff1c62, "bif v2.16b, v3.16b, v31.16b"},
		}},
		{func(a *Asm) { a.Three(vector.MaxF, 3, 2, 3) }, []word{
			{0x6ea3e45f, "fcmgt v31.4s, v2.4s, v3.4s"},
			{0x6ebf1c43, "bit v3.16b, v2.16b, v31.16b"},
		}},
		{func(a *Asm) { a.Three(vector.And, 1, 2, 3) }, []word{{0x4e231c41, "and v1.16b, v2.16b, v3.16b"}}},
		{func(a *Asm) { a.Three(vector.Or, 1, 2, 3) }, []word{{0x4ea31c41, "orr v1.16b, v2.16b, v3.16b"}}},
		{func(a *Asm) { a.Three(vector.Xor, 1, 2, 3) }, []word{{0x6e231c41, "eor v1.16b, v2.16b, v3.16b"}}},
		{func(a *Asm) { a.Three(vector.AddI, 1, 2, 3) }, []word{{0x4ea38441, "add v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.SubI, 1, 2, 3) }, []word{{0x6ea38441, "sub v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MulI, 1, 2, 3) }, []word{{0x4ea39c41, "mul v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MinS, 1, 2, 3) }, []word{{0x4ea36c41, "smin v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MaxS, 1, 2, 3) }, []word{{0x4ea36441, "smax v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MinU, 1, 2, 3) }, []word{{0x6ea36c41, "umin v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.MaxU, 1, 2, 3) }, []word{{0x6ea36441, "umax v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.ShiftLeft, 1, 2, 3) }, []word{
			{0x4f01041f, "movi v31.4s, #32"},
			{0x6ea36fff, "umin v31.4s, v31.4s, v3.4s"},
			{0x6ebf4441, "ushl v1.4s, v2.4s, v31.4s"},
		}},
		{func(a *Asm) { a.Three(vector.ShiftRight, 1, 2, 3) }, []word{
			{0x4f01041f, "movi v31.4s, #32"},
			{0x6ea36fff, "umin v31.4s, v31.4s, v3.4s"},
			{0x6ea0bbff, "neg v31.4s, v31.4s"},
			{0x6ebf4441, "ushl v1.4s, v2.4s, v31.4s"},
		}},
		{func(a *Asm) { a.Three(vector.ShiftSigned, 1, 2, 3) }, []word{
			{0x4f01041f, "movi v31.4s, #32"},
			{0x6ea36fff, "umin v31.4s, v31.4s, v3.4s"},
			{0x6ea0bbff, "neg v31.4s, v31.4s"},
			{0x4ebf4441, "sshl v1.4s, v2.4s, v31.4s"},
		}},
		{func(a *Asm) { a.Three(vector.AddProduct, 1, 2, 3) }, []word{{0x4e23cc41, "fmla v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Three(vector.SubProduct, 1, 2, 3) }, []word{{0x4ea3cc41, "fmls v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Two(vector.SqrtF, 1, 2) }, []word{{0x6ea1f841, "fsqrt v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Two(vector.AbsI, 1, 2) }, []word{{0x4ea0b841, "abs v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Two(vector.FloatOfI, 1, 2) }, []word{{0x4e21d841, "scvtf v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Two(vector.NearestI, 1, 2) }, []word{{0x4e21a841, "fcvtns v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Two(vector.TruncateI, 1, 2) }, []word{{0x4ea1b841, "fcvtzs v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Move(1, 2) }, []word{{0x4ea21c41, "mov v1.16b, v2.16b"}}},
		{func(a *Asm) { a.Load(1, Mem{Base: 2, Disp: 48}) }, []word{{0x3dc00c41, "ldr q1, [x2, #48]"}}},
		{func(a *Asm) { a.Load(1, Mem{Base: 2, Index: 3, Scale: 4, Disp: 16}) }, []word{
			{0x8b030850, "add x16, x2, x3, lsl #2"},
			{0x3dc00601, "ldr q1, [x16, #16]"},
		}},
		{func(a *Asm) { a.Load(1, Mem{Base: 2, Index: 3, Scale: 1, Disp: 1 << 16}) }, []word{
			{0x8b030050, "add x16, x2, x3"},
			{0xd2a00031, "mov x17, #65536"},
			{0xf2800011, "movk x17, #0"},
			{0x8b110210, "add x16, x16, x17"},
			{0x3dc00201, "ldr q1, [x16]"},
		}},
		{func(a *Asm) { a.Store(Mem{Base: 2, Disp: -16}, 1) }, []word{
			{0x92a00011, "movn x17, #0, lsl #16"},
			{0xf29ffe11, "movk x17, #65520"},
			{0x8b110050, "add x16, x2, x17"},
			{0x3d800201, "str q1, [x16]"},
		}},
		{func(a *Asm) { a.ThreeMem(vector.AddF, 1, 2, Mem{Base: 3, Disp: 16}) }, []word{
			{0x3dc0047e, "ldr q30, [x3, #16]"},
			{0x4e3ed441, "fadd v1.4s, v2.4s, v30.4s"},
		}},
		{func(a *Asm) { a.Spread(1, 2) }, []word{{0x4e040441, "dup v1.4s, v2.s[0]"}}},
		{func(a *Asm) { a.SpreadReg(1, 2) }, []word{{0x4e040c41, "dup v1.4s, w2"}}},
		{func(a *Asm) { a.Round(1, 2, vector.Nearest) }, []word{{0x4e218841, "frintn v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Round(1, 2, vector.Floor) }, []word{{0x4e219841, "frintm v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Round(1, 2, vector.Ceil) }, []word{{0x4ea18841, "frintp v1.4s, v2.4s"}}},
		{func(a *Asm) { a.Shift(vector.ShiftLeft, 1, 2, 31) }, []word{{0x4f3f5441, "shl v1.4s, v2.4s, #31"}}},
		{func(a *Asm) { a.Shift(vector.ShiftRight, 1, 2, 1) }, []word{{0x6f3f0441, "ushr v1.4s, v2.4s, #1"}}},
		{func(a *Asm) { a.Shift(vector.ShiftSigned, 1, 2, 23) }, []word{{0x4f290441, "sshr v1.4s, v2.4s, #23"}}},
		{func(a *Asm) { a.Compare(vector.Eq, 1, 2, 3) }, []word{{0x4e23e441, "fcmeq v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.Compare(vector.Ne, 1, 2, 3) }, []word{
			{0x4e23e441, "fcmeq v1.4s, v2.4s, v3.4s"},
			{0x6e205821, "mvn v1.16b, v1.16b"},
		}},
		{func(a *Asm) { a.Compare(vector.Lt, 1, 2, 3) }, []word{{0x6ea2e461, "fcmgt v1.4s, v3.4s, v2.4s"}}},
		{func(a *Asm) { a.Compare(vector.Le, 1, 2, 3) }, []word{{0x6e22e461, "fcmge v1.4s, v3.4s, v2.4s"}}},
		{func(a *Asm) { a.Compare(vector.Unordered, 1, 2, 3) }, []word{
			{0x4e22e45f, "fcmeq v31.4s, v2.4s, v2.4s"},
			{0x4e23e47e, "fcmeq v30.4s, v3.4s, v3.4s"},
			{0x4e3e1fff, "and v31.16b, v31.16b, v30.16b"},
			{0x6e205be1, "mvn v1.16b, v31.16b"},
		}},
		{func(a *Asm) { a.CompareEqual(1, 2, 3) }, []word{{0x6ea38c41, "cmeq v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.CompareGreater(1, 2, 3) }, []word{{0x4ea33441, "cmgt v1.4s, v2.4s, v3.4s"}}},
		{func(a *Asm) { a.MulHigh(1, 2, 3, 4) }, []word{
			{0x2ea3c05f, "umull v31.2d, v2.2s, v3.2s"},
			{0x6ea3c05e, "umull2 v30.2d, v2.4s, v3.4s"},
			{0x4e9e5be1, "uzp2 v1.4s, v31.4s, v30.4s"},
		}},
		{func(a *Asm) { a.Fold(vector.AddI, 1, 2, 3) }, []word{
			{0x6e024043, "ext v3.16b, v2.16b, v2.16b, #8"},
			{0x4ea38442, "add v2.4s, v2.4s, v3.4s"},
			{0x6e022043, "ext v3.16b, v2.16b, v2.16b, #4"},
			{0x4ea38442, "add v2.4s, v2.4s, v3.4s"},
			{0x4ea21c41, "mov v1.16b, v2.16b"},
		}},
		{func(a *Asm) { a.Gather(1, 2, 3, 4) }, []word{
			{0x0e043c70, "umov w16, v3.s[0]"},
			{0x8b100850, "add x16, x2, x16, lsl #2"},
			{0x0e043c91, "umov w17, v4.s[0]"},
			{0x7100023f, "cmp w17, #0"},
			{0x9a811210, "csel x16, x16, x1, ne"},
			{0x0d408201, "ld1 { v1.s }[0], [x16]"},
			{0x0e0c3c70, "umov w16, v3.s[1]"},
			{0x8b100850, "add x16, x2, x16, lsl #2"},
			{0x0e0c3c91, "umov w17, v4.s[1]"},
			{0x7100023f, "cmp w17, #0"},
			{0x9a811210, "csel x16, x16, x1, ne"},
			{0x0d409201, "ld1 { v1.s }[1], [x16]"},
			{0x0e143c70, "umov w16, v3.s[2]"},
			{0x8b100850, "add x16, x2, x16, lsl #2"},
			{0x0e143c91, "umov w17, v4.s[2]"},
			{0x7100023f, "cmp w17, #0"},
			{0x9a811210, "csel x16, x16, x1, ne"},
			{0x4d408201, "ld1 { v1.s }[2], [x16]"},
			{0x0e1c3c70, "umov w16, v3.s[3]"},
			{0x8b100850, "add x16, x2, x16, lsl #2"},
			{0x0e1c3c91, "umov w17, v4.s[3]"},
			{0x7100023f, "cmp w17, #0"},
			{0x9a811210, "csel x16, x16, x1, ne"},
			{0x4d409201, "ld1 { v1.s }[3], [x16]"},
			{0x4e241c21, "and v1.16b, v1.16b, v4.16b"},
		}},
		{func(a *Asm) { a.LoadAs(dtype.F16, 1, Mem{Base: 2, Disp: 8}) }, []word{
			{0xfd400441, "ldr d1, [x2, #8]"},
			{0x0e217821, "fcvtl v1.4s, v1.4h"},
		}},
		{func(a *Asm) { a.LoadAs(dtype.BF16, 1, Mem{Base: 2}) }, []word{
			{0xfd400041, "ldr d1, [x2]"},
			{0x2f10a421, "ushll v1.4s, v1.4h, #0"},
		}},
		{func(a *Asm) { a.LoadAs(dtype.I8, 1, Mem{Base: 2}) }, []word{
			{0xbd400041, "ldr s1, [x2]"},
			{0x0f08a421, "sshll v1.8h, v1.8b, #0"},
			{0x0f10a421, "sshll v1.4s, v1.4h, #0"},
		}},
		{func(a *Asm) { a.LoadAs(dtype.U8, 1, Mem{Base: 2}) }, []word{
			{0xbd400041, "ldr s1, [x2]"},
			{0x2f08a421, "ushll v1.8h, v1.8b, #0"},
			{0x2f10a421, "ushll v1.4s, v1.4h, #0"},
		}},
		{func(a *Asm) { a.LoadFirst(dtype.F16, 1, Mem{Base: 2, Disp: 2}) }, []word{
			{0x7d400441, "ldr h1, [x2, #2]"},
			{0x0e217821, "fcvtl v1.4s, v1.4h"},
		}},
		{func(a *Asm) { a.LoadFirst(dtype.U8, 1, Mem{Base: 2, Disp: 3}) }, []word{
			{0x3d400c41, "ldr b1, [x2, #3]"},
			{0x2f08a421, "ushll v1.8h, v1.8b, #0"},
			{0x2f10a421, "ushll v1.4s, v1.4h, #0"},
		}},
		{func(a *Asm) { a.LoadPairs(dtype.F32, 1, Mem{Base: 2}) }, []word{
			{0xfd400041, "ldr d1, [x2]"},
			{0x4e813821, "zip1 v1.4s, v1.4s, v1.4s"},
		}},
		{func(a *Asm) { a.StorePairs(dtype.F32, Mem{Base: 2}, 1, 3) }, []word{
			{0x4e81183f, "uzp1 v31.4s, v1.4s, v1.4s"},
			{0xfd00005f, "str d31, [x2]"},
		}},
		{func(a *Asm) { a.Double(1, 2, false) }, []word{{0x4e822841, "trn1 v1.4s, v2.4s, v2.4s"}}},
		{func(a *Asm) { a.Double(1, 2, true) }, []word{{0x4e826841, "trn2 v1.4s, v2.4s, v2.4s"}}},
		{func(a *Asm) { a.StoreAs(dtype.F16, Mem{Base: 2}, 1, 3) }, []word{
			{0x0e21683f, "fcvtn v31.4h, v1.4s"},
			{0xfd00005f, "str d31, [x2]"},
		}},
		{func(a *Asm) { a.StoreAs(dtype.U8, Mem{Base: 2}, 1, 3) }, []word{
			{0x0e61283f, "xtn v31.4h, v1.4s"},
			{0x0e212bff, "xtn v31.8b, v31.8h"},
			{0xbd00005f, "str s31, [x2]"},
		}},
		{func(a *Asm) { a.StoreFirst(dtype.F32, Mem{Base: 2}, 1, 3) }, []word{{0xbd000041, "str s1, [x2]"}}},
		{func(a *Asm) { a.StoreFirst(dtype.BF16, Mem{Base: 2}, 1, 3) }, []word{
			{0x0e61283f, "xtn v31.4h, v1.4s"},
			{0x7d00005f, "str h31, [x2]"},
		}},
		{func(a *Asm) { a.StoreFirst(dtype.I8, Mem{Base: 2}, 1, 3) }, []word{
			{0x0e61283f, "xtn v31.4h, v1.4s"},
			{0x0e212bff, "xtn v31.8b, v31.8h"},
			{0x3d00005f, "str b31, [x2]"},
		}},
		{func(a *Asm) { a.LoadPart(dtype.F32, 1, Mem{Base: 2, Disp: 4}, 5, 3) }, []word{
			{0x91001050, "add x16, x2, #4"},
			{0x0ddf8201, "ld1 { v1.s }[0], [x16], #4"},
			{0xf100047f, "cmp x3, #1"},
			{0x5400010d, "b.le #32"},
			{0x0ddf9201, "ld1 { v1.s }[1], [x16], #4"},
			{0xf100087f, "cmp x3, #2"},
			{0x540000ad, "b.le #20"},
			{0x4ddf8201, "ld1 { v1.s }[2], [x16], #4"},
			{0xf1000c7f, "cmp x3, #3"},
			{0x5400004d, "b.le #8"},
			{0x4ddf9201, "ld1 { v1.s }[3], [x16], #4"},
		}},
		{func(a *Asm) { a.LoadPart(dtype.BF16, 1, Mem{Base: 2, Index: 4, Scale: 2}, 5, 3) }, []word{
			{0x8b040450, "add x16, x2, x4, lsl #1"},
			{0x0ddf4201, "ld1 { v1.h }[0], [x16], #2"},
			{0xf100047f, "cmp x3, #1"},
			{0x5400010d, "b.le #32"},
			{0x0ddf4a01, "ld1 { v1.h }[1], [x16], #2"},
			{0xf100087f, "cmp x3, #2"},
			{0x540000ad, "b.le #20"},
			{0x0ddf5201, "ld1 { v1.h }[2], [x16], #2"},
			{0xf1000c7f, "cmp x3, #3"},
			{0x5400004d, "b.le #8"},
			{0x0ddf5a01, "ld1 { v1.h }[3], [x16], #2"},
			{0x2f10a421, "ushll v1.4s, v1.4h, #0"},
		}},
		{func(a *Asm) { a.StorePart(dtype.U8, Mem{Base: 2}, 1, 5, 6, 3) }, []word{
			{0x0e61283f, "xtn v31.4h, v1.4s"},
			{0x0e212bff, "xtn v31.8b, v31.8h"},
			{0x91000050, "add x16, x2, #0"},
			{0x0d9f021f, "st1 { v31.b }[0], [x16], #1"},
			{0xf100047f, "cmp x3, #1"},
			{0x5400010d, "b.le #32"},
			{0x0d9f061f, "st1 { v31.b }[1], [x16], #1"},
			{0xf100087f, "cmp x3, #2"},
			{0x540000ad, "b.le #20"},
			{0x0d9f0a1f, "st1 { v31.b }[2], [x16], #1"},
			{0xf1000c7f, "cmp x3, #3"},
			{0x5400004d, "b.le #8"},
			{0x0d9f0e1f, "st1 { v31.b }[3], [x16], #1"},
		}},
		{func(a *Asm) { a.AddProductBy(1, 2, 3, 3) }, []word{{0x4fa31841, "fmla v1.4s, v2.4s, v3.s[3]"}}},
		{func(a *Asm) { a.AddPairsBy(1, 2, 3, 1, 4) }, []word{
			{0x4e0c0464, "dup v4.4s, v3.s[1]"},
			{0x0e64c05f, "smull v31.4s, v2.4h, v4.4h"},
			{0x4e64c05e, "smull2 v30.4s, v2.8h, v4.8h"},
			{0x4ebebfff, "addp v31.4s, v31.4s, v30.4s"},
			{0x4ebf8421, "add v1.4s, v1.4s, v31.4s"},
		}},
		{func(a *Asm) { a.LoadNext(1, 2) }, []word{{0x3cc10441, "ldr q1, [x2], #16"}}},
		{func(a *Asm) { a.Clear(1) }, []word{{0x6e211c21, "eor v1.16b, v1.16b, v1.16b"}}},
		{func(a *Asm) { a.FoldFour([4]Vec{1, 2, 3, 4}, Mem{Base: 5}) }, []word{
			{0x6e22d421, "faddp v1.4s, v1.4s, v2.4s"},
			{0x6e24d463, "faddp v3.4s, v3.4s, v4.4s"},
			{0x6e23d421, "faddp v1.4s, v1.4s, v3.4s"},
			{0x3dc000be, "ldr q30, [x5]"},
			{0x4e3ed421, "fadd v1.4s, v1.4s, v30.4s"},
			{0x3d8000a1, "str q1, [x5]"},
		}},
		{func(a *Asm) { a.FoldOne(1, Mem{Base: 5, Disp: 4}) }, []word{
			{0x6e21d421, "faddp v1.4s, v1.4s, v1.4s"},
			{0x6e21d421, "faddp v1.4s, v1.4s, v1.4s"},
			{0xbd4004be, "ldr s30, [x5, #4]"},
			{0x4e3ed421, "fadd v1.4s, v1.4s, v30.4s"},
			{0xbd0004a1, "str s1, [x5, #4]"},
		}},
		{func(a *Asm) { a.Sub(1, 2) }, []word{{0xcb020021, "sub x1, x1, x2"}}},
		{func(a *Asm) { a.CompareConst(1, 3) }, []word{{0xf1000c3f, "cmp x1, #3"}}},
		{func(a *Asm) { a.MovReg(1, 2) }, []word{{0xaa0203e1, "mov x1, x2"}}},
		{func(a *Asm) { a.MovLoad(1, Mem{Base: 2, Disp: 8}) }, []word{{0xf9400441, "ldr x1, [x2, #8]"}}},
		{func(a *Asm) { a.MovConst(1, 7) }, []word{{0xd28000e1, "mov x1, #7"}}},
		{func(a *Asm) { a.MovConst(1, -3) }, []word{
			{0x92a00001, "movn x1, #0, lsl #16"},
			{0xf29fffa1, "movk x1, #65533"},
		}},
		{func(a *Asm) { a.MovConst(1, 0x12345) }, []word{
			{0xd2a00021, "movz x1, #1, lsl #16"},
			{0xf28468a1, "movk x1, #0x2345"},
		}},
		{func(a *Asm) { a.Add(1, 2) }, []word{{0x8b020021, "add x1, x1, x2"}}},
		{func(a *Asm) { a.AddConst(1, 16) }, []word{{0x91004021, "add x1, x1, #16"}}},
		{func(a *Asm) { a.AddConst(1, -16) }, []word{{0xd1004021, "sub x1, x1, #16"}}},
		{func(a *Asm) { a.AddMem(1, Mem{Base: 2}) }, []word{
			{0xf9400051, "ldr x17, [x2]"},
			{0x8b110021, "add x1, x1, x17"},
		}},
		{func(a *Asm) { a.AddTo(Mem{Base: 1, Disp: 8}, 2) }, []word{
			{0xf9400430, "ldr x16, [x1, #8]"},
			{0x8b020210, "add x16, x16, x2"},
			{0xf9000430, "str x16, [x1, #8]"},
		}},
		{func(a *Asm) { a.AddConstTo(Mem{Base: 1}, -1) }, []word{
			{0x92a00011, "movn x17, #0, lsl #16"},
			{0xf29ffff1, "movk x17, #65535"},
			{0xf9400030, "ldr x16, [x1]"},
			{0xab110210, "adds x16, x16, x17"},
			{0xf9000030, "str x16, [x1]"},
		}},
		{func(a *Asm) { a.HalveReg(1) }, []word{{0xd341fc21, "lsr x1, x1, #1"}}},
		{func(a *Asm) { a.CompareReg(1, 2) }, []word{{0xeb02003f, "cmp x1, x2"}}},
		{func(a *Asm) { a.To(a.Jump(vector.NonZero), 0) }, []word{{0x54000001, "b.ne #0"}}},
		{func(a *Asm) { a.To(a.Jump(vector.Less), 8) }, []word{{0x5400004b, "b.lt #8"}}},
		{func(a *Asm) { a.To(a.Jump(vector.AtLeast), 12) }, []word{{0x5400006a, "b.ge #12"}}},
		{func(a *Asm) { a.To(a.Jump(vector.Greater), 16) }, []word{{0x5400008c, "b.gt #16"}}},
		{func(a *Asm) { a.To(a.Jump(vector.AtMost), 20) }, []word{{0x540000ad, "b.le #20"}}},
		{func(a *Asm) { a.To(a.AddressOf(1), 64) }, []word{{0x10000201, "adr x1, #64"}}},
		{func(a *Asm) { a.Return() }, []word{{0xd65f03c0, "ret"}}},
	} {
		a := &Asm{}
		c.emit(a)
		if len(a.code) != 4*len(c.want) {
			t.Errorf("%d instructions, want %d, such as %s", len(a.code)/4, len(c.want), c.want[0].text)
			continue
		}
		for i, w := range c.want {
			if got := binary.LittleEndian.Uint32(a.code[4*i:]); got != w.bits {
				t.Errorf("%s is %08x, want %08x", w.text, got, w.bits)
			}
		}
	}
}

// word is an instruction.
type word struct {
	bits uint32
	text string
}
