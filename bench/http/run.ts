import { join } from 'node:path';
import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startProcess, startRole, withServers } from '../support/servers.ts';

const CONNECTIONS = 32;
const SECONDS = 4;
const ROUNDS = 3;

async function requestsPerSecond(url: string, apiKey: string): Promise<number> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'x-api-key': apiKey },
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return result.requests.average;
}

/** `GET /v1/apps/{id}` with an organization key, beside the same route with the key check cut out. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId } = await createTestApp({ deps }, org.orgId);
    await deps.close();
    const api = await startRole('api', env);
    const bare = await startProcess(join(import.meta.dir, 'without-authentication.ts'), {
      ...env,
      BENCH_ORG_ID: org.orgId,
    });
    const figures: { with: number; without: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.push({
        with: await requestsPerSecond(`${api.address}/v1/apps/${appId}`, org.apiKey),
        without: await requestsPerSecond(`${bare.address}/v1/apps/${appId}`, org.apiKey),
      });
    }
    await Promise.all([api.stop(), bare.stop()]);
    print({
      label: 'GET /v1/apps/{id} with an organization key',
      value: `${median(figures.map((one) => one.with)).toFixed(0)} requests/s`,
    });
    print({
      label: 'the same without authentication',
      value: `${median(figures.map((one) => one.without)).toFixed(0)} requests/s`,
    });
    printRatio('ratio', median(figures.map((one) => one.with / one.without)), '≥ 0.7');
  });
}
