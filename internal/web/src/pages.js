// The pages of clicks, loaded together.
export { LinkPage } from "./link.js";
export { Overview } from "./overview.js";
export { Unknown } from "./unknown.js";
