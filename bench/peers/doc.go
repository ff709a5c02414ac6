// Package peers has other libraries do the works of package suite: gonum within this process, and PyTorch and Triton in
// Python processes that run the scripts under scripts.
//
// A script gets each work as a line of JSON: the op, its operands with files of their contents, its parameters, how many
// copies of the operands to use one after another and which elements of the result to send back. It answers with the times
// of samples and those elements, which are checked as weft's own are, within Slack times the bound. So shapes and data are written
// once, in Go; the rule for samples is passed along too. A script has a function for each op that its library has, and says so of others.
//
// Python is the program that WEFT_PYTHON names, or python3 or python on the path.
package peers
