import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { must } from '../../src/shared/assert.ts';
import { createFlagKey, createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { processorMs } from '../support/half-a-core.ts';
import { median, print, printRatio } from '../support/report.ts';
import { type BenchProcess, startRole, withServers } from '../support/servers.ts';

const CONNECTIONS = 16;
const SECONDS = 4;
const ROUNDS = 5;
const PEOPLE = 5_000;
const FLAGS = 500;
const RULES = 10;

const ID = '01kajw5g3me7t8q2w4r6y9b1cd';

/** Nine rules that apply to nobody who asks, each of another kind, then a percentage. */
function rulesOf(flag: number): object[] {
  const wheres = [
    { field: 'appVersion', op: 'lt', value: '1.2.0' },
    { field: 'country', op: 'is', value: 'FR' },
    { field: 'locale', op: 'beginsWith', value: 'pt' },
    { field: 'platform', op: 'isOneOf', values: ['android', 'web'] },
    { field: 'prop:plan', op: 'is', value: 'team' },
    { field: 'osVersion', op: 'between', from: '3.0', to: '9.9' },
  ];
  return Array.from({ length: RULES }, (_, index) => {
    const id = `rul_${String(flag).padStart(4, '0')}${String(index).padStart(2, '0')}${ID.slice(6)}`;
    if (index === RULES - 1) return { id, percent: 50, variant: 'on' };
    const all = [wheres[index % wheres.length], wheres[(index + flag) % wheres.length]];
    return { id, where: { all }, variant: 'on' };
  });
}

async function makeFlags(deps: Deps, orgId: string, hasRules: boolean) {
  const { appId } = await createTestApp({ deps }, orgId);
  const variants = [
    { name: 'on', value: true },
    { name: 'off', value: false },
  ];
  for (let flag = 0; flag < FLAGS; flag += 1) {
    const definition = {
      ...{ type: 'boolean', isOn: true, description: '', variants },
      ...{ defaultVariant: 'off', offVariant: 'off', rules: hasRules ? rulesOf(flag) : [] },
    };
    await deps.sql`
      INSERT INTO flags
        (flag_id, org_id, app_id, key, definition, version, created_at, updated_at)
      VALUES (${`flg_${appId.slice(4, 20)}${flag}`}, ${orgId}, ${appId}, ${`flag-${flag}`},
        ${JSON.stringify(definition)}::text::jsonb, 1, now(), now())`;
  }
  await deps.sql`INSERT INTO flag_sets (app_id, org_id, version) VALUES (${appId}, ${orgId}, 1)`;
  return createFlagKey({ deps }, orgId, appId);
}

const contextOf = (person: number) => ({
  targetingKey: `person-${person}`,
  platform: 'ios',
  appVersion: `2.${person % 20}.0`,
  osVersion: '18.1',
  locale: 'de-DE',
  country: 'DE',
  plan: 'pro',
});

/** Milliseconds of the process's processor time for an answer. */
async function processorMsPerAnswer(
  { address, pid }: BenchProcess,
  key: string,
  suffix: string,
): Promise<number> {
  const requests = Array.from({ length: PEOPLE }, (_, person) => ({
    method: 'POST' as const,
    path: `/v1/ofrep/v1/evaluate/flags${suffix}`,
    body: JSON.stringify({ context: contextOf(person) }),
  }));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const usedMs = () => must(processorMs(pid), 'the process runs');
  const beforeMs = usedMs();
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    requests,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 2xx.`);
  return (usedMs() - beforeMs) / result['2xx'];
}

/**
 * Flags of ten rules each, beside the same number of flags without any, in turns; by processor
 * time, since other work shares the machine.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const ruled = await makeFlags(deps, org.orgId, true);
    const plain = await makeFlags(deps, org.orgId, false);
    await deps.close();
    const api = await startRole('api', { ...env, RATE_LIMIT_SCALE: '100000' });
    const asked = [
      ['one flag', '/flag-250'],
      [`all ${FLAGS} flags`, ''],
    ] as const;
    for (const [label, suffix] of asked) {
      const figures: { ruled: number; plain: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        figures.push({
          ruled: await processorMsPerAnswer(api, ruled, suffix),
          plain: await processorMsPerAnswer(api, plain, suffix),
        });
      }
      const [withRules, without] = [
        median(figures.map((one) => one.ruled)),
        median(figures.map((one) => one.plain)),
      ];
      print({
        label: `${label}, ${RULES} rules each`,
        value: `${withRules.toFixed(2)} ms of processor`,
      });
      print({ label: `${label}, no rules`, value: `${without.toFixed(2)} ms of processor` });
      printRatio('ratio', median(figures.map((one) => one.plain / one.ruled)), '≥ 0.8');
    }
    await api.stop();
  });
}
