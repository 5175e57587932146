//go:build linux || darwin

package cli

import "syscall"

// freeSpace is how many bytes the disk of a folder still takes; 0 where the system does not tell.
func freeSpace(folder string) int64 {
	var fs syscall.Statfs_t
	if syscall.Statfs(folder, &fs) != nil {
		return 0
	}
	return int64(fs.Bavail) * int64(fs.Bsize)
}
