import type { AskError, AskOptions } from './ask-types.ts';
import { optionsFault } from './settings.ts';

export type Ask = (
  path: string,
  query: Record<string, string | null | undefined>,
  body?: object,
) => Promise<unknown>;

const queryOf = (query: Parameters<Ask>[1]): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
    .join('&');

/** Rejects after the time; `fetch` in React Native knows no `AbortSignal.timeout`. */
export async function inTime<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(new Error('timeout'));
    }, ms);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What nobody listens for and no retry mends is said once on the console. */
export function createReporter(onError: AskOptions['onError']): (error: AskError) => void {
  let isSaid = false;
  return (error) => {
    try {
      if (onError) onError(error);
      else if (!isSaid && error.code !== 'no_answer') {
        isSaid = true;
        // biome-ignore lint/suspicious/noConsole: a wrong set-up would be silent otherwise.
        console.warn(`control-plane: ${error.code} ${error.message}`);
      }
    } catch {
      // The host's own callback failed; the host must not notice through us.
    }
  };
}

/** Asks the service as a shipped app. Undefined where there is no answer in time. Never rejects. */
export function createAsk(options: AskOptions): Ask {
  const report = createReporter(options?.onError);
  const fault = optionsFault(options);
  if (fault) {
    report({ code: 'invalid_options', message: fault });
    return () => Promise.resolve(undefined);
  }
  const base = options.url.replace(/\/+$/, '');
  return async (path, query, body) => {
    try {
      return await inTime(options.timeoutMs ?? 2_000, async (signal) => {
        const answer = await fetch(`${base}${path}?${queryOf(query)}`, {
          method: body ? 'POST' : 'GET',
          headers: {
            'x-service-key': options.key.trim(),
            ...(body && { 'content-type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
          credentials: 'omit',
          redirect: 'error',
          signal,
        });
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text);
        report({
          code: answer.status < 500 && answer.status !== 429 ? 'refused' : 'no_answer',
          message: `${answer.status} ${text.slice(0, 500)}`,
          status: answer.status,
        });
        return undefined;
      });
    } catch (error) {
      report({ code: 'no_answer', message: String(error) });
      return undefined;
    }
  };
}

/** The answer where it is an object with these fields: a captive portal's page has none of them. */
export function withFields<T extends object>(
  answer: unknown,
  ...fields: (keyof T & string)[]
): answer is T {
  return typeof answer === 'object' && answer !== null && fields.every((field) => field in answer);
}
