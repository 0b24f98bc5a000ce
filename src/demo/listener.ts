import { Type } from '@sinclair/typebox';
import { OneOf, parser } from '../shared/schema.ts';
import { printable } from '../shared/text.ts';

const { check } = parser(
  Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) }),
  'webhook',
);

const message = parser(
  Type.Object({ type: OneOf(['digest', 'messages', 'test']), text: Type.String() }),
  'message',
);

/** The lines of what is told to people, or one line of a webhook. */
function described(body: string): string[] {
  const received: unknown = JSON.parse(body);
  if (!message.check(received)) return [`webhook  ${ofWebhook(received, body)}`];
  const [first = '', ...lines] = received.text.split('\n').filter((line) => line !== '');
  return [`${received.type.padEnd(8)} ${first}`, ...lines.map((line) => `         ${line}`)];
}

function ofWebhook(webhook: unknown, body: string): string {
  if (!check(webhook)) return body;
  const data = Object.entries(webhook.data).map(([name, value]) => `${name} ${String(value)}`);
  return `${webhook.type}  ${data.join(', ')}`;
}

export type Listener = {
  /** `host:port` by which the worker reaches it. */
  address: string;
  received: () => number;
  stop: () => Promise<void>;
};

/** Where a worker on another host, or in another container, finds the listener; null on this one. */
export type Listening = { host: string; port: number } | null;

/** Receives what the demo's organization is told, and prints it. */
export function startListener(say: (text: string) => void, listening: Listening = null): Listener {
  let received = 0;
  const server = Bun.serve({
    hostname: listening ? '0.0.0.0' : '127.0.0.1',
    port: listening?.port ?? 0,
    maxRequestBodySize: 128 * 1024,
    fetch: async (request) => {
      const body = await request.text();
      received += 1;
      for (const line of described(body)) say(`  ${printable(line)}`);
      return new Response(null, { status: 204 });
    },
  });
  return {
    address: `${listening?.host ?? '127.0.0.1'}:${server.port}`,
    received: () => received,
    stop: () => server.stop(true),
  };
}
