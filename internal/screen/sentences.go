package screen

type sentences struct{}
