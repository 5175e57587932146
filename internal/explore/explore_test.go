package explore

import (
	"reflect"
	"strings"
	"testing"

	"replog/internal/plan"
	"replog/internal/scenario"
	"replog/scenarios"
)

// planned is the plan of a variant of a scenario that replog carries, and how to make it with other values.
func planned(t *testing.T, name, variant string, sets ...scenario.Set) (*plan.Plan, Planner) {
	t.Helper()
	data, err := scenarios.FS.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := scenario.Load(name+".yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	with := func(more []string) (*plan.Plan, error) {
		all := sets
		for _, text := range more {
			set, err := scenario.ParseSet(text)
			if err != nil {
				return nil, err
			}
			all = append(all[:len(all):len(all)], set)
		}
		return f.Plan(variant, all)
	}
	p, err := with(nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, with
}

func TestWorkersDoNotDecideWhatIsFound(t *testing.T) {
	find := func(workers int) (s *Survival, w []Swept) {
		o := Options{Workers: workers}
		p, with := planned(t, "survive", "3 replicas, min ISR 1")
		s, err := Survive(p, with, o)
		if err != nil {
			t.Fatal(err)
		}
		p, with = planned(t, "aggregation", "at least once", scenario.Set{Path: "sweep.0.to", Value: "6300ms"})
		if w, err = Sweep(p, with, o); err != nil {
			t.Fatal(err)
		}
		return s, w
	}
	s1, w1 := find(1)
	s8, w8 := find(8)
	if !reflect.DeepEqual(s1, s8) || !reflect.DeepEqual(w1, w8) {
		t.Errorf("with one worker\n%+v %+v\nwith eight\n%+v %+v", s1, w1, s8, w8)
	}
}

func TestInOrderEndsWithItsTakerAndPassesOnAPanic(t *testing.T) {
	var took []int
	inOrder(&search{Options: Options{Workers: 3}}, 100, func(i int) int { return i * i }, func(_ int, square int) bool {
		took = append(took, square)
		return square < 9
	})
	if !reflect.DeepEqual(took, []int{0, 1, 4, 9}) {
		t.Errorf("took %v", took)
	}
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, "broken") {
			t.Errorf("the panic was %q", text)
		}
	}()
	inOrder(&search{}, 4, func(i int) int {
		if i == 2 {
			panic("broken")
		}
		return i
	}, func(int, int) bool { return true })
}
