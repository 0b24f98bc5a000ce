import type { Described } from './described.ts';
import { ApiError, ConnectionError, ContractError } from './errors.ts';

const ATTEMPTS = 4;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 20_000;
const PASSING = new Set([502, 503, 504]);
/** Codes of such a status that last until somebody sets the service up. */
const LASTING = new Set([
  'provider_not_configured',
  'store_not_configured',
  'secret_storage_unavailable',
]);

type Batch = { events?: { id?: unknown }[] };

/** True when doing it twice is the same as doing it once. */
export function isRepeatable(operation: Described, body: unknown): boolean {
  if (operation.method === 'GET') return true;
  // The service stores an event with an id once, however often it arrives.
  const batch = operation.path === '/v1/events' ? (body as Batch | undefined) : undefined;
  return batch?.events?.every((event) => typeof event.id === 'string') ?? false;
}

/** Milliseconds to wait before the next attempt; null when there is to be none. */
function waitAfter(error: unknown, repeatable: boolean, attempt: number): number | null {
  if (attempt >= ATTEMPTS) return null;
  const growing = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return repeatable ? growing : null;
  const answered = error instanceof ApiError || error instanceof ContractError;
  if (!answered || (error instanceof ApiError && LASTING.has(error.code))) return null;
  // 429 is said before anything is done, so any request can be sent again.
  if (error.status !== 429 && !(repeatable && PASSING.has(error.status))) return null;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked > LONGEST_WAIT_MS ? null : Math.max(asked, growing);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new ConnectionError('The request was aborted.', { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Does `work` until it succeeds or must not be done again. */
export async function withRetries<T>(
  work: () => Promise<T>,
  repeatable: boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const wait = signal?.aborted ? null : waitAfter(error, repeatable, attempt);
      if (wait === null) throw error;
      await pause(wait, signal);
    }
  }
}
