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
