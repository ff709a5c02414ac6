// Package recent is a map of bounded size which forgets what was not asked for lately: what
// launches remember of calls like themselves lies in it.
package recent
