import { isRecord } from './record.ts';

function keyIn(sent: unknown, names: readonly string[]): string | undefined {
  for (let fields = sent; isRecord(fields); fields = fields.properties) {
    for (const name of names) {
      const key = fields[name];
      if (typeof key === 'string' && key !== '') return key;
    }
  }
  return undefined;
}

/** In the body, its first message, or its properties. */
export const keyInBody = (...names: readonly string[]) => ({
  inBody: (sent: unknown) => keyIn(Array.isArray(sent) ? sent[0] : sent, names),
});

export const POSTHOG_KEY = ['api_key', 'token', '$token'] as const;
