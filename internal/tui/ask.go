package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/player"
	"replog/internal/screen"
)

// ask opens a question, or its answer where the proof has come.
func (m *model) ask(i int, solved bool) tea.Cmd {
	if solved {
		m.quiz.Solve(i)
		return m.open(m.solved(i))
	}
	return m.open(m.question(i))
}

// question asks: a to d or enter picks, esc leaves it out.
func (m *model) question(i int) dialog {
	l := &list{
		count:  len(m.quiz.Question(i).Ask.Choices),
		show:   func(cursor int) screen.Overlay { return questionCard(m.quiz, i, cursor, false) },
		choose: func(m *model, choice int) tea.Cmd { return m.pick(i, choice) },
		left:   func(m *model) { m.quiz.Skip(i) },
		keys:   []hint{{"esc", "esc", "leave it out"}, hintQuit, {"enter", "a to d, enter", "answer"}, {"pgdown", "PgDn", "go on, the run will tell"}},
	}
	l.more = func(m *model, key string) (tea.Cmd, bool) {
		if key == "pgdown" || key == "]" {
			m.quiz.PassOn(i)
			m.status = "the run will tell"
			return m.close(), true
		}
		if choice := int(key[0]) - 'a'; len(key) == 1 && choice >= 0 && choice < l.count {
			return m.pick(i, choice), true
		}
		return nil, false
	}
	return l
}

func (m *model) pick(i, choice int) tea.Cmd {
	m.quiz.Pick(i, choice)
	m.close()
	m.status = fmt.Sprintf("you say %c; go on (n, ] or space), the run will tell", 'a'+choice)
	return nil
}

// solved shows the answer. Another one that the same event proves comes right behind it.
func (m *model) solved(i int) dialog {
	then := func(m *model) tea.Cmd {
		m.close()
		if at, next, solved := m.quiz.Stop(m.deck.At()-1, m.deck.At()); next >= 0 && at == m.deck.At() && solved {
			return m.ask(next, solved)
		}
		if m.deck.AtEnd() {
			m.score()
		}
		return nil
	}
	l := &list{
		count:  len(m.quiz.Question(i).Ask.Choices),
		show:   func(cursor int) screen.Overlay { return solvedCard(m, i, cursor) },
		choose: func(m *model, _ int) tea.Cmd { return then(m) },
		keys:   []hint{{"enter", "enter", "go on"}, hintQuit},
	}
	l.more = func(m *model, key string) (tea.Cmd, bool) {
		switch key {
		case "esc", "q", " ", "n", "]", "pgdown", "right":
			return then(m), true
		}
		return nil, false
	}
	return l
}

func questionCard(q *player.Quiz, i, cursor int, solved bool) *screen.Question {
	ask := &q.Question(i).Ask
	card := &screen.Question{
		Heading: fmt.Sprintf("question %d of %d", i+1, q.Len()), Text: ask.Text, Picked: q.Picked(i), Cursor: cursor, Solved: solved,
	}
	for c, choice := range ask.Choices {
		card.Choices = append(card.Choices, screen.Choice{Text: choice.Text, Right: c == ask.Right, Word: choice.Why})
	}
	return card
}

func solvedCard(m *model, i, cursor int) *screen.Question {
	card := questionCard(m.quiz, i, cursor, true)
	ask := &m.quiz.Question(i).Ask
	verdict := "That is right."
	switch {
	case card.Picked < 0:
		verdict = fmt.Sprintf("You have not answered; it is %c.", 'a'+ask.Right)
	case card.Picked != ask.Right:
		verdict = fmt.Sprintf("You said %c; it is %c.", 'a'+card.Picked, 'a'+ask.Right)
	}
	card.Verdict = []string{verdict, "Here it shows: " + m.deck.Tape.Clocked(m.quiz.Question(i).Proof), m.soFar()}
	return card
}

// soFar counts the answers, where there are some.
func (m *model) soFar() string {
	right, of := m.quiz.Score()
	if of == 0 {
		return "No question answered so far."
	}
	return fmt.Sprintf("%d of %d right so far.", right, of)
}

// scoreCard is the result at the end.
func (m *model) scoreCard(right, of int) dialog {
	var lines []string
	for i := range m.quiz.Len() {
		q := m.quiz.Question(i)
		word := "not answered"
		switch picked := m.quiz.Picked(i); {
		case picked == q.Ask.Right:
			word = "right"
		case picked >= 0:
			word = fmt.Sprintf("you said %c, it is %c", 'a'+picked, 'a'+q.Ask.Right)
		}
		lines = append(lines, fmt.Sprintf("%d. %s: %s", i+1, q.Ask.Text, word))
	}
	if f := m.deck.Tape.File; f != nil && f.Remember != "" {
		lines = append(lines, "", "Remember: "+f.Remember)
	}
	return &text{show: func(int) screen.Overlay { return &screen.Score{Right: right, Of: of, Lines: lines} }}
}
