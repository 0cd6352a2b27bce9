package postgres

import (
	"context"
	"encoding/binary"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// column is a parameter for unnest, in PostgreSQL's binary form of an array (array_recv in its
// arrayfuncs.c): the number of dimensions, a flag for nulls, the type of the elements, their number
// and the index of the first, and then each behind its length; numbers are big endian. A batch has
// a hundred thousand of them: pgx, which knows all types and keeps no memory, would take three
// times as long for them.
type column struct {
	array, element uint32 // the types' OIDs
	n              int
	b              []byte
}

const columnHeader = 20

func (c *column) reset() {
	c.n, c.b = 0, append(c.b[:0], make([]byte, columnHeader)...)
}

func (c *column) addInt32(v int32) {
	c.n++
	c.b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(c.b, 4), uint32(v))
}

func (c *column) addInt64(v int64) {
	c.n++
	c.b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(c.b, 8), uint64(v))
}

func addBytes[T string | []byte](c *column, v T) {
	c.n++
	c.b = append(binary.BigEndian.AppendUint32(c.b, uint32(len(v))), v...)
}

// encoded returns the array, which is not empty.
func (c *column) encoded() []byte {
	for i, v := range [columnHeader / 4]uint32{1, 0, c.element, uint32(c.n), 1} {
		binary.BigEndian.PutUint32(c.b[4*i:], v)
	}
	return c.b
}

// queryColumns runs a statement whose parameters are columns.
func queryColumns(ctx context.Context, conn *pgx.Conn, sql string, columns ...*column) pgx.Rows {
	values, types := make([][]byte, len(columns)), make([]uint32, len(columns))
	for i, c := range columns {
		values[i], types[i] = c.encoded(), c.array
	}
	binaryForm := []int16{pgtype.BinaryFormatCode}
	return pgx.RowsFromResultReader(conn.TypeMap(),
		conn.PgConn().ExecParams(ctx, sql, values, types, binaryForm, binaryForm))
}
