// Package recent is a map of bounded size which forgets what was not asked for lately: what
// launches remember of earlier calls is in it.
package recent
