package bindings

import (
	"context"
	"database/sql"
	"errors"

	_ "modernc.org/sqlite"
)

// modernc is the engine's own driver for database/sql.
type modernc struct {
	db                             *sql.DB
	conn                           *sql.Conn
	byCode, insertion, group, many *sql.Stmt
}

func openModernc(path string) (database, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	d := &modernc{db: db}
	if d.conn, err = db.Conn(context.Background()); err != nil {
		return nil, err
	}
	for _, sql := range schema {
		if err := d.exec(sql); err != nil {
			return nil, err
		}
	}
	for stmt, query := range map[**sql.Stmt]string{
		&d.byCode: selectLink, &d.insertion: insertLink, &d.group: replaceRow, &d.many: selectLinks,
	} {
		//nolint:sqlclosecheck // until close
		*stmt, err = d.conn.PrepareContext(context.Background(), query)
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *modernc) exec(sql string) error {
	_, err := d.conn.ExecContext(context.Background(), sql)
	return err
}

func (d *modernc) link(code string) (id int64, url string, err error) {
	var createdAt int64
	var createdBy string
	err = d.byCode.QueryRow(code).Scan(&id, &url, &createdAt, &createdBy)
	return id, url, err
}

func (d *modernc) insert(code, url string, createdAt int64) error {
	_, err := d.insertion.Exec(code, url, createdAt)
	return err
}

func (d *modernc) putGroup(id int64, clicks []byte) error {
	_, err := d.group.Exec(id, clicks)
	return err
}

func (d *modernc) scan(below int64, limit int) (n int, err error) {
	rows, err := d.many.Query(below, limit)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	var id, createdAt int64
	var code, url sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&id, &code, &url, &createdAt); err != nil {
			return n, err
		}
		n += len(code) + len(url)
	}
	return n, rows.Err()
}

func (d *modernc) close() error { return errors.Join(d.conn.Close(), d.db.Close()) }
