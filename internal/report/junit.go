package report

import (
	"encoding/xml"
	"io"
	"strings"
)

// The JUnit form, as build servers read it: a suite for each scenario, a case for each variant.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// Suite is a scenario for WriteJUnit, and what is wrong with each of its cases.
type Suite struct {
	Name  string
	Cases []Case
}

// Case is one thing that was tested.
type Case struct {
	Name     string
	Problems []string // empty when it passed
	Error    bool     // it could not be tested, and the problems say why
}

// Suite is the report as a suite: a case fails by its broken promises and by what it does not meet.
func (s *Scenario) Suite() Suite {
	suite := Suite{Name: s.Scenario}
	for i := range s.Variants {
		v := &s.Variants[i]
		suite.Cases = append(suite.Cases, Case{Name: v.Variant, Problems: v.Problems()})
	}
	return suite
}

// Problems are the broken promises and the unmet expectations, a sentence each.
func (v *Variant) Problems() []string {
	var problems []string
	for i := range v.Violations {
		if !v.Violations[i].Expected {
			problems = append(problems, v.Violations[i].text())
		}
	}
	for _, u := range v.Unmet {
		problems = append(problems, "EXPECTATION NOT MET: "+u)
	}
	return problems
}

// WriteJUnit writes suites as one JUnit document.
func WriteJUnit(w io.Writer, suites []Suite) error {
	all := junitSuites{}
	for _, s := range suites {
		suite := junitSuite{Name: s.Name, Tests: len(s.Cases)}
		for _, c := range s.Cases {
			suite.add(c)
		}
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

func (s *junitSuite) add(c Case) {
	one := junitCase{Name: c.Name, Class: s.Name}
	if len(c.Problems) > 0 {
		message, _, _ := strings.Cut(c.Problems[0], "\n")
		problem := &junitProblem{Message: message, Text: strings.Join(c.Problems, "\n")}
		if c.Error {
			s.Errors++
			one.Error = problem
		} else {
			s.Failures++
			one.Failure = problem
		}
	}
	s.Cases = append(s.Cases, one)
}
