package tui

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"replog/internal/explain"
	"replog/internal/player"
	"replog/internal/until"
)

// Plain shows a run without any screen control: a sentence a step. With an input it reads commands, a line each; without
// one it says everything from the place on to the end.
func Plain(t *player.Tape, start int, in io.Reader, out io.Writer) error {
	p := &plain{Player: player.New(t), quiz: player.NewQuiz(t), out: bufio.NewWriter(out)}
	if start > 0 {
		p.To(start)
	}
	p.printf("%s\n%s  %s\n", t.Title(), t.Names.Variant, t.SettingsAt(p.Now()))
	if in == nil {
		p.all(max(1, start))
	} else {
		p.talk(bufio.NewScanner(in))
	}
	return p.out.Flush()
}

// plain is a player that talks.
type plain struct {
	*player.Player
	quiz   *player.Quiz
	out    *bufio.Writer
	asking int // number of the question that waits for an answer, from 1; 0 is none
}

func (p *plain) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// all says every event from one on, and what came of it.
func (p *plain) all(from int) {
	for n := from; n <= p.Tape.Len(); n++ {
		p.printf("%s\n", p.Tape.Clocked(n))
	}
	p.outcome()
}

func (p *plain) outcome() {
	p.printf("\n%s", explain.Text(explain.Run(&p.Tape.Log, p.Tape.Names, p.Tape.Outcome), p.Tape.Names))
}

const plainHelp = `enter or n: next event    p: one back    . and ,: next tick, tick before    ] and [: next mark, mark before
a time, a tick, an order, or what shall happen, as in "the ISR of p2 shrinks": go there
/words: look for words    e: why    a to d: answer a question    g and G: beginning, end    story: all in words    q: quit
`

// talk reads commands until there are no more.
func (p *plain) talk(lines *bufio.Scanner) {
	p.printf("? says what can be typed; enter goes one event on\n")
	p.say()
	for {
		p.printf("> ")
		p.out.Flush()
		if !lines.Scan() || !p.obey(strings.TrimSpace(lines.Text())) {
			return
		}
	}
}

// obey does what a line says; false ends the talk.
func (p *plain) obey(line string) bool {
	if p.asking > 0 && len(line) == 1 && line[0] >= 'a' && line[0] <= 'd' {
		p.answer(int(line[0] - 'a'))
		return true
	}
	switch line {
	case "", "n":
		p.step(p.NextEvent)
	case "p":
		p.step(p.PreviousEvent)
	case ".":
		p.step(p.NextTick)
	case ",":
		p.step(p.PreviousTick)
	case "]":
		p.step(func() { p.NextMark() })
	case "[":
		p.step(func() { p.PreviousMark() })
	case "g":
		p.step(func() { p.ToTick(0) })
	case "G":
		p.step(p.ToEnd)
	case "e":
		for _, seq := range explain.Chain(&p.Tape.Log, p.Tape.Names, eventSeq(p.At())) {
			p.printf("  because %s\n", p.Tape.Clocked(int(seq)))
		}
	case "story":
		p.outcome()
	case "?", "help":
		p.printf("%s", plainHelp)
	case "q", "quit":
		return false
	default:
		p.find(line)
	}
	return true
}

// find goes to words or to a moment.
func (p *plain) find(line string) {
	if words, found := strings.CutPrefix(line, "/"); found {
		if n, ok := p.Search(strings.Fields(words), false); ok {
			p.To(n)
			p.say()
		} else {
			p.printf("no sentence after this place has: %s\n", words)
		}
		return
	}
	moment, err := until.Parse(strings.TrimPrefix(line, ":"), p.Tape.Names)
	if err != nil {
		p.printf("%v\n", err)
		return
	}
	n, err := p.Find(moment)
	if err != nil {
		p.printf("%v\n", err)
	}
	if n != p.At() {
		p.ToMoment(moment, n)
		p.say()
	}
}

// step moves, stops at a question, and says what happened.
func (p *plain) step(move func()) {
	from := p.At()
	move()
	at, question, solved := p.quiz.Stop(from, p.At())
	if p.At() > from && question >= 0 {
		p.To(at)
	}
	p.say()
	if p.At() > from && question >= 0 {
		p.ask(question, solved)
	}
}

// say tells what the step that led here changed.
func (p *plain) say() {
	for _, sentence := range p.Changes() {
		p.printf("%s  %s\n", p.Tape.Names.Clock(p.Now()), sentence)
	}
}

func (p *plain) ask(i int, solved bool) {
	ask := &p.quiz.Question(i).Ask
	if !solved {
		p.printf("\nQuestion %d of %d: %s\n", i+1, p.quiz.Len(), ask.Text)
		for c, choice := range ask.Choices {
			p.printf("  %c) %s\n", 'a'+c, choice.Text)
		}
		p.asking = i + 1
		return
	}
	p.quiz.Solve(i)
	right, of := p.quiz.Score()
	p.printf("\nThis answers question %d. You said %c; it is %c. %d of %d right so far.\n", i+1, 'a'+p.quiz.Picked(i), 'a'+ask.Right, right, of)
	for c, choice := range ask.Choices {
		p.printf("  %c) %s: %s\n", 'a'+c, choice.Text, choice.Why)
	}
}

func (p *plain) answer(choice int) {
	if choice >= len(p.quiz.Question(p.asking-1).Ask.Choices) {
		p.printf("there is no such choice\n")
		return
	}
	p.quiz.Pick(p.asking-1, choice)
	p.asking = 0
	p.printf("Go on; the run will tell.\n")
}
