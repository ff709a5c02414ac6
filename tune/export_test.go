package tune

// Programs are what the test's binary is instead of a test, by the name in WEFT_TEST_PROGRAM.
var Programs = map[string]func() error{"processes": processes}
