// Operations on many links at once, through the API's bulk requests.
import { request } from "./api.js";
import { of } from "./me.js";
import { sleep } from "./transport.js";

const maxBusyAnswers = 5; // more "too busy" answers are an error

// operate sends operations to the server, in order. If the server takes fewer at a time, because of
// its limits or their size, it sends them in parts. onPart gets the results of each part, because
// operations done before an error stay done. If the server refuses requests, operate retries as
// soon as allowed; onPause gets the seconds, and 0 at the end. owner is whose links they may reach.
export async function operate(
  operations,
  onPart,
  { signal, onPause = () => {}, outlastsSession, owner = "" } = {},
) {
  let size = operations.length,
    busy = 0;
  for (let done = 0; done < operations.length;) {
    const part = operations.slice(done, done + size);
    try {
      const { results } = await request("POST", of("/api/bulk", owner), {
        body: { operations: part },
        outlastsSession,
      });
      signal?.throwIfAborted();
      done += part.length;
      onPart(results);
    } catch (error) {
      if (error.status === 413 && part.length > 1) {
        size = Math.ceil(part.length / 2);
      } else if (error.status === 429 || (error.status === 503 && busy++ < maxBusyAnswers)) {
        signal?.throwIfAborted();
        const pause = error.retryAfter ?? 10;
        onPause(pause);
        await sleep(1000 * pause, signal);
        onPause(0);
      } else {
        throw error;
      }
    }
  }
}
