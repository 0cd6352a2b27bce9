-- What is known of clicks, and who may see it.

-- The shares of links. One is looked up by its SHA-256, so that how long that takes tells nothing
-- of the share.
CREATE TABLE shares (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    share   bytea NOT NULL,
    hash    bytea NOT NULL UNIQUE,
    PRIMARY KEY (code, link_id)
);

-- How often the link's clicks were cleared: those of earlier eras count for all links only.
ALTER TABLE link_clicks ADD COLUMN era integer NOT NULL DEFAULT 0;

-- The codes without a link that were asked for most, as terse.UnknownCodes writes them.
CREATE TABLE unknown_codes (
    day   integer NOT NULL,               -- UTC, since 1970
    node  text COLLATE "C" NOT NULL,      -- that counted them: the ID of its journal
    codes bytea NOT NULL,
    PRIMARY KEY (day, node)
);

-- The counts of single clicks that are gone, as click_days has them of those that are there.
CREATE TABLE dropped_days (
    code    text COLLATE "C" NOT NULL,
    link_id bigint NOT NULL,
    day     integer NOT NULL,
    last    bigint NOT NULL, -- the time of the last of these clicks
    counts  bytea NOT NULL,
    PRIMARY KEY (code, link_id, day)
);

ALTER TABLE dropped_days SET (toast_tuple_target = 8160);
ALTER TABLE dropped_days ALTER COLUMN counts SET STORAGE EXTERNAL;
