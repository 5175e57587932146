//go:build !linux && !darwin

package cli

// freeSpace is 0: the system does not tell how many bytes its disk still takes.
func freeSpace(string) int64 { return 0 }
