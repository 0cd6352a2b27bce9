-- What counting has to know of links. On Citus these are small tables of the coordinator.

-- The numbers of owners, from 1 on.
CREATE TABLE owner_numbers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner  text COLLATE "C" NOT NULL UNIQUE
);

-- The links that were deleted, and those that got another code or owner, as the transaction says
-- that did it. Numbers are in the order of commits: who counts next gives them. A row goes when it
-- is applied and a day old, but the newest stays, so that there always is one.
CREATE TABLE tombstones (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    link_id bigint NOT NULL,
    code    text COLLATE "C" NOT NULL,
    deleted boolean NOT NULL, -- false: the link has another code or owner
    applied boolean NOT NULL, -- whether the rows of the deleted link are gone
    number  bigint UNIQUE,    -- NULL: to be given
    random  bigint,           -- another one, had it been given at another time
    at      bigint            -- when it was given, in microseconds since 1970
);
CREATE INDEX tombstones_by_link ON tombstones (link_id);
CREATE INDEX tombstones_to_number ON tombstones (id) WHERE number IS NULL;
CREATE INDEX tombstones_to_apply ON tombstones (number) WHERE NOT applied;
INSERT INTO tombstones (link_id, code, deleted, applied, number, random, at)
    VALUES (0, '', false, true, 1, (random() * 9e18)::bigint,
        (extract(epoch FROM now()) * 1e6)::bigint);
