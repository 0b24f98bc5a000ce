import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { must } from '../../../src/shared/assert.ts';
import { sleep } from '../../../src/shared/time.ts';

/** The same numbers for the same seed (mulberry32), so that a failure can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const MOODS = [
  'fine',
  'fine',
  'fine',
  'cut',
  'lost',
  'busy',
  'broken',
  'large',
  'slow',
  'garbage',
] as const;
type Mood = (typeof MOODS)[number];

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** An answer is lost first, then each mood comes once in ten requests: how many come is chance. */
function moodsOf(random: () => number): () => Mood {
  const dealt: Mood[] = ['lost'];
  return () => {
    if (dealt.length === 0) {
      const deck = MOODS.map((mood) => ({ mood, place: random() }));
      dealt.push(...deck.toSorted((a, b) => a.place - b.place).map(({ mood }) => mood));
    }
    return must(dealt.pop(), 'a deck was dealt');
  };
}

/** Stands before the service and fails in every way a network and a server can. */
export async function startChaosProxy(target: string, random: () => number) {
  const counts: Record<string, number> = {};
  const nextMood = moodsOf(random);
  let healthy = false;

  async function forward(request: IncomingMessage, body: Buffer) {
    return fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: {
        'content-type': String(request.headers['content-type']),
        'x-service-key': String(request.headers['x-service-key']),
      },
      body,
    });
  }
  function moodFor(body: Buffer): Mood {
    if (healthy) return 'fine';
    const mood = nextMood();
    // A single event that is too large would rightly be dropped.
    return mood === 'large' && JSON.parse(body.toString()).events.length === 1 ? 'fine' : mood;
  }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await bodyOf(request);
    const mood = moodFor(body);
    counts[mood] = (counts[mood] ?? 0) + 1;
    if (mood === 'cut') return request.socket.destroy();
    if (mood === 'busy') return response.writeHead(429, { 'retry-after': '0' }).end('{}');
    if (mood === 'broken') return response.writeHead(random() < 0.5 ? 500 : 503).end('oops');
    if (mood === 'large') return response.writeHead(413).end('{}');
    if (mood === 'garbage') return request.socket.end('\u0000 not HTTP \u0001\r\n\r\n');
    if (mood === 'slow') await sleep(random() * 120);
    const taken = await forward(request, body);
    const text = await taken.text();
    counts[`status ${taken.status}`] = (counts[`status ${taken.status}`] ?? 0) + 1;
    if (mood === 'lost') return request.socket.destroy();
    return response.writeHead(taken.status, { 'content-type': 'application/json' }).end(text);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    heal: () => {
      healthy = true;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
