// Package statusline shows a line of text on a terminal that the next one replaces: how far something is that takes
// long. It stands beneath the commands and package tune/progress, and knows nothing of what they do.
package statusline
