package kernels

import (
	"fmt"
)

// ConvAlgorithm is a way to compute a convolution. All give the same sums in another
// order.
type ConvAlgorithm uint8

// The algorithms.
const (
	// ConvAuto chooses by the shape: see Conv2DConfigFor.
	ConvAuto ConvAlgorithm = iota
	// ConvDirect adds products to a block of the result for one input channel and one position in the kernel
	// after the other. It is for few channels in a group, depthwise convolutions above all.
	ConvDirect
	// ConvIm2Col writes the part of x under the kernel as columns of a matrix in a workspace (see
	// Im2Col), by which MatMul multiplies the weights (Chellapilla, Puri and Simard, "High Performance Convolutional
	// Neural Networks for Document Processing", 2006). Kernels of 1 × 1 need no columns.
	ConvIm2Col
	// ConvImplicit is the same product, whose columns are gathered tile by tile within the kernel and never stored
	// (Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014).
	ConvImplicit
)

// String is the algorithm's name.
func (a ConvAlgorithm) String() string {
	if names := []string{"auto", "direct", "im2col", "implicit"}; int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("ConvAlgorithm(%d)", uint8(a))
}
