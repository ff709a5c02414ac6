package plan

import (
	"math"

	"github.com/weftgpu/weft/dtype"
	"github.com/weftgpu/weft/simt"
	"github.com/weftgpu/weft/target"
)

// SharedElem is the type that registers of a type have in shared memory.
func SharedElem(e dtype.Type) dtype.Type {
	if e = simt.Register(e); e == dtype.Bool {
		return dtype.U32
	}
	return e
}

// ExchangeElem is the type that elements have in shared memory which change threads there.
func ExchangeElem(caps target.Caps, e dtype.Type) dtype.Type {
	if caps.Language != target.WGSL && simt.PerWord(e) > 0 {
		return e
	}
	return SharedElem(e)
}

// LooksUp reports whether numbers that 4 bits stand for come from shared memory: in the languages of shaders, on hardware, where no instruction picks bytes.
func LooksUp(caps target.Caps) bool {
	return (caps.Language == target.WGSL || caps.Language == target.SPIRV) && caps.Registers != target.SoftwareRegisters
}

// The largest number that is multiplied by its scale as integers are, in pairs, and in F16 the least one but 0. Package emit multiplies numbers of F16 by 2^3 before large scales,
// where the first stays far below what F16 holds, and products of the second with scales beyond that are infinite, and by 2^-8 before small ones, where the second is a normal number.
const mostScaled, leastScaled = 512, 1.0 / 8

// ScalesInPairs reports whether products of a number and a scale are rounded right in pairs of a type: it is exact there, and of such a size.
func ScalesInPairs(e dtype.Type, x float64) bool {
	size := math.Abs(x)
	return size <= mostScaled && (e != dtype.F16 || size == 0 || size >= leastScaled) && float64(dtype.Round(e, x)) == x
}

// DefaultStages is the number of pipeline stages of a loop where the schedule does not say.
const DefaultStages = 2

// MadeStages are the stages of what threads make of copied operands for warpgroups: of the products that other warpgroups may still wait for, of
// those of this iteration, and of the next ones.
const MadeStages = 3

// SharedBytes is what a kernel takes of shared memory: arrays that are used only after the pipelines, late, alias their stages.
func SharedBytes(stages, stageBytes, rest, late int) int { return rest + max(stages*stageBytes, late) }

// FitStages is how many stages that threads copy there is room for, at least 1 and at most those that are asked for. rest is what the other arrays take, given the
// room that stages leave them, and late what those of them take that alias the stages.
func FitStages(caps target.Caps, asked, stageBytes int, rest func(left int) (bytes, late int)) int {
	return fitStages(caps, asked, 1, stageBytes, caps.SharedBytes, rest)
}

// MapStages is FitStages for so many arrays that tensor maps fill, 0 if there is no room: each has two barriers in each stage, and aligning small arrays to
// lines takes room.
func MapStages(caps target.Caps, asked, arrays, stageBytes int, rest func(left int) (bytes, late int)) int {
	return fitStages(caps, asked, 0, stageBytes+2*barrierBytes*arrays, caps.SharedBytes-simt.LineAlignment, rest)
}

const barrierBytes = 8

func fitStages(caps target.Caps, asked, least, stageBytes, room int, rest func(left int) (bytes, late int)) int {
	for ; asked > least && caps.SharedBytes > 0; asked-- {
		bytes, late := rest(room - asked*stageBytes)
		if SharedBytes(asked, stageBytes, bytes, late) <= room {
			break
		}
	}
	return asked
}
