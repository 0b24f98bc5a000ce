import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventBatch } from '../../../src/modules/events/model.ts';
import { parser } from '../../../src/shared/schema.ts';

export type ServerAnswer = number | 'cut' | 'lost' | 'hold' | 'garbage';

type Received = { ids: string[]; names: string[]; batch: EventBatch; answer: ServerAnswer };

const batchParser = parser(EventBatch, 'batch');
const MAX_BODY_BYTES = 64 * 1024;

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type, x-service-key',
  'access-control-max-age': '86400',
  'access-control-expose-headers': 'retry-after',
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** What is wrong with a request, by the letter of the contract. */
function fault(request: IncomingMessage, body: string): string | null {
  if (request.method !== 'POST' || request.url !== '/v1/events') return 'wrong route';
  if (request.headers['content-type'] !== 'application/json') return 'wrong media type';
  if (request.headers['x-service-key'] !== 'svp_test') return 'wrong key';
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) return 'too large';
  try {
    batchParser.parse(JSON.parse(body));
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Takes batches as the service does, strictly, and misbehaves on request. */
export async function startIngestServer() {
  const received: Received[] = [];
  const faults: string[] = [];
  const answers: ServerAnswer[] = [];
  const held: ServerResponse[] = [];
  const waiting = new Set<() => void>();
  let preflights = 0;

  async function take(request: IncomingMessage, response: ServerResponse) {
    const answer = answers.shift() ?? 202;
    if (answer === 'cut') return request.socket.destroy();
    const body = await bodyOf(request);
    const wrong = fault(request, body);
    if (wrong) {
      faults.push(wrong);
      return response.writeHead(400, CORS).end('{}');
    }
    const batch = batchParser.parse(JSON.parse(body));
    received.push({
      ids: batch.events.map(({ id }) => id ?? ''),
      names: batch.events.map(({ name }) => name),
      batch,
      answer,
    });
    for (const check of waiting) check();
    if (answer === 'lost') return request.socket.destroy();
    if (answer === 'hold') return held.push(response);
    if (answer === 'garbage') return request.socket.end('\u0000\u0001 not HTTP at all\r\n\r\n');
    return response.writeHead(answer, CORS).end(JSON.stringify({ accepted: batch.events.length }));
  }

  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      preflights += 1;
      response.writeHead(204, CORS).end();
    } else {
      // A client that is killed in the middle of a request has sent nothing.
      take(request, response).catch((error: unknown) => {
        if (request.complete) throw error;
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    faults,
    answers,
    preflights: () => preflights,
    /** Ids of batches that were stored, in order of arrival. */
    storedIds: () => received.filter(({ answer }) => answer !== 503).flatMap(({ ids }) => ids),
    names: () => received.flatMap(({ names }) => names),
    /** Settles once what has been received fits. */
    until: (fits: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!fits()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    stop: () => {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

export type IngestServer = Awaited<ReturnType<typeof startIngestServer>>;
