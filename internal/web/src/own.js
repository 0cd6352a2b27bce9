// The source of clicks of who is signed in, see clicks.js.
import { request } from "./api.js";

export const own = (name, clicks) =>
  ({ name, clicks, get: (path, options) => request("GET", path, options), pause: 2000 });
