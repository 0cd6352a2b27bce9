package bindings

import (
	"errors"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

type zombiezen struct {
	conn                           *sqlite.Conn
	byCode, insertion, group, many *sqlite.Stmt
}

func openZombiezen(path string) (database, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	z := &zombiezen{conn: conn}
	for _, sql := range schema {
		if err := z.exec(sql); err != nil {
			return nil, err
		}
	}
	for stmt, sql := range map[**sqlite.Stmt]string{
		&z.byCode: selectLink, &z.insertion: insertLink, &z.group: replaceRow, &z.many: selectLinks,
	} {
		if *stmt, err = conn.Prepare(sql); err != nil {
			return nil, err
		}
	}
	return z, nil
}

func (z *zombiezen) exec(sql string) error { return sqlitex.ExecuteTransient(z.conn, sql, nil) }

func (z *zombiezen) link(code string) (id int64, url string, err error) {
	z.byCode.BindText(1, code)
	if _, err := z.byCode.Step(); err != nil {
		return 0, "", err
	}
	id, url = z.byCode.ColumnInt64(0), z.byCode.ColumnText(1)
	return id, url, z.byCode.Reset()
}

func (z *zombiezen) insert(code, url string, createdAt int64) error {
	z.insertion.BindText(1, code)
	z.insertion.BindText(2, url)
	z.insertion.BindInt64(3, createdAt)
	_, err := z.insertion.Step()
	return errors.Join(err, z.insertion.Reset())
}

func (z *zombiezen) putGroup(id int64, clicks []byte) error {
	z.group.BindInt64(1, id)
	z.group.BindBytes(2, clicks)
	_, err := z.group.Step()
	return errors.Join(err, z.group.Reset())
}

func (z *zombiezen) scan(below int64, limit int) (n int, err error) {
	z.many.BindInt64(1, below)
	z.many.BindInt64(2, int64(limit))
	for {
		row, err := z.many.Step()
		if err != nil || !row {
			return n, errors.Join(err, z.many.Reset())
		}
		n += len(z.many.ColumnText(1)) + len(z.many.ColumnText(2))
	}
}

func (z *zombiezen) close() error { return z.conn.Close() }
