// Package logging holds the one logger of the module.
//
// It is a leaf that every layer may import: the compiler says what it compiled, the
// tuner what it dropped, the caches what they could not keep, the backends what their drivers
// say. A program hears of it through weft.SetLogger; without a logger nothing is
// written anywhere.
package logging
