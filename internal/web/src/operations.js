// Operations on many links at once, as the API's bulk requests have them.
import { request } from "./api.js";
import { sleep } from "./transport.js";

const mostBusy = 5; // times that a server says so before that is an error

// operate has the server do operations in their order. Where it takes fewer at once, by its limits
// or by their size, it gets them in parts. onPart gets the results of each part, because what was
// done before an error stays done. A server that wants no requests is asked again as soon as it
// says; onPause gets the seconds, and 0 at their end.
export async function operate(operations, onPart,
  { signal, onPause = () => {}, outlastsSession } = {}) {
  let size = operations.length, busy = 0;
  for (let done = 0; done < operations.length;) {
    const part = operations.slice(done, done + size);
    try {
      const { results } = await request("POST", "/api/bulk",
        { body: { operations: part }, outlastsSession });
      signal?.throwIfAborted();
      done += part.length;
      onPart(results);
    } catch (error) {
      if (error.status === 413 && part.length > 1) {
        size = Math.ceil(part.length / 2);
      } else if (error.status === 429 || (error.status === 503 && busy++ < mostBusy)) {
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
