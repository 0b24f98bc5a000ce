import type { Answer, Host } from './host.ts';
import { type Settings, text } from './settings.ts';
import type { ServerReason } from './types.ts';

const TIMEOUT_MS = 30_000;
/** Bodies up to this size outlive the page also when it is in sight; the browser allows 64 KB in all. */
const SMALL_BYTES = 16_000;

export interface Outcome {
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** Why there was none, in the words of the engine. */
  failure?: string;
  /** Milliseconds that the server wants to be left alone. */
  retryAfterMs: number;
  /** Why the service did not take it, where it says so. */
  server?: ServerReason;
}

function retryAfter(answer: Answer, now: number): number {
  const value = answer.headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Math.min(Math.max(ms || 0, 0), 86_400_000);
}

async function reasonOf(answer: Answer): Promise<ServerReason | undefined> {
  const { error } = JSON.parse((await answer.text?.()) ?? '');
  const [code, message, hint] = [error.code, error.message, error.hint].map((one) =>
    text(one, 500),
  );
  return code && message ? { code, message, ...(hint && { hint }) } : undefined;
}

/** Posts one batch; never rejects. `abort` cuts it short. */
export function createSender(settings: Settings, host: Host) {
  let controller = new AbortController();
  // The browser refuses keepalive when the host's own requests have used up its 64 KB.
  let refused = false;
  const abort = () => controller.abort();

  async function send(body: string, bytes: number): Promise<Outcome> {
    controller = new AbortController();
    let clear = () => {};
    const late = new Promise<never>((_, reject) => {
      clear = host.timer(() => {
        abort();
        reject(new Error('timeout'));
      }, TIMEOUT_MS);
    });
    try {
      const answer = await Promise.race([
        host.fetch(settings.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-service-key': settings.key },
          body,
          keepalive: host.hidden() || (bytes < SMALL_BYTES && !refused),
          credentials: 'omit',
          redirect: 'error',
          signal: controller.signal,
        }),
        late,
      ]);
      refused = false;
      // The status stands, whatever becomes of the rest of the answer.
      const server = await Promise.race([reasonOf(answer), late]).catch(() => undefined);
      const retryAfterMs = retryAfter(answer, host.now());
      return { status: answer.status, retryAfterMs, ...(server && { server }) };
    } catch (error) {
      refused = true;
      return { status: 0, retryAfterMs: 0, failure: String(error).slice(0, 500) };
    } finally {
      clear();
    }
  }

  return { send, abort };
}
