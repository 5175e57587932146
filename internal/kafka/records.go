package kafka

// Columns holds records column by column. It only grows, so the views into it never change.
type Columns struct {
	ids        []RecordID
	keys       []KeyID
	timestamps []Tick
	// sizes is nil while every record has the size uniform.
	sizes   []int32
	uniform int32
	// coordinator is nil but for the records of internal topics.
	coordinator []CoordinatorRecord
	// tombstones is nil while every record has a value.
	tombstones []bool
	// cleaned is what the cleaner left of one batch; nil in the columns of a producer.
	cleaned *cleaned
}

// NewColumns makes room for n records.
func NewColumns(n int) *Columns {
	return &Columns{ids: make([]RecordID, 0, n), keys: make([]KeyID, 0, n), timestamps: make([]Tick, 0, n)}
}

// Room is the number of records that still fit without moving the columns.
func (c *Columns) Room() int { return cap(c.ids) - len(c.ids) }

// Record is one record as an application hands it to its producer.
type Record struct {
	ID        RecordID
	Key       KeyID
	Size      int32 // bytes of the stored record: key, value and its framing
	Timestamp Tick  // create time: when the application sent it (message.timestamp.type=CreateTime)
	Tombstone bool  // it has no value: on a compacted topic it deletes its key
}

// Append adds records to the end and returns the view of them.
func (c *Columns) Append(records ...Record) Records {
	var view Records
	for i := range records {
		view = c.Extend(view, &records[i])
	}
	return view
}

// Extend adds one record behind a view that ends where the columns end, or begins a view.
func (c *Columns) Extend(view Records, r *Record) Records {
	if view.n == 0 {
		view = Records{cols: c, from: int32(len(c.ids))}
	}
	c.push(r)
	view.n++
	return view
}

func (c *Columns) push(r *Record) {
	switch {
	case c.sizes != nil:
		c.sizes = append(c.sizes, r.Size)
	case len(c.ids) == 0:
		c.uniform = r.Size
	case r.Size != c.uniform:
		c.sizes = make([]int32, len(c.ids), cap(c.ids))
		for i := range c.sizes {
			c.sizes[i] = c.uniform
		}
		c.sizes = append(c.sizes, r.Size)
	}
	if r.Tombstone && c.tombstones == nil {
		c.tombstones = make([]bool, len(c.ids), cap(c.ids))
	}
	if c.tombstones != nil {
		c.tombstones = append(c.tombstones, r.Tombstone)
	}
	c.ids = append(c.ids, r.ID)
	c.keys = append(c.keys, r.Key)
	c.timestamps = append(c.timestamps, r.Timestamp)
}

// Records is an unchangeable view of some records that lie side by side in Columns.
type Records struct {
	cols    *Columns
	from, n int32
}

// Len is the number of records.
func (r Records) Len() int { return int(r.n) }

// Part is the view of n records from record from on.
func (r Records) Part(from, n int) Records {
	return Records{cols: r.cols, from: r.from + int32(from), n: int32(n)}
}

// IDs lists the record ids; the caller must not change them.
func (r Records) IDs() []RecordID {
	if r.n == 0 {
		return nil
	}
	return r.cols.ids[r.from : r.from+r.n : r.from+r.n]
}

// ID is the id of record i.
func (r Records) ID(i int) RecordID { return r.cols.ids[int(r.from)+i] }

// Key is the key of record i.
func (r Records) Key(i int) KeyID { return r.cols.keys[int(r.from)+i] }

// Timestamp is the create time of record i.
func (r Records) Timestamp(i int) Tick { return r.cols.timestamps[int(r.from)+i] }

// Size is the size of record i in bytes.
func (r Records) Size(i int) int32 {
	if r.cols.sizes == nil {
		return r.cols.uniform
	}
	return r.cols.sizes[int(r.from)+i]
}

// OwnRecords reports whether records are Kafka's own, those of an internal topic: they have no ids. A batch has only such
// records, or none.
func OwnRecords(ids []RecordID) bool { return len(ids) > 0 && ids[0] == NoRecord }

// Tombstone reports whether record i has no value.
func (r Records) Tombstone(i int) bool {
	return r.cols.tombstones != nil && r.cols.tombstones[int(r.from)+i]
}

// At is record i as a whole.
func (r Records) At(i int) Record {
	return Record{ID: r.ID(i), Key: r.Key(i), Size: r.Size(i), Timestamp: r.Timestamp(i), Tombstone: r.Tombstone(i)}
}

// Stamped is a copy of the records with another timestamp (message.timestamp.type=LogAppendTime).
func (r Records) Stamped(at Tick) Records {
	columns := NewColumns(r.Len())
	view := Records{cols: columns}
	for i := range r.Len() {
		record := r.At(i)
		record.Timestamp = at
		view = columns.Extend(view, &record)
	}
	return view
}

// Bytes is the sum of the record sizes.
func (r Records) Bytes() int64 {
	if r.n == 0 {
		return 0
	}
	if r.cols.sizes == nil {
		return int64(r.cols.uniform) * int64(r.n)
	}
	var sum int64
	for i := range r.Len() {
		sum += int64(r.Size(i))
	}
	return sum
}
