package kernels

import (
	"fmt"
	"slices"

	"github.com/weftgpu/weft/internal/pow2"
	"github.com/weftgpu/weft/target"
	"github.com/weftgpu/weft/tile"
)

// ImageBlock is a tile of a tensor of five dimensions that one program computes. The kernel sees the tensor with its dimensions in
// their order in memory: threads that are neighbours then reach for neighbours, also where they gather.
type ImageBlock struct {
	Size   [5]int // powers of two
	Memory [5]int // the tensor's dimensions in the order of the kernel's view, the last one contiguous
}

// newImageBlock is a tile of area elements at most, and of most along each dimension, which takes neighbours in memory first, or
// before them those along the first dimensions.
func newImageBlock(memory, sizes, most [5]int, area int, first ...int) ImageBlock {
	b := ImageBlock{Size: [5]int{}, Memory: memory}
	order := slices.Clone(memory[:])
	slices.Reverse(order)
	for _, d := range append(first, order...) {
		if b.Size[d] == 0 {
			b.Size[d] = min(pow2.Ceil(max(sizes[d], 1)), most[d], area)
			area /= b.Size[d]
		}
	}
	return b
}

// shape is the tile's in the order of the view's dimensions.
func (b ImageBlock) shape() []int {
	shape := make([]int, 5)
	for i, d := range b.Memory {
		shape[i] = b.Size[d]
	}
	return shape
}

// index are the coordinates along the tensor's dimension d of the tile at coordinates counted in tiles; they are in that dimension of
// a tile that has no other.
func (b ImageBlock) index(k *tile.Builder, at []tile.Operand, d int) *tile.Value {
	i, shape := slices.Index(b.Memory[:], d), [5]int{1, 1, 1, 1, 1}
	shape[i] = b.Size[d]
	return k.Iota(i, shape[:]...).Add(k.Int(b.Size[d]).Mul(at[i]))
}

// coordinate is the one along the tensor's dimension d, of those in the order of the view's dimensions.
func (b ImageBlock) coordinate(at []tile.Operand, d int) tile.Operand {
	return at[slices.Index(b.Memory[:], d)]
}

// begin is the first element along the tensor's dimension d of the tile at coordinates counted in tiles.
func (b ImageBlock) begin(k *tile.Builder, at []tile.Operand, d int) *tile.Value {
	return k.Int(b.Size[d]).Mul(b.coordinate(at, d))
}

// ordered are operands for the tensor's dimensions in the order of the view's.
func (b ImageBlock) ordered(x ...*tile.Value) []tile.Operand {
	list := make([]tile.Operand, 5)
	for i, d := range b.Memory {
		list[i] = x[d]
	}
	return list
}

// Legal says why a block is refused for a number of threads.
func (b ImageBlock) Legal(caps target.Caps, threads int) error {
	memory, area := b.Memory, 1
	slices.Sort(memory[:])
	for _, n := range b.Size {
		if err := checkPowers(n); err != nil {
			return err
		}
		area *= n
	}
	if memory != [5]int{0, 1, 2, 3, 4} || b.Size[0] != 1 || area > 1<<16 {
		return fmt.Errorf("a block of %v in the order %v, want a permutation, one image and at most 2^16 elements", b.Size, b.Memory)
	}
	return checkArea(caps, area, threads)
}
