// Package statusline shows a line of text on a terminal, which the next one replaces: the progress of
// long work. Commands and package tune/progress import it. It knows nothing of what they do.
package statusline
