import { afterAll } from 'bun:test';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from './pause.ts';

export const FAULTS = [
  'error',
  'busy',
  'dropped',
  'answer lost',
  'half a body',
  'half an answer',
  'another ETag',
  'slow',
  'silent',
] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_MS = 3_000;

export type BadBucket = {
  url: string;
  /** Of each call, with that chance, until the next word. */
  spoil: (fault: Fault, chance: number) => void;
  mend: () => void;
  /** Calls spoilt so far. */
  spoilt: () => number;
};

const bodyOf = async (message: IncomingMessage): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(message));

/** Before a bucket of this machine; signatures name the host that the client asked. */
export async function badBucket(endpoint: string, random: () => number): Promise<BadBucket> {
  const { hostname, port } = new URL(endpoint);
  let now: { fault: Fault; chance: number } | null = null;
  let spoilt = 0;

  const forward = ({ method, url, headers }: IncomingMessage, body: Buffer) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ hostname, port, method, path: url, headers, agent: false }, resolve);
      asked.on('error', reject);
      asked.end(body);
    });

  const refuse = (response: ServerResponse, status: number, code: string) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>Not now.</Message></Error>`);
  };

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const fault = now && random() < now.chance ? now.fault : null;
    if (fault) spoilt += 1;
    if (fault === 'error') return refuse(response, 500, 'InternalError');
    if (fault === 'busy') return refuse(response, 503, 'SlowDown');
    if (fault === 'silent') return;
    if (fault === 'dropped') return void response.destroy();
    if (fault === 'half a body') {
      const cut = forward(incoming, body.subarray(0, body.length >> 1)).catch(() => null);
      setTimeout(() => response.destroy(), 100);
      return void (await cut);
    }
    if (fault === 'slow') await pause(SLOW_MS, 'a slow bucket');
    const given = await forward(incoming, body);
    const content = await bodyOf(given);
    if (fault === 'answer lost') return void response.destroy();
    const headers = { ...given.headers };
    if (fault === 'another ETag') headers.etag = '"00000000000000000000000000000000"';
    response.writeHead(given.statusCode ?? 500, headers);
    if (fault !== 'half an answer') return void response.end(content);
    response.write(content.subarray(0, content.length >> 1), () => response.destroy());
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    spoil: (fault, chance) => {
      now = { fault, chance };
    },
    mend: () => {
      now = null;
    },
    spoilt: () => spoilt,
  };
}
