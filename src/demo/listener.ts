import { Type } from '@sinclair/typebox';
import { parser } from '../shared/schema.ts';
import { printable } from '../shared/text.ts';

const { check } = parser(
  Type.Object({ type: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) }),
  'webhook',
);

function described(body: string): string {
  const webhook: unknown = JSON.parse(body);
  if (!check(webhook)) return body;
  const data = Object.entries(webhook.data).map(([name, value]) => `${name} ${String(value)}`);
  return `${webhook.type}  ${data.join(', ')}`;
}

export type Listener = {
  /** `host:port` on this host. */
  address: string;
  received: () => number;
  stop: () => Promise<void>;
};

/** Receives the webhooks of the demo on this host and prints each. */
export function startListener(say: (text: string) => void): Listener {
  let received = 0;
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: 128 * 1024,
    fetch: async (request) => {
      const body = await request.text();
      received += 1;
      say(`  webhook  ${printable(described(body))}`);
      return new Response(null, { status: 204 });
    },
  });
  return {
    address: `127.0.0.1:${server.port}`,
    received: () => received,
    stop: () => server.stop(true),
  };
}
