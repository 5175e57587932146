package assign_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"replog/internal/assign"
	"replog/internal/kafka"
)

var twoTopics = []assign.Topic{
	{Name: "drinks", Partitions: []kafka.PartitionID{0, 1, 2}},
	{Name: "orders", Partitions: []kafka.PartitionID{3, 4, 5}},
}

// joined is a group in which m1 was alone, when m2 joins.
func joined() []assign.Member {
	topics := []string{"drinks", "orders"}
	return []assign.Member{
		{ID: "m1", Topics: topics, Owned: []kafka.PartitionID{0, 1, 2, 3, 4, 5}, Generation: 1},
		{ID: "m2", Topics: topics, Generation: assign.NoGeneration},
	}
}

// line shows who gets each partition.
func line(name string, members []assign.Member, a assign.Assignment) string {
	owner := strings.Split("......", "")
	for i := range members {
		for _, p := range a[i] {
			owner[p] = strings.TrimPrefix(members[i].ID, "m")
		}
	}
	return fmt.Sprintf("%-21s%s    %s\n", name, strings.Join(owner[:3], " "), strings.Join(owner[3:], " "))
}

// picture is the one of the package comment.
func picture() string {
	var b strings.Builder
	b.WriteString("                     drinks   orders\n                     0 1 2    0 1 2\n")
	members := joined()
	b.WriteString(line("before", members, assign.Assignment{members[0].Owned, nil}))
	for _, a := range []assign.Assignor{assign.Range, assign.RoundRobin, assign.Sticky, assign.CooperativeSticky} {
		b.WriteString(line(a.String(), members, a.Assign(members, twoTopics)))
	}
	b.WriteString(line("      second round", members, secondRound(members)))
	b.WriteString(line("uniform", members, assign.Uniform.Assign(members, twoTopics)))
	return b.String()
}

// secondRound is what members that have let go of what moves are given when they join again.
func secondRound(members []assign.Member) assign.Assignment {
	members = slices.Clone(members)
	for i, owned := range assign.CooperativeSticky.Assign(members, twoTopics) {
		members[i].Owned = owned
		members[i].Generation = 2
	}
	return assign.CooperativeSticky.Assign(members, twoTopics)
}

func TestPackageCommentShowsWhatIsDealt(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	want := "//\t" + strings.ReplaceAll(strings.TrimSuffix(picture(), "\n"), "\n", "\n//\t")
	if !strings.Contains(string(text), want) {
		t.Errorf("doc.go does not have this picture:\n%s", want)
	}
}

func ExampleAssignor_Assign() {
	members := []assign.Member{{ID: "m1", Topics: []string{"orders"}}, {ID: "m2", Topics: []string{"orders"}}}
	topics := []assign.Topic{{Name: "orders", Partitions: []kafka.PartitionID{0, 1, 2, 3, 4, 5}}}
	fmt.Println(assign.Range.Assign(members, topics))
	fmt.Println(assign.RoundRobin.Assign(members, topics))
	// Output:
	// [[0 1 2] [3 4 5]]
	// [[0 2 4] [1 3 5]]
}

func ExampleMember_Revoked() {
	members := joined()
	first := assign.CooperativeSticky.Assign(members, twoTopics)
	fmt.Println("m1 keeps", first[0], "lets go of", members[0].Revoked(first[0]), "and joins again")
	fmt.Println("m2 waits:", first[1])
	fmt.Println("then it gets", secondRound(members)[1])
	// Output:
	// m1 keeps [0 1 3] lets go of [2 4 5] and joins again
	// m2 waits: []
	// then it gets [2 4 5]
}
