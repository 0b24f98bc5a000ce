import { afterAll, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { cuttableProxy } from '../support/cuttable-proxy.ts';
import { expectExactlyOnce, prepareEventCrash, report } from '../support/event-crash.ts';
import { startInstance } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { isFullRun } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

/** Ten minutes under TEST_FULL; `TEST_OUTAGE_SECONDS` for others. */
const AWAY_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 600) * 1_000;
const LOOKS = 6;

const s3 = isFullRun ? await testS3() : null;
const proxy = s3 ? await cuttableProxy(s3.endpoint) : null;

describeFull(s3 !== null, 'versitygw or Go')('with EVENTS_ACK=bucket', () => {
  test(
    `without the bucket for ${AWAY_MS / 1_000} s events are 503 with Retry-After, and none that was acknowledged is lost`,
    async () => {
      const env = {
        EVENTS_ACK: 'bucket',
        EVENTS_URL: 's3://events-bucket/acknowledged',
        S3_ENDPOINT: new URL(proxy?.url ?? '').origin,
        S3_ACCESS_KEY_ID: s3?.credentials.accessKeyId ?? '',
        S3_SECRET_ACCESS_KEY: s3?.credentials.secretAccessKey ?? '',
        RATE_LIMIT_SCALE: '1000',
      };
      const instance = await startInstance({ env });
      afterAll(() => instance.stop());
      const crash = await prepareEventCrash(instance, { seed: 5, clients: 4, everyMs: 250, env });
      const { sender } = crash;
      const sending = sender.run();
      const grows = async () => {
        const before = sender.acknowledgedEvents;
        await until('events come in', (saw) => {
          saw(sender.acknowledgedEvents);
          return sender.acknowledgedEvents > before + 1_000;
        });
      };
      const made = await crash.client.call('POST', '/v1/apps', {
        slug: 'other',
        displayName: 'Another app, whose events are not counted below',
      });
      const { id } = (await made.json()) as { id: string };
      const key = await crash.client.call('POST', `/v1/apps/${id}/keys`, { name: 'other' });
      const { secret } = (await key.json()) as { secret: string };
      const sendOne = () =>
        fetch(`${instance.url}/v1/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-service-key': secret },
          body: JSON.stringify({ events: [{ name: 'refused', anonymousId: 'somebody' }] }),
        });
      await grows();

      proxy?.cut();
      for (let look = 0; look < LOOKS; look += 1) {
        const answer = await sendOne();
        expect([answer.status, await answer.text()]).toEqual([503, expect.any(String)]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        // What is not about new events goes on.
        expect((await crash.client.once('GET', '/v1/apps')).status).toBe(200);
        await pause(AWAY_MS / LOOKS, 'looks spread over the outage');
      }
      const acknowledged = sender.acknowledgedEvents;
      proxy?.mend();
      const backAt = performance.now();
      await until('events are taken again', () => sender.acknowledgedEvents > acknowledged);
      console.log(`  taken again after ${Math.round(performance.now() - backAt)} ms`);
      await grows();

      sender.stop();
      const total = await sending;
      const url = (await readRunning(instance.dataDir))?.env.DATABASE_URL ?? '';
      await expectExactlyOnce(instance, crash, total, { url, env });
      console.log(`  ${report(crash, total)}`);
    },
    AWAY_MS + 600_000,
  );
});
