package kafka

// JavaHash is String.hashCode of Java: of the text's UTF-16 units.
func JavaHash(text string) int32 {
	const beyond, high, low = 0x10000, 0xd800, 0xdc00
	var hash uint32
	for _, r := range text {
		if r < beyond {
			hash = hash*31 + uint32(r)
			continue
		}
		r -= beyond
		hash = hash*31 + uint32(high+r>>10)
		hash = hash*31 + uint32(low+r&0x3ff)
	}
	return int32(hash)
}

// CoordinatorPartition is the partition of __consumer_offsets, among count, whose leader coordinates a group
// (GroupMetadataManager.partitionFor). Utils.abs makes the smallest number 0.
func CoordinatorPartition(group string, count int) int {
	hash := int(JavaHash(group))
	switch {
	case hash == -1<<31:
		hash = 0
	case hash < 0:
		hash = -hash
	}
	return hash % count
}
