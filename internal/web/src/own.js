// The source of clicks for a signed-in user, see clicks.js.
import { request } from "./api.js";
import { urlOf } from "./format.js";
import { of } from "./me.js";

// fileOf returns the address of a file.
export const own = (name, clicks, owner = "") => ({
  name,
  clicks,
  owner,
  get: (path, options) => request("GET", of(path, owner), options),
  fileOf: (path) => urlOf(of(path, owner)),
  pause: 2000,
});
