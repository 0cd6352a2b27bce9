-- Lists of all owners. Nearly all installations have links of 'authenticated-user' only. The links
-- of all others are in link_ranges and link_sets once more, together, under the owner '*', so that
-- lists of all owners read the rows of two and not of thousands. Nobody is called so.

CREATE INDEX links_of_others ON links (created_at DESC, id DESC)
    WHERE created_by <> 'authenticated-user';

INSERT INTO link_ranges (owner, id_range, slot, links, first, last)
    SELECT '*', id_range, 0, sum(links), min(first), max(last) FROM link_ranges
    WHERE owner <> 'authenticated-user' GROUP BY id_range HAVING sum(links) > 0;

INSERT INTO link_sets (owner, name, id_range, links)
    SELECT '*', name, id_range, bit_or(links) FROM link_sets
    WHERE owner <> 'authenticated-user' GROUP BY name, id_range;
