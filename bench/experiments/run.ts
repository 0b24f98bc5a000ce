import { join } from 'node:path';
import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startProcess, startRole, withServers } from '../support/servers.ts';

const CONNECTIONS = 32;
const SECONDS = 4;
const ROUNDS = 3;
/** People who ask; each of them asks several times, as an app does at each launch. */
const PEOPLE = 20_000;

async function startExperiment(deps: Deps, orgId: string, appId: string): Promise<void> {
  const arms = ['long', 'short'].map((name) => ({
    id: `arm_${name}`,
    name,
    weight: 1,
    onboardingId: `onb_${name}`,
  }));
  for (const { name, onboardingId } of arms) {
    await deps.sql`
      INSERT INTO onboardings (onboarding_id, org_id, app_id, name, config, created_at, updated_at)
      VALUES (${onboardingId}, ${orgId}, ${appId}, ${name}, '{"screens":["one","two"]}', now(),
        now())`;
  }
  await deps.sql`
    INSERT INTO experiments (experiment_id, org_id, app_id, name, status, arms, created_at,
      started_at)
    VALUES ('exp_bench', ${orgId}, ${appId}, 'Bench', 'running',
      ${JSON.stringify(arms)}::text::jsonb, now(), now())`;
}

async function requestsPerSecond(address: string, serviceKey: string): Promise<number> {
  const requests = Array.from({ length: PEOPLE }, (_, person) => ({
    path: `/v1/experiments?anonymousId=person-${person}`,
  }));
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'x-service-key': serviceKey },
    requests,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return result.requests.average;
}

/** `GET /v1/experiments` with a running experiment, beside the same route with one constant answer. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const { appId, serviceKey } = await createTestApp({ deps }, org.orgId);
    await startExperiment(deps, org.orgId, appId);
    await deps.close();
    const api = await startRole('api', env);
    const bare = await startProcess(join(import.meta.dir, 'constant-answer.ts'), env);
    const figures: { dealt: number; constant: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      figures.push({
        dealt: await requestsPerSecond(api.address, serviceKey),
        constant: await requestsPerSecond(bare.address, serviceKey),
      });
    }
    await Promise.all([api.stop(), bare.stop()]);
    const perSecond = (values: number[]) => `${median(values).toFixed(0)} requests/s`;
    print({
      label: 'GET /v1/experiments, dealt and exposed',
      value: perSecond(figures.map((one) => one.dealt)),
    });
    print({
      label: 'the same route with a constant answer',
      value: perSecond(figures.map((one) => one.constant)),
    });
    printRatio('ratio', median(figures.map((one) => one.dealt / one.constant)), '≥ 0.8');
  });
}
