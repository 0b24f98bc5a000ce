import { afterAll, expect, test } from 'bun:test';
import { readRunning } from '../../src/launcher/running.ts';
import { badBucket, FAULTS } from '../support/bad-bucket.ts';
import { cuttableProxy } from '../support/cuttable-proxy.ts';
import { expectExactlyOnce, prepareEventCrash, report } from '../support/event-crash.ts';
import { startInstance } from '../support/instance.ts';
import { describeFull } from '../support/left-out.ts';
import { isFullRun, randomFrom } from '../support/random.ts';
import { testS3 } from '../support/s3-server.ts';
import { saidWithin } from '../support/said-within.ts';
import { until } from '../support/until.ts';
import { pause } from '../support/pause.ts';

/** Ten minutes under TEST_FULL; `TEST_OUTAGE_SECONDS` for others. */
const AWAY_MS = Number(process.env.TEST_OUTAGE_SECONDS ?? 600) * 1_000;
const LOOKS = 6;
const SPOILT_MS = Number(process.env.TEST_SPOILT_SECONDS ?? 20) * 1_000;

const s3 = isFullRun ? await testS3() : null;
const proxy = s3 ? await cuttableProxy(s3.endpoint) : null;
const bad = s3 ? await badBucket(s3.endpoint, randomFrom(31)) : null;
const settings = (prefix: string, url = '') => ({
  EVENTS_ACK: 'bucket',
  EVENTS_URL: `s3://events-bucket/${prefix}`,
  S3_ENDPOINT: new URL(url).origin,
  S3_ACCESS_KEY_ID: s3?.credentials.accessKeyId ?? '',
  S3_SECRET_ACCESS_KEY: s3?.credentials.secretAccessKey ?? '',
  RATE_LIMIT_SCALE: '1000',
});

describeFull(s3 !== null, 'versitygw or Go')('with EVENTS_ACK=bucket', () => {
  test(
    `without the bucket for ${AWAY_MS / 1_000} s events are 503 with Retry-After, and none that was acknowledged is lost`,
    async () => {
      const env = settings('acknowledged', proxy?.url);
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

  test(
    `a bucket that spoils half of all calls for ${SPOILT_MS / 1_000} s in each way loses nothing, and status is true within 30 s`,
    async () => {
      const env = settings('spoilt', bad?.url);
      const instance = await startInstance({ env });
      afterAll(() => instance.stop());
      const crash = await prepareEventCrash(instance, { seed: 6, clients: 8, everyMs: 100, env });
      const sending = crash.sender.run();
      for (const fault of FAULTS) {
        const before = [crash.sender.acknowledgedEvents, crash.sender.refusals, bad?.spoilt() ?? 0];
        bad?.spoil(fault, 0.5);
        await pause(SPOILT_MS, 'half of all calls are spoilt');
        bad?.mend();
        const after = [crash.sender.acknowledgedEvents, crash.sender.refusals, bad?.spoilt() ?? 0];
        const [taken, refused, calls] = after.map((count, at) => count - (before[at] ?? 0));
        console.log(
          `  ${fault}: ${taken} events taken, ${refused} refusals, ${calls} spoilt calls`,
        );
        expect(calls).toBeGreaterThan(0);
        await saidWithin(crash.client, 'ingest', 'up');
      }
      for (const fault of ['error', 'silent'] as const) {
        bad?.spoil(fault, 1);
        await saidWithin(crash.client, 'ingest', 'down');
        bad?.mend();
        await saidWithin(crash.client, 'ingest', 'up');
      }
      crash.sender.stop();
      const total = await sending;
      const url = (await readRunning(instance.dataDir))?.env.DATABASE_URL ?? '';
      await expectExactlyOnce(instance, crash, total, { url, env });
      console.log(`  ${report(crash, total)}`);
    },
    FAULTS.length * SPOILT_MS + 900_000,
  );
});
