// Package cachedir keeps what is costly to make in files of the user's cache folder:
// compiled kernels and tuned choices.
//
// It is apart from the flow from kernel to device and knows bytes only. Every kind of
// entry has a folder of its own beneath the root, a budget and a Store:
//
//	store := cachedir.Programs.Open()
//	data, ok := store.Get(key)
//	if !ok {
//		data = compute()
//		store.Put(key, data) // its error is logged and may be ignored
//	}
//
// # Where
//
// The root is the folder weft in os.UserCacheDir: ~/.cache/weft on Linux. The environment
// variable WEFT_CACHE names another root, and WEFT_CACHE=off keeps nothing: then every
// Get is a miss and Put does nothing. So it is where the system has no such folder, as in
// browsers. The variable is read when a kind is opened.
//
// # What is promised
//
// An entry is one file. It is written to a temporary file and renamed, so that other
// processes see the old entry, the new one, or none. Its first line holds a checksum of the
// rest, and what does not fit its checksum is a miss, and deleted. Of two processes
// that write one entry the last wins; so a key must tell all that the entry depends on, and
// what several processes collect goes into entries of its own, not into one that all rewrite.
//
// No failure of a file system stops a computation: a folder that cannot be written and a full
// disk cost the cache's help alone and are logged once for each Store.
//
// Once a kind's files are beyond its budget, those whose last use is the longest ago are
// deleted, down to three quarters of it. Uses are noted by the files' times, to the hour.
package cachedir
