import { isRecord } from '../shared/record.ts';

function keyIn(sent: unknown, names: readonly string[]): string | undefined {
  if (!isRecord(sent)) return undefined;
  for (const name of names) {
    const key = sent[name];
    if (typeof key === 'string' && key !== '') return key;
  }
  return keyIn(sent.properties, names);
}

/** Of clients that put their key into the JSON: the body, its first message, or its properties. */
export const keyInBody =
  (...names: readonly string[]) =>
  (_headers: Headers, json: () => unknown): string | undefined => {
    try {
      const sent = json();
      return keyIn(Array.isArray(sent) ? sent[0] : sent, names);
    } catch {
      return undefined;
    }
  };

export const POSTHOG_KEY = ['api_key', 'token', '$token'] as const;
