// Parts of the statistics that are loaded on demand.
import { lazy, part } from "./lazy.js";

const all = part(() => import("./allvalues.js"));
const files = part(() => import("./export.js"));

export const AllValues = lazy(all, "AllValues");
export const ExportMenu = lazy(files, "ExportMenu");
export const exportPanel = async (...of) => (await files()).exportPanel(...of);
