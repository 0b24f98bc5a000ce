import { describe, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { compactAll } from '../../../src/event-store/compaction/loop.ts';
import { Adopter } from '../../../src/event-store/hosts/adopt.ts';
import { killableProcess } from '../../support/event-processes.ts';
import { startEventService } from '../../support/event-service.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testS3 } from '../../support/s3-server.ts';
import { createTestApp, createTestOrg } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { poolerEnv } from '../../support/postgres.ts';

const s3 = await testS3();

describe.skipIf(!s3)('a host that runs only the API', () => {
  test('ships what it took, and loses none of it when it is lost with its disk', async () => {
    const bucket = {
      EVENTS_URL: 's3://events-bucket/api-only',
      S3_ENDPOINT: s3!.endpoint,
      S3_ACCESS_KEY_ID: s3!.credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3!.credentials.secretAccessKey,
    };
    const other = await startEventService(bucket);
    const org = await createTestOrg(other);
    const app = await createTestApp(other, org.orgId);
    const dataDir = temporaryFolder('api-only');
    const lost = await killableProcess('api', {
      ...bucket,
      DATA_DIR: dataDir,
      DATABASE_URL: other.deps.config.databaseUrl ?? '',
      ...poolerEnv,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      AUTH_SECRET: 'a-secret-for-tests-only-0123456789abcdef',
      PORT: '0',
      LOG_LEVEL: 'fatal',
      DISK_FLOOR_MB: '0',
    });
    const events = [1, 2, 3].map((n) => ({ name: 'opened', anonymousId: `person-${n}` }));
    const answer = await fetch(`${lost.address()}/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...app.device },
      body: JSON.stringify({ events }),
    });
    expect(answer.status).toBe(202);
    const metrics = async () => (await fetch(`${lost.address()}/metrics`)).text();
    await until('everything is shipped', async () =>
      /^event_log_unshipped_bytes(\{.*\})? 0$/m.test(await metrics()),
    );
    await lost.kill('SIGKILL');
    await rm(dataDir, { recursive: true });

    const adopter = new Adopter(other.compaction, 0);
    expect(await adopter.look()).toBe(1);
    expect(await compactAll(other.compaction)).toBe(3);
  });
});
