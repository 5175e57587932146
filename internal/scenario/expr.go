package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// value is what an expression or a parameter is worth: null, a whole number, a boolean or a text.
type value struct {
	kind valueKind
	n    int64
	b    bool
	s    string
}

type valueKind uint8

const (
	nullKind valueKind = iota
	intKind
	boolKind
	textKind
)

var valueKindNames = [...]string{"null", "a whole number", "true or false", "a text"}

func intValue(n int64) value   { return value{kind: intKind, n: n} }
func boolValue(b bool) value   { return value{kind: boolKind, b: b} }
func textValue(s string) value { return value{kind: textKind, s: s} }

// String is the value as it is put into a scalar.
func (v value) String() string {
	switch v.kind {
	case intKind:
		return strconv.FormatInt(v.n, 10)
	case boolKind:
		return strconv.FormatBool(v.b)
	case textKind:
		return v.s
	}
	return "null"
}

// expr is one operation of an expression and its operands.
type expr struct {
	op    string // an operator, or "value" or "name"
	args  []*expr
	value value  // op "value"
	name  string // op "name"
	at    int    // byte offset in the expression, for messages
}

// exprError is a mistake at a byte offset of an expression.
type exprError struct {
	at      int
	message string
	hint    string
}

func (e *exprError) Error() string { return e.message }

// scope gives the values of names.
type scope interface {
	lookup(name string) (value, bool)
	known() []string
}

// eval works out the expression.
func (e *expr) eval(s scope) (value, *exprError) {
	switch e.op {
	case "value":
		return e.value, nil
	case "name":
		if v, ok := s.lookup(e.name); ok {
			return v, nil
		}
		return value{}, &exprError{e.at, "unknown name " + quoted(e.name), DidYouMean(e.name, s.known())}
	case "if", "and", "or":
		return e.evalLazily(s)
	}
	var v [2]value
	for i, arg := range e.args {
		var err *exprError
		if v[i], err = arg.eval(s); err != nil {
			return value{}, err
		}
	}
	switch e.op {
	case "==":
		return boolValue(v[0] == v[1]), nil
	case "!=":
		return boolValue(v[0] != v[1]), nil
	case "not":
		if v[0].kind != boolKind {
			return value{}, e.wrongKind(0, v[0], boolKind)
		}
		return boolValue(!v[0].b), nil
	}
	for i := range e.args {
		if v[i].kind != intKind {
			return value{}, e.wrongKind(i, v[i], intKind)
		}
	}
	return e.compute(v[0].n, v[1].n)
}

// evalLazily works out only those operands that decide the result, so that a null may be asked for before it is used.
func (e *expr) evalLazily(s scope) (value, *exprError) {
	condition, err := e.args[0].eval(s)
	if err != nil {
		return value{}, err
	}
	if condition.kind != boolKind {
		return value{}, e.wrongKind(0, condition, boolKind)
	}
	switch {
	case e.op == "if" && condition.b:
		return e.args[1].eval(s)
	case e.op == "if":
		return e.args[2].eval(s)
	case condition.b == (e.op == "or"):
		return condition, nil
	}
	v, err := e.args[1].eval(s)
	if err == nil && v.kind != boolKind {
		err = e.wrongKind(1, v, boolKind)
	}
	return v, err
}

// compute is whole-number arithmetic that reports an overflow instead of wrapping.
func (e *expr) compute(a, b int64) (value, *exprError) {
	switch e.op {
	case "<":
		return boolValue(a < b), nil
	case "<=":
		return boolValue(a <= b), nil
	case ">":
		return boolValue(a > b), nil
	case ">=":
		return boolValue(a >= b), nil
	case "mod", "div":
		if b <= 0 {
			return value{}, &exprError{e.at, fmt.Sprintf("%s %d: the divisor must be at least 1", e.op, b), ""}
		}
		rest := a % b
		if rest < 0 {
			rest += b
		}
		if e.op == "div" {
			return intValue((a - rest) / b), nil
		}
		return intValue(rest), nil
	}
	result, fits := int64(0), true
	switch e.op {
	case "+":
		result = a + b
		fits = (result > a) == (b > 0)
	case "-":
		result = a - b
		fits = (result < a) == (b > 0)
	case "*":
		result = a * b
		fits = a == 0 || result/a == b && !(a == -1 && b == result && b < 0)
	}
	if !fits {
		return value{}, &exprError{e.at, fmt.Sprintf("%d %s %d is too large a number", a, e.op, b), ""}
	}
	return intValue(result), nil
}

func (e *expr) wrongKind(arg int, got value, want valueKind) *exprError {
	message := fmt.Sprintf("%q needs %s, and this is %s", e.op, valueKindNames[want], valueKindNames[got.kind])
	return &exprError{e.args[arg].at, message, ""}
}

// period is after how many orders the expression repeats, or 0 if it never does. It depends on the name order alone.
func (e *expr) period() int64 {
	switch e.op {
	case "value":
		return 1
	case "name":
		if e.name == orderName {
			return 0
		}
		return 1
	case "mod":
		if divisor := e.args[1]; divisor.op == "value" && divisor.value.n > 0 {
			return e.args[0].periodModulo(divisor.value.n)
		}
	}
	all := int64(1)
	for _, arg := range e.args {
		all = lcm(all, arg.period())
	}
	return all
}

// periodModulo is after how many orders the expression repeats modulo m: sums and products of order repeat after m.
func (e *expr) periodModulo(m int64) int64 {
	switch {
	case e.op == "name" && e.name == orderName:
		return m
	case e.op == "+", e.op == "-", e.op == "*":
		return lcm(e.args[0].periodModulo(m), e.args[1].periodModulo(m))
	}
	return e.period()
}

// lcm is the least common multiple of two periods, where 0 and more than maxKeys stand for never.
func lcm(a, b int64) int64 {
	if a == 0 || b == 0 || a > maxKeys || b > maxKeys {
		return 0
	}
	return a / gcd(a, b) * b
}

// orderName is the name that holds the number of an order in the key of a load.
const orderName = "order"

// bind replaces the names that the scope knows by their values.
func (e *expr) bind(s scope) *expr {
	if e.op == "name" {
		if v, ok := s.lookup(e.name); ok {
			return &expr{op: "value", value: v, at: e.at}
		}
		return e
	}
	bound := *e
	bound.args = make([]*expr, len(e.args))
	for i, arg := range e.args {
		bound.args[i] = arg.bind(s)
	}
	return &bound
}

// parseExpr reads an expression:
//
//	if:      or ["if" or "else" if]
//	or:      and {"or" and}
//	and:     not {"and" not}
//	not:     {"not"} compare
//	compare: sum [("==" | "!=" | "<" | "<=" | ">" | ">=") sum]
//	sum:     product {("+" | "-") product}
//	product: atom {("*" | "mod" | "div") atom}
//	atom:    number | name | "text" | "null" | "true" | "false" | "-" atom | "(" if ")"
func parseExpr(source string) (*expr, *exprError) {
	p := &exprParser{source: source}
	p.next()
	e := p.conditional()
	if p.err == nil && p.token != "" {
		p.fail("%s is not expected here", quoted(p.token))
	}
	return e, p.err
}

// exprParser reads an expression by recursive descent. After the first mistake it reads on over an empty rest.
type exprParser struct {
	source string
	token  string // the present token, "" at the end
	at     int    // its offset
	end    int    // the offset behind it
	depth  int
	err    *exprError
}

func (p *exprParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &exprError{at: p.at, message: fmt.Sprintf(format, args...)}
	}
	p.token, p.end = "", len(p.source)
}

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	digits  = "0123456789"
)

// next moves to the next token.
func (p *exprParser) next() {
	rest := p.source[p.end:]
	p.at = p.end + len(rest) - len(strings.TrimLeft(rest, " \n"))
	rest = p.source[p.at:]
	length := 0
	switch {
	case rest == "":
	case strings.HasPrefix(rest, `"`):
		length = 2 + strings.IndexByte(rest[1:], '"')
		if length < 2 {
			p.fail("a text without its closing quote")
			return
		}
	case strings.ContainsRune(letters, rune(rest[0])):
		length = len(leading(rest, letters+digits))
	case strings.ContainsRune(digits, rune(rest[0])):
		length = len(leading(rest, digits))
	case len(rest) > 1 && rest[1] == '=' && strings.IndexByte("=!<>", rest[0]) >= 0:
		length = 2
	case strings.ContainsRune("<>+-*()", rune(rest[0])):
		length = 1
	default:
		p.fail("%s is not expected here", quoted(string([]rune(rest)[0])))
		return
	}
	p.token, p.end = rest[:length], p.at+length
}

// take moves on if the present token is one of the operators.
func (p *exprParser) take(operators ...string) (op string, at int, ok bool) {
	for _, operator := range operators {
		if p.token == operator {
			at := p.at
			p.next()
			return operator, at, true
		}
	}
	return "", 0, false
}

func (p *exprParser) conditional() *expr {
	e := p.binary(0)
	_, at, ok := p.take("if")
	if !ok {
		return e
	}
	condition := p.binary(0)
	if _, _, ok := p.take("else"); !ok {
		p.fail(`"else" is missing: write a if condition else b`)
		return e
	}
	return &expr{op: "if", args: []*expr{condition, e, p.conditional()}, at: at}
}

// levels are the operators between two operands, the weakest first.
var levels = [][]string{{"or"}, {"and"}, {"==", "!=", "<", "<=", ">", ">="}, {"+", "-"}, {"*", "mod", "div"}}

const comparing = 2

func (p *exprParser) binary(level int) *expr {
	if level == len(levels) {
		return p.atom()
	}
	if level == comparing {
		if _, at, ok := p.take("not"); ok {
			return &expr{op: "not", args: []*expr{p.binary(level)}, at: at}
		}
	}
	left := p.binary(level + 1)
	for {
		op, at, ok := p.take(levels[level]...)
		if !ok {
			return left
		}
		left = &expr{op: op, args: []*expr{left, p.binary(level + 1)}, at: at}
		if level == comparing {
			return left
		}
	}
}

func (p *exprParser) atom() *expr {
	const deepest = 40
	if p.depth++; p.depth > deepest {
		p.fail("nested more than %d levels deep", deepest)
	}
	defer func() { p.depth-- }()
	token, at := p.token, p.at
	switch {
	case token == "":
		p.fail("the expression ends too early")
		return &expr{op: "value", at: at}
	case token == "-":
		p.next()
		return &expr{op: "-", args: []*expr{{op: "value", value: intValue(0), at: at}, p.atom()}, at: at}
	case token == "(":
		p.next()
		e := p.conditional()
		if _, _, ok := p.take(")"); !ok {
			p.fail(`")" is missing`)
		}
		return e
	}
	e := &expr{op: "value", at: at}
	switch first := token[0]; {
	case first == '"':
		e.value = textValue(token[1 : len(token)-1])
	case strings.IndexByte(digits, first) >= 0:
		n, err := strconv.ParseInt(token, 10, 64)
		if err != nil {
			p.fail("%s is too large a number", quoted(token))
		}
		e.value = intValue(n)
	case token == "true", token == "false":
		e.value = boolValue(token == "true")
	case token == "null":
	case strings.IndexByte(letters, first) >= 0 && !reserved(token):
		e.op, e.name = "name", token
	default:
		p.fail("%s is not expected here", quoted(token))
	}
	p.next()
	return e
}

func reserved(word string) bool {
	switch word {
	case "and", "or", "not", "mod", "div", "if", "else", "null", "true", "false":
		return true
	}
	return false
}
