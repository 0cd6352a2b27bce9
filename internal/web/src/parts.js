// Dialogs and forms that are loaded when somebody opens one.
import { html } from "./html.js";
import { lazy, part } from "./lazy.js";

const edit = part(() => import("./edit.js"));

export const EditLink = lazy(edit, "EditLink");
export const LinkForm = lazy(edit, "LinkForm");
export const form = edit; // for callers that make requests from a form
export const table = part(() => import("./batch.js"));
export const Batch = lazy(table, "Batch");
export const QR = lazy(
  part(() => import("./qr.js")),
  "QR",
);
export const Selection = lazy(
  part(() => import("./selected.js")),
  "Selection",
);
export const changes = part(() => import("./changes.js"));
export const Give = lazy(
  part(() => import("./give.js")),
  "Give",
);
export const TagDialog = lazy(
  part(() => import("./tagdialog.js")),
  "TagDialog",
);
const popovers = part(() => import("./filterpopovers.js"));
export const OwnerPopover = lazy(popovers, "OwnerPopover");
export const TagPopover = lazy(popovers, "TagPopover");
export const UnusedPopover = lazy(popovers, "UnusedPopover");
export const FilterSheet = lazy(
  part(() => import("./filtersheet.js")),
  "FilterSheet",
);
export const Sharing = lazy(
  part(() => import("./sharing.js")),
  "Sharing",
);
export const Webhooks = lazy(
  part(() => import("./webhooks.js")),
  "Webhooks",
);
export const Help = lazy(
  part(() => import("./help.js")),
  "Help",
);
export const DayField = lazy(
  part(() => import("./datefield.js")),
  "DayField",
  () => html`<span class="date-field"><span class="field"></span></span>`,
);
