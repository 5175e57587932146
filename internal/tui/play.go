package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"replog/internal/kafka"
	"replog/internal/player"
)

const (
	// framesPerSecond is how often a run that is played goes on.
	framesPerSecond = 30
	// frameEvery is the time between two frames while a run is played.
	frameEvery = time.Second / framesPerSecond
)

// frameTick says that it is time for the next frame of a spell of playing.
type frameTick struct {
	generation int
	at         time.Time
}

func (m *model) nextFrame() tea.Cmd {
	generation := m.generation
	return tea.Tick(frameEvery, func(at time.Time) tea.Msg { return frameTick{generation, at} })
}

func (m *model) togglePlay(string) tea.Cmd {
	if m.playing {
		m.pause()
		return nil
	}
	if m.deck.AtEnd() && m.deck.Now() >= m.deck.Tape.End {
		m.status = "this is the end; g goes back to the beginning"
		return nil
	}
	m.playing = true
	m.generation++
	m.lastTick = time.Time{}
	return m.nextFrame()
}

func (m *model) pause() {
	m.playing = false
	m.generation++
}

// tick shows the next frame, unless it belongs to a spell that is over.
func (m *model) tick(t frameTick) tea.Cmd {
	if t.generation != m.generation || !m.playing {
		m.stale = false
		return nil
	}
	passed := frameEvery
	if !m.lastTick.IsZero() {
		// A machine that sleeps or stutters does not jump ahead.
		passed = min(t.at.Sub(m.lastTick), 4*frameEvery)
	}
	m.lastTick = t.at
	m.step(func(p *player.Player) { p.Advance(m.speed.Of(passed.Microseconds())) })
	if m.playing && m.deck.Now() >= m.deck.Tape.End {
		m.pause()
		m.score()
	}
	if !m.playing {
		return nil
	}
	return m.nextFrame()
}

func (m *model) faster(string) tea.Cmd { return m.atSpeed(m.speed.Faster()) }

func (m *model) slower(string) tea.Cmd { return m.atSpeed(m.speed.Slower()) }

func (m *model) atSpeed(s player.Speed) tea.Cmd {
	m.speed = s
	m.status = "speed " + s.String()
	return nil
}

// step moves on by a little; a question on the way holds it up.
func (m *model) step(move func(*player.Player)) {
	from := m.deck.At()
	move(m.deck.Player)
	if to := m.deck.At(); to > from {
		if at, question, solved := m.quiz.Stop(from, to); question >= 0 {
			m.pause()
			if at != to {
				m.deck.To(at)
			}
			m.ask(question, solved)
		}
	}
	m.moved()
}

// jump moves without stopping at what lies between.
func (m *model) jump(move func(*player.Player)) tea.Cmd {
	m.pause()
	move(m.deck.Player)
	m.moved()
	return nil
}

// moved brings along what follows the playhead.
func (m *model) moved() {
	m.deck.Follow()
	m.look.Event = 0
}

// walk is a step of a person, who takes over from the clock.
func (m *model) walk(move func(*player.Player)) tea.Cmd {
	m.pause()
	ended := m.deck.AtEnd()
	m.step(move)
	if m.deck.AtEnd() && !ended && !m.holdsUp() {
		m.score()
	}
	return nil
}

func (m *model) nextEvent(string) tea.Cmd     { return m.walk((*player.Player).NextEvent) }
func (m *model) previousEvent(string) tea.Cmd { return m.walk((*player.Player).PreviousEvent) }
func (m *model) nextTick(string) tea.Cmd      { return m.walk((*player.Player).NextTick) }
func (m *model) previousTick(string) tea.Cmd  { return m.walk((*player.Player).PreviousTick) }
func (m *model) toStart(string) tea.Cmd {
	return m.jump(func(p *player.Player) { p.ToTick(0) })
}
func (m *model) toEnd(string) tea.Cmd { return m.jump((*player.Player).ToEnd) }

func (m *model) tenth(key string) tea.Cmd {
	return m.jump(func(p *player.Player) { p.Tenth(int(key[0] - '0')) })
}

func (m *model) nextMark(string) tea.Cmd {
	if _, ok := m.deck.Tape.NextMark(m.deck.At()); !ok {
		m.status = "there is no mark after this place"
		return m.walk((*player.Player).ToEnd)
	}
	m.walk(func(p *player.Player) { p.NextMark() })
	m.askAgain()
	return nil
}

func (m *model) previousMark(string) tea.Cmd {
	if _, ok := m.deck.Tape.PreviousMark(m.deck.At()); !ok {
		m.status = "there is no mark before this place"
		return m.toStart("")
	}
	m.walk(func(p *player.Player) { p.PreviousMark() })
	m.askAgain()
	return nil
}

// askAgain asks a question that was left out, when somebody goes to its mark.
func (m *model) askAgain() {
	if i := m.quiz.Open(m.deck.At()); i >= 0 && !m.holdsUp() {
		m.ask(i, false)
	}
}

// goTick scrubs to a point of the timeline.
func (m *model) goTick(t kafka.Tick) tea.Cmd {
	return m.jump(func(p *player.Player) { p.ToTick(t) })
}

// score shows how the questions went, at the end of a run that had some.
func (m *model) score() {
	if right, of := m.quiz.Score(); of > 0 {
		m.open(m.scoreCard(right, of))
	}
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
