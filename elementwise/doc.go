// Package elementwise has what maps, which compute each element from the elements at its place, and copies
// are compiled for: the config of their kernel, the rule that chooses one, and their search space.
//
// It is for those who tune or explain maps. Programs make maps by weft.NewMap and copy by
// weft.Tensor.CopyFrom, which choose configs themselves. It is below package weft and knows no tensors.
package elementwise
