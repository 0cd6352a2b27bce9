// A link's properties in words.
import { count, dateTime, plural } from "./format.js";

const at = (time) => dateTime(new Date(time));

// endings returns when and how a link begins and ends: [{text, title}].
export function endings(
  { starts_at: starts, expires_at: ends, max_clicks: most, clicks_left: left },
  now = Date.now(),
) {
  return [
    starts && (Date.parse(starts) > now ? `Starts ${at(starts)}` : ""),
    ends && `${Date.parse(ends) > now ? "Ends" : "Ended"} ${at(ends)}`,
    most &&
      (left === undefined
        ? `Ends after ${plural(most, "click", "clicks")}`
        : `${count(left)} of ${plural(most, "click", "clicks")} left`),
  ].filter(Boolean);
}

// clicksOf returns a link's clicks: people's, unless bots are counted, too. With a period they are
// those of the period that sorts its list.
export const clicksOf = (link, bots, period = "") =>
  (bots
    ? period
      ? link.period_clicks
      : link.click_count
    : period
      ? link.period_people
      : link.people) ?? 0;

// comingEnd returns what will end a link, "" if nothing will.
export const comingEnd = ({ expires_at: ends, max_clicks: most, clicks_left: left }) =>
  endings({ expires_at: ends, max_clicks: most, clicks_left: left }).join(" · ");

const redirects = {
  301: "Permanent redirect (301)",
  302: "Redirect 302",
  307: "Redirect 307",
  308: "Permanent redirect (308)",
};

// extras returns a link's other properties that visitors notice.
export function extras(link) {
  return [
    link.password && "Password",
    link.redirect_status && redirects[link.redirect_status],
    link.forward_query && "Forwards the query",
    link.forward_path && "Forwards the path",
  ].filter(Boolean);
}
