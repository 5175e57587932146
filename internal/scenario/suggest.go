package scenario

import "strings"

// DidYouMean is the hint for a word that is none of the known ones: the nearest of them, or all when they are few; it may
// be empty.
func DidYouMean(word string, known []string) string {
	if best := nearest(word, known); best != "" {
		return `did you mean "` + best + `"?`
	}
	const few = 12
	if len(known) == 0 || len(known) > few {
		return ""
	}
	return "known here: " + strings.Join(known, ", ")
}

// nearest is the known word that somebody meant who slipped on the keys, or left out what follows a dot; or "".
func nearest(word string, known []string) string {
	const shortest, longest = 3, 64
	best, bestDistance := "", 1+max(1, len(word)/3)
	if len(word) < shortest || len(word) > longest {
		// Everything is near to a letter or two, and nothing to a page.
		bestDistance = 0
	}
	for _, k := range known {
		if strings.EqualFold(k, word) {
			return k
		}
		if bestDistance == 0 {
			continue
		}
		if d := editDistance(strings.ToLower(word), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	for _, k := range known {
		if best == "" && word != "" && strings.HasPrefix(k, word+".") {
			return k
		}
	}
	return best
}

// editDistance counts the letters to insert, delete, replace or swap with their neighbour to turn a into b.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
