package bindings

import (
	"errors"

	"github.com/ncruces/go-sqlite3"
)

type ncruces struct {
	conn                           *sqlite3.Conn
	byCode, insertion, group, many *sqlite3.Stmt
}

func openNcruces(path string) (database, error) {
	conn, err := sqlite3.Open(path)
	if err != nil {
		return nil, err
	}
	d := &ncruces{conn: conn}
	for _, sql := range schema {
		if err := d.exec(sql); err != nil {
			return nil, err
		}
	}
	for stmt, sql := range map[**sqlite3.Stmt]string{
		&d.byCode: selectLink, &d.insertion: insertLink, &d.group: replaceRow, &d.many: selectLinks,
	} {
		if *stmt, _, err = conn.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *ncruces) exec(sql string) error { return d.conn.Exec(sql) }

func (d *ncruces) link(code string) (id int64, url string, err error) {
	err = d.byCode.BindText(1, code)
	if d.byCode.Step() {
		id, url = d.byCode.ColumnInt64(0), d.byCode.ColumnText(1)
	}
	return id, url, errors.Join(err, d.byCode.Reset())
}

func (d *ncruces) insert(code, url string, createdAt int64) error {
	return errors.Join(d.insertion.BindText(1, code), d.insertion.BindText(2, url),
		d.insertion.BindInt64(3, createdAt), d.insertion.Exec())
}

func (d *ncruces) putGroup(id int64, clicks []byte) error {
	return errors.Join(d.group.BindInt64(1, id), d.group.BindBlob(2, clicks), d.group.Exec())
}

func (d *ncruces) scan(below int64, limit int) (n int, err error) {
	err = errors.Join(d.many.BindInt64(1, below), d.many.BindInt(2, limit))
	for d.many.Step() {
		n += len(d.many.ColumnText(1)) + len(d.many.ColumnText(2))
	}
	return n, errors.Join(err, d.many.Reset())
}

func (d *ncruces) close() error {
	return errors.Join(d.byCode.Close(), d.insertion.Close(), d.group.Close(), d.many.Close(),
		d.conn.Close())
}
