import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaultBook, type Fault, type FaultBook, sendCut } from './faults.ts';

export type SimulatorRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** The body as JSON; undefined when it is empty or none. */
  json: unknown;
};

export type SimulatorAnswer = {
  status: number;
  json?: unknown;
  text?: string;
  bytes?: Uint8Array;
  /** Wait before the answer is sent: a slow service. */
  delayMs?: number;
  /** Called when the request is over, however it ended. */
  done?: () => void;
  /** Called when the whole answer was handed over, none of the faults. */
  delivered?: () => void;
  headers?: Record<string, string>;
};

export type Simulator = {
  url: string;
  /** Every request in its order, `METHOD /path?query`. */
  requests: string[];
  /** What a client sent that the real service would not understand; tests expect none. */
  violations: string[];
  faults: FaultBook;
  stop(): Promise<void>;
};

type Handle = (
  request: SimulatorRequest,
  violate: (what: string) => SimulatorAnswer,
) => SimulatorAnswer;

/** A server on a free port that answers with `handle` and misbehaves on request. */
export async function startSimulator(handle: Handle): Promise<Simulator> {
  const requests: string[] = [];
  const violations: string[] = [];
  const faults = createFaultBook();
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming).catch((error: unknown) => {
      if (incoming.complete) throw error;
      return null;
    });
    // A client that is killed in the middle of a request has sent nothing.
    if (!request) return;
    requests.push(`${request.method} ${incoming.url}`);
    const answer = (): SimulatorAnswer =>
      handle(request, (what) => {
        violations.push(`${request.method} ${request.path}: ${what}`);
        return { status: 400, json: { error: what, message: what } };
      });
    const fault = faults.take(`${request.method} ${request.path}`);
    if (fault) misbehave(fault, answer, response);
    else sendInTime(response, answer());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    violations,
    faults,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function misbehave(fault: Fault, answer: () => SimulatorAnswer, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, fault.headers);
      response.end(fault.body ?? '');
      return;
    case 'status_after':
      answer().done?.();
      response.writeHead(fault.status);
      response.end(fault.body ?? '');
      return;
    case 'silent':
      return;
    case 'silent_after':
      answer().done?.();
      return;
    case 'hang_up':
      response.socket?.destroy();
      return;
    case 'cut': {
      const { json, text, done } = answer();
      done?.();
      sendCut(response, text ?? JSON.stringify(json ?? null));
      return;
    }
    case 'body':
      answer().done?.();
      response.writeHead(200, { 'content-type': fault.contentType ?? 'application/json' });
      response.end(fault.body);
  }
}

function sendInTime(response: ServerResponse, answer: SimulatorAnswer): void {
  const deliver = () => {
    send(response, answer);
    answer.done?.();
    answer.delivered?.();
  };
  if (answer.delayMs === undefined) deliver();
  else setTimeout(deliver, answer.delayMs);
}

function send(response: ServerResponse, answer: SimulatorAnswer): void {
  const isJson = answer.json !== undefined;
  response.writeHead(answer.status, {
    'content-type': isJson ? 'application/json' : 'text/html; charset=utf-8',
    ...answer.headers,
  });
  response.end(isJson ? JSON.stringify(answer.json) : (answer.bytes ?? answer.text ?? ''));
}

async function readRequest(incoming: IncomingMessage): Promise<SimulatorRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const url = new URL(incoming.url ?? '/', 'http://simulator');
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
    json: parseJson(body),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
