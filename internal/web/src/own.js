// The source of clicks for a signed-in user, see clicks.js.
import { request } from "./api.js";

export const own = (name, clicks) => ({
  name,
  clicks,
  get: (path, options) => request("GET", path, options),
  pause: 2000,
});
