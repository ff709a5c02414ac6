// Package golden holds cases that NumPy, SciPy, PyTorch and ml_dtypes computed in float64: what the
// references of package reference and the ops are held to, so that both cannot be
// wrong in the same way.
//
// The script make.py makes the cases, one file of arrays a family, and says there what
// they hold. Nothing of Python is needed to read them.
package golden
