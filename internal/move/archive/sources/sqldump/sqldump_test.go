package sqldump_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"terse/internal/move/archive/sources/sqldump"
)

var (
	pairs  = &sqldump.Kind{Needs: []string{"id", "text"}, May: []string{"more"}}
	others = &sqldump.Kind{Needs: []string{"other"}}
)

// read returns the rows of a dump, as TABLE:LINE:VALUE|VALUE...
func read(text io.Reader) (rows []string, d *sqldump.Dump, err error) {
	d = sqldump.New(text, pairs, others)
	err = d.Each(func(r *sqldump.Row) error {
		values := []string{r.Text(0)}
		if r.Kind == pairs {
			values = append(values, r.Text(1), r.Text(2))
		}
		rows = append(rows, fmt.Sprintf("%s:%d:%s", r.Table, r.Line, strings.Join(values, "|")))
		return nil
	})
	return rows, d, err
}

const (
	table = "CREATE TABLE `t` (`id` int(11) NOT NULL DEFAULT '0,' COMMENT 'a) b', -- odd )\n" +
		"`text` enum('a','b)') /* ) */, PRIMARY KEY (`id`), KEY x (`text`(30))) ENGINE=InnoDB;\n"
	insert = table + "INSERT INTO t VALUES "
)

// What a text says is what MySQL would have in its table.
func TestRows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"escapes": {
			insert + `(1,'it\'s ''q'' \"x\" \\ \n\t\r\0\Z\b \% \_ \q');`,
			"t:3:1|it's 'q' \"x\" \\ \n\t\r\x00\x1a\b \\% \\_ q|",
		},
		"double quotes": {insert + `(1,"a""b'c\"");`, `t:3:1|a"b'c"|`},
		"many rows": {
			insert + "\n(1,'a;'),\n(-2.5,'b),(');\ninsert into t value(3,'c');",
			"t:4:1|a;| t:5:-2.5|b),(| t:6:3|c|",
		},
		"no value": {insert + "(NULL,NULL),(null,'');", "t:3:|| t:3:||"},
		"hex":      {insert + "(0x61,x'C3BC'),(X'','NULL');", "t:3:a|ü| t:3:|NULL|"},
		"prefixes": {
			insert + "(_utf8mb4'a',_binary 0x62),(_binary'c',N'd'),(1,_latin1 'x\xfc');",
			"t:3:a|b| t:3:c|d| t:3:1|xü|",
		},
		"columns": {
			table + "INSERT IGNORE INTO `db`.`t` (`text`, unknown, `id`) VALUES ('a', 'b', 1);",
			"t:3:1|a|",
		},
		"no CREATE": {"INSERT INTO t (ID, Text, MORE) VALUES (1, 'a', 'm');", "t:1:1|a|m"},
		"others between": {
			"SELECT ';'; /* ; */ DROP TABLE `t;`; # x';\n" + table +
				"INSERT INTO nothing VALUES ('a;)', 0x, f(1));INSERT INTO t VALUES (1,'a');" +
				"CREATE TABLE o (other int);INSERT INTO o VALUES (4);",
			"t:4:1|a| o:4:4",
		},
		"two tables": {
			table + "CREATE TEMPORARY TABLE IF NOT EXISTS o (other int);REPLACE o VALUES (4) " +
				"ON DUPLICATE KEY UPDATE other=';';INSERT INTO t VALUES (1,'a');",
			"o:3:4 t:3:1|a|",
		},
		"copies": {
			"CREATE TABLE u LIKE t; CREATE TABLE v AS SELECT 1;" + insert + "(1,'a');",
			"t:3:1|a|",
		},
		"triggers": {
			table + "DELIMITER ;;\nCREATE TRIGGER x BEGIN\nINSERT INTO t VALUES (1,'no'); END ;;" +
				"\nINSERT INTO t VALUES (2,'no');;\nDELIMITER ;\nINSERT INTO t VALUES (3,'a');",
			"t:8:3|a|",
		},
		"comments": {
			table + "/*!40000 INSERT INTO t VALUES (1,'no') */;\n-- INSERT INTO t VALUES (2,2);" +
				"\n--\nINSERT /* x */ INTO t -- y\nVALUES # z\n(3 /* , */, 'a' /**/ );",
			"t:8:3|a|",
		},
		"latin1": {
			"/*!40101 SET NAMES latin1 */;" + insert + "(1,'\xfc \x80');", "t:3:1|ü €|",
		},
		"nothing said":  {insert + "(1,'\xfc'),(2,'ü');", "t:3:1|ü| t:3:2|ü|"},
		"utf8":          {"SET NAMES utf8mb4;" + insert + "(1,'ü😀');", "t:3:1|ü😀|"},
		"blank":         {"", ""},
		"only comments": {"-- a\n/* b */", ""},
		"a whole dump": {
			"-- MySQL dump 10.13\n" + insert + "(1,'a');\n-- Dump completed", "t:4:1|a|",
		},
		"a transaction": {"START TRANSACTION;" + insert + "(1,'a');COMMIT;", "t:3:1|a|"},
	} {
		for _, text := range []io.Reader{
			strings.NewReader(test.text), oneByOne{strings.NewReader(test.text)},
		} {
			rows, _, err := read(text)
			if got := strings.Join(rows, " "); err != nil || got != test.want {
				t.Errorf("%s: %v\n%q, want\n%q", name, err, got, test.want)
			}
		}
	}
}

// oneByOne reads byte by byte.
type oneByOne struct{ io.Reader }

func (r oneByOne) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

// What can't be read fails, with its line and what to do.
func TestBadDumps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a,b\n1,2\n":                "it is no SQL dump",
		insert + "(1,'a":            "line 3: a text has no end",
		insert + "(1,'a'),":         "line 3: the dump was cut off inside a statement",
		insert + "(1,'a')":          "line 3: the dump was cut off inside a statement",
		table + "\n/* x":            "line 4: a comment has no end",
		insert + "(1);":             "line 3: a row of table \"t\" has only 1 values",
		insert + "(1,2,3);":         "line 3: a row of table \"t\" has more than 2 values",
		insert + "(1,now());":       "is neither a text nor a number",
		insert + "(1,'a' 'b');":     "is neither a text nor a number",
		insert + "(1,);":            "a value of table \"t\" is missing",
		insert + "(1,`a`);":         "a value of table \"t\" is missing",
		insert + "(1,0x6);":         "wrong hexadecimal digits",
		insert + "1,2;":             "a row of table \"t\" was expected",
		insert + "(1,'a');" + table: "two tables \"t\"",

		table + "INSERT INTO t SELECT 1, 2;":     "has no VALUES",
		table + "INSERT INTO t (id) VALUES (1);": "the INSERT lacks columns",
		"SET NAMES gbk;" + insert + "(1,'a');":   "--default-character-set=utf8mb4",
		"-- MariaDB dump 10.19\n" + table:        "it lacks its last line",
		"START TRANSACTION;" + table:             "it lacks its COMMIT",
		"DELIMITER \nSELECT 1;":                  "a delimiter was expected",

		"CREATE TABLE x (" + strings.Repeat("a int,", 5000) + "b int);":   "more than 4096 columns",
		"INSERT INTO x (" + strings.Repeat("a,", 5000) + "b) VALUES (1);": "more than 4096 columns",
	} {
		_, _, err := read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100q: %v, want %q", text, err, want)
		}
	}
	failure := errors.New("the disk is broken")
	for _, before := range []string{"", table, insert + "(1,'a", "/*", "--"} {
		_, _, err := read(io.MultiReader(strings.NewReader(before), broken{failure}))
		if !errors.Is(err, failure) {
			t.Errorf("%q: %v", before, err)
		}
	}
}

type broken struct{ error }

func (b broken) Read([]byte) (int, error) { return 0, b.error }

// SET TIME_ZONE says what timestamps are in.
func TestInUTC(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"/*!40103 SET TIME_ZONE='+00:00' */;":                    true,
		"SET time_zone = \"+00:00\";":                            true,
		"SET @a=1, SESSION time_zone='UTC';":                     true,
		"SET TIME_ZONE='+02:00';":                                false,
		"SET @OLD_TIME_ZONE=@@TIME_ZONE;SET TIME_ZONE='+00:00';": true,
		"SET TIME_ZONE='+00:00';SET TIME_ZONE=@OLD_TIME_ZONE;":   true,
		"SELECT 'SET TIME_ZONE=''+00:00'''; ":                    false,
	} {
		if _, d, err := read(strings.NewReader(text)); err != nil || d.InUTC() != want {
			t.Errorf("%s: %v, %v", text, d.InUTC(), err)
		}
	}
}

// repeated is a text, n bytes of another one again and again, and a third.
func repeated(before, again string, n int64, after string) io.Reader {
	return io.MultiReader(strings.NewReader(before),
		io.LimitReader(&endless{text: bytes.Repeat([]byte(again), 1+(64<<10)/len(again))}, n),
		strings.NewReader(after))
}

type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// Memory is bounded whatever the dump has: of a value the first bytes are kept.
func TestMemory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	const size = 8 << 20
	for name, text := range map[string]io.Reader{
		"value":        repeated(insert+"(1,'", "x", size, "');"),
		"escapes":      repeated(insert+"(1,'", `\n`, size, "');"),
		"hex":          repeated(insert+"(1,0x", "61", size, ");"),
		"digits":       repeated(insert+"(1,1", "1", size, ");"),
		"unwanted":     repeated("INSERT INTO t (id,text,u) VALUES (1,'a','", "x", size, "');"),
		"unwanted hex": repeated("INSERT INTO t (id,text,u) VALUES (1,'a',0x", "61", size, ");"),
		"no end":       repeated(insert+"(1,'", "x", size, ""),
		"word":         repeated("", "x", size, ";"),
		"name":         repeated("CREATE TABLE `", "x", size, "` (a int);"),
		"column":       repeated("CREATE TABLE t (a int default '", "x", size, "');"),
		"brackets":     repeated("CREATE TABLE t (a int ", "(", size, ""),
		"blanks":       repeated("", " \n", size, ""),
		"comment":      repeated("/*!", "x", size, "*/;"),
		"line comment": repeated("-- ", "x", size, "\n"),
		"one line":     repeated(insert+"(1,'a')", ",(2,'b')", size/8*8, ";"),
		"delimiter":    repeated("DELIMITER ", "x", size, "\n"),
		"other":        repeated("INSERT INTO wp VALUES (1,'", "x", size, "');"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := sqldump.New(text, pairs)
		rows := 0
		err := d.Each(func(r *sqldump.Row) error {
			rows++
			return nil
		})
		runtime.ReadMemStats(&after)
		taken := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %d rows, %v, %d KiB", name, rows, err, taken>>10)
		if taken > size/8 {
			t.Errorf("%s takes %d KiB", name, taken>>10)
		}
	}
}
