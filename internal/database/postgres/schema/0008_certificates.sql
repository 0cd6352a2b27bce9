-- What certificates by ACME need, as files would have it: private keys, too. It stays on one server
-- with Citus: there are few rows, and no link has any.
CREATE TABLE certificates (
    name    text COLLATE "C" PRIMARY KEY,
    value   bytea NOT NULL,
    version bigint NOT NULL -- another one after each change
);
