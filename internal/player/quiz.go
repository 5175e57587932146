package player

import (
	"cmp"
	"slices"

	"replog/internal/scenario"
	"replog/internal/until"
)

// Question is a question of the scenario, found on a tape.
type Question struct {
	Ask   scenario.Ask
	Stop  int // number of events shown when it is asked
	Proof int // number of events shown when the answer is proved; behind Stop
}

// questionsOf finds the questions on a tape. A question whose moment or whose proof does not come is not asked.
func questionsOf(t *Tape, asks []scenario.Ask) []Question {
	var questions []Question
	for _, a := range asks {
		stop := earliest(t, a.Stop, 0)
		if a.Before {
			stop--
		}
		if proof := earliest(t, a.Proof, max(0, stop)); stop > 0 && proof > stop {
			questions = append(questions, Question{Ask: a, Stop: stop, Proof: proof})
		}
	}
	slices.SortStableFunc(questions, func(a, b Question) int { return cmp.Compare(a.Stop, b.Stop) })
	return questions
}

// earliest is the first of some moments to come after a place; 0 when none does.
func earliest(t *Tape, moments []string, from int) int {
	first := 0
	for _, text := range moments {
		m, err := until.Parse(text, t.Names)
		if err != nil {
			continue // the scenario's own check has refused it
		}
		if n, comes := m.Next(&t.Log, from); comes && n > from && (first == 0 || n < first) {
			first = n
		}
	}
	return first
}

// Quiz is how far somebody is with the questions of a tape.
type Quiz struct {
	questions []Question
	states    []state
}

type state struct {
	picked int // index of the choice; unasked, skipped
	solved bool
}

const (
	unasked = -1
	skipped = -2
	passed  = -3 // nobody picks, but the answer is to be shown
)

// NewQuiz is the questions of a tape, none of them asked.
func NewQuiz(t *Tape) *Quiz {
	q := &Quiz{questions: t.Questions, states: make([]state, len(t.Questions))}
	for i := range q.states {
		q.states[i].picked = unasked
	}
	return q
}

// Len is the number of questions.
func (q *Quiz) Len() int { return len(q.questions) }

// Question is question i, from 0.
func (q *Quiz) Question(i int) *Question { return &q.questions[i] }

// Picked is the choice that was taken for question i, or -1.
func (q *Quiz) Picked(i int) int { return max(unasked, q.states[i].picked) }

// Pick takes a choice.
func (q *Quiz) Pick(i, choice int) { q.states[i].picked = choice }

// Skip leaves a question out.
func (q *Quiz) Skip(i int) {
	if q.states[i].picked == unasked {
		q.states[i].picked = skipped
	}
}

// PassOn picks nothing; the answer is shown all the same when its proof comes.
func (q *Quiz) PassOn(i int) { q.states[i].picked = passed }

// Solve notes that the answer was seen.
func (q *Quiz) Solve(i int) { q.states[i].solved = true }

// Stop is the first thing that holds up a move from one place to another: a question that is to be asked, or the proof of
// an answer that was given.
func (q *Quiz) Stop(from, to int) (at, question int, solved bool) {
	at, question = to, -1
	for i := range q.questions {
		one, s := &q.questions[i], &q.states[i]
		if s.picked == unasked && from < one.Stop && one.Stop <= to && (question < 0 || one.Stop < at) {
			at, question, solved = one.Stop, i, false
		}
		if (s.picked >= 0 || s.picked == passed) && !s.solved && from < one.Proof && one.Proof <= to && (question < 0 || one.Proof < at) {
			at, question, solved = one.Proof, i, true
		}
	}
	return at, question, solved
}

// Open is the question without an answer that stands at a place, also one that was left out; -1 when there is none.
func (q *Quiz) Open(at int) int {
	for i := range q.questions {
		if q.questions[i].Stop == at && q.states[i].picked < 0 {
			return i
		}
	}
	return -1
}

// Score counts the answers that were right, and all that were given and seen.
func (q *Quiz) Score() (right, of int) {
	for i := range q.states {
		if s := &q.states[i]; s.picked >= 0 && s.solved {
			of++
			if s.picked == q.questions[i].Ask.Right {
				right++
			}
		}
	}
	return right, of
}

// Pass leaves out the questions up to a place: who comes in there has seen the answers.
func (q *Quiz) Pass(at int) {
	for i := range q.questions {
		if q.questions[i].Stop <= at {
			q.Skip(i)
		}
	}
}
