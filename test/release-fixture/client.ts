import type { Headers as Sent } from './facts.ts';

export type Answer = { status: number; headers: Headers; body: any };

export type Client = {
  /** Throws for what is not a success. */
  call: (method: string, path: string, headers: Sent, body?: unknown) => Promise<Answer>;
};

/** The public API of a running service. */
export function clientOf(url: string, limitMs = 600_000): Client {
  return {
    call: async (method, path, headers, body) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limitMs),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson ? JSON.parse(text) : text,
      };
    },
  };
}
