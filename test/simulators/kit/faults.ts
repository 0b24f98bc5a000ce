import type { ServerResponse } from 'node:http';

/** How a simulator misbehaves, once for each fault that was asked for. */
export type Fault =
  /** Any status with any body; nothing has been done. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  /** An error, although the request has been carried out. */
  | { kind: 'status_after'; status: number; body?: string }
  /** The request is carried out, then the connection stays silent until the client gives up. */
  | { kind: 'silent_after' }
  /** Silent, and nothing has been done. */
  | { kind: 'silent' }
  /** Carried out; the answer breaks off in its middle. */
  | { kind: 'cut' }
  /** The connection is closed without a byte; nothing has been done. */
  | { kind: 'hang_up' }
  /** Carried out, but the 200's body is something else. */
  | { kind: 'body'; body: string; contentType?: string };

export const HTML_500: Fault = {
  kind: 'status',
  status: 500,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>502 Bad Gateway</title></head><body>cloud</body></html>',
};

export type FaultBook = {
  /** The next `times` requests whose `METHOD /path` matches misbehave. */
  next(fault: Fault, options?: { times?: number; match?: RegExp }): void;
  take(route: string): Fault | undefined;
  clear(): void;
};

export function createFaultBook(): FaultBook {
  let pending: { fault: Fault; left: number; match: RegExp }[] = [];
  return {
    next(fault, { times = 1, match = /./ } = {}) {
      pending.push({ fault, left: times, match });
    },
    take(route) {
      const entry = pending.find((candidate) => candidate.match.test(route));
      if (!entry) return undefined;
      entry.left -= 1;
      if (entry.left === 0) pending = pending.filter((candidate) => candidate !== entry);
      return entry.fault;
    },
    clear() {
      pending = [];
    },
  };
}

/** Sends the first half under the length of the whole, then drops the connection. */
export function sendCut(response: ServerResponse, body: string): void {
  const bytes = Buffer.from(body.length < 2 ? '{"truncated":true}' : body);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    response.socket?.destroy();
  });
}
