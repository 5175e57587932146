package screen

func (o *Help) lay(p *painter)     {}
func (o *Page) lay(p *painter)     {}
func (o *Why) lay(p *painter)      {}
func (o *Question) lay(p *painter) {}
func (o *Notes) lay(p *painter)    {}
func (o *Picker) lay(p *painter)   {}
func (o *Command) lay(p *painter)  {}
func (o *Menu) lay(p *painter)     {}
func (o *Score) lay(p *painter)    {}
func (o *Message) lay(p *painter)  {}
