// Package catalog knows the ops of package ops by name: how a line of text such as "matmul 4096x4096x4096" becomes
// tensors and a call. It is above package ops, for commands that take ops from a person.
//
// An Op reads a Shape into a Call, which names the sizes of the problem; for any values of them a
// Call describes the operands and runs the op on tensors of any device.
package catalog
