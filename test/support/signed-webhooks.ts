import { Webhook as Verifier } from 'standardwebhooks';
import { at } from '../../src/shared/assert.ts';
import type { CrashClient } from './crash-client.ts';
import { until } from './until.ts';

/** Webhooks whose deliveries come only where the service can open the secret of each. */
export type SignedWebhooks = {
  /** `host:port`, for EGRESS_ALLOW. */
  address: string;
  make: (client: Pick<CrashClient, 'call'>, count: number) => Promise<void>;
  /** Sends one delivery of each; how many have come with the signature of its own secret. */
  opened: (client: Pick<CrashClient, 'call'>) => Promise<number>;
  stop: () => Promise<void>;
};

export function startSignedWebhooks(): SignedWebhooks {
  const hooks: { id: string; secret: string }[] = [];
  const verified = new Set<string>();
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { secret } = at(hooks, Number(new URL(request.url).pathname.slice(1)));
      // Throws for any other signature; the delivery is then tried again.
      new Verifier(secret).verify(await request.text(), Object.fromEntries(request.headers));
      verified.add(request.headers.get('webhook-id') ?? '');
      return new Response();
    },
  });
  return {
    address: `127.0.0.1:${receiver.port}`,
    make: async ({ call }, count) => {
      while (hooks.length < count) {
        const url = `http://127.0.0.1:${receiver.port}/${hooks.length}`;
        const made = await call('POST', '/v1/webhooks', { url, events: ['app.deleted'] });
        const { webhook, secret }: any = await made.json();
        hooks.push({ id: webhook.id, secret });
      }
    },
    opened: async ({ call }) => {
      const sent: string[] = [];
      for (const { id } of hooks) {
        const tested = await call('POST', `/v1/webhooks/${id}/test`, {});
        const { deliveryId }: any = await tested.json();
        sent.push(deliveryId);
      }
      await until('a delivery of each webhook has come', (saw) => {
        const come = sent.filter((id) => verified.has(id)).length;
        saw(come);
        return come === sent.length;
      });
      return sent.length;
    },
    stop: () => receiver.stop(true),
  };
}
