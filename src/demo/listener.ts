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

function describe(body: string): string[] {
  const received: unknown = JSON.parse(body);
  if (!message.check(received)) return [`webhook  ${describeWebhook(received, body)}`];
  const [first = '', ...lines] = received.text.split('\n').filter((line) => line !== '');
  return [`${received.type.padEnd(8)} ${first}`, ...lines.map((line) => `         ${line}`)];
}

function describeWebhook(webhook: unknown, body: string): string {
  if (!check(webhook)) return body;
  const data = Object.entries(webhook.data).map(([name, value]) => `${name} ${String(value)}`);
  return `${webhook.type}  ${data.join(', ')}`;
}

export type Listener = {
  address: string;
  received: () => number;
  stop: () => Promise<void>;
};

export type ListenAt = { host: string; port: number } | null;

const LOOPBACK = '127.0.0.1';

export function startListener(
  say: (text: string) => void,
  { listen = null, usualPort = 0 }: { listen?: ListenAt; usualPort?: number } = {},
): Listener {
  let received = 0;
  const host = listen?.host ?? LOOPBACK;
  const server = Bun.serve({
    hostname: host === LOOPBACK ? LOOPBACK : '0.0.0.0',
    port: listen?.port ?? usualPort,
    maxRequestBodySize: 128 * 1024,
    fetch: async (request) => {
      const body = await request.text();
      received += 1;
      for (const line of describe(body)) say(`  ${printable(line)}`);
      return new Response(null, { status: 204 });
    },
  });
  return {
    address: `${host}:${server.port}`,
    received: () => received,
    stop: () => server.stop(true),
  };
}
