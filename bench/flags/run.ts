import autocannon from 'autocannon';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import type { Deps } from '../../src/context.ts';
import { must } from '../../src/shared/assert.ts';
import { createFlagKey, createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { processorMs } from '../support/processor-time.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

const CONNECTIONS = 16;
const SECONDS = 3;
const ROUNDS = 5;
const PEOPLE = 5_000;
const FLAGS = 500;
const RULES = 10;
/** Of processor time for an answer with all flags. */
const LIMIT_MS = 0.3;
/** Of a session, after the first answer. */
const POLLS = 9;

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

/** People of many countries and versions, of which no rule tells them apart. */
const contextOf = (person: number) => ({
  targetingKey: `0f8a1c52-7d0f-4d5e-9b1a-${String(person).padStart(12, '0')}`,
  platform: 'ios',
  appVersion: `2.${person % 20}.0`,
  osVersion: `18.${person % 7}`,
  locale: ['de-DE', 'en-US', 'es-MX', 'ja-JP', 'it-IT'][person % 5],
  country: ['DE', 'US', 'MX', 'JP', 'IT', 'AT', 'CA', 'CH'][person % 8],
  plan: ['free', 'pro'][person % 2],
});

type Asked = {
  method: 'POST';
  path: string;
  body: string;
  headers: Record<string, string>;
  setupRequest?: (request: autocannon.Request) => autocannon.Request;
};
type Api = { address: string; pid: number };

const requestOf = (key: string, suffix: string, person: number): Asked => ({
  method: 'POST',
  path: `/v1/ofrep/v1/evaluate/flags${suffix}`,
  body: JSON.stringify({ context: contextOf(person) }),
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
});

let strangers = 0;

/** What is asked for, by the key of the app. */
const ASKED: Record<string, (api: Api, key: string) => Asked[] | Promise<Asked[]>> = {
  'one flag': (_, key) =>
    Array.from({ length: PEOPLE }, (__, person) => requestOf(key, '/flag-250', person)),
  [`all ${FLAGS} flags, in full each time`]: (_, key) =>
    Array.from({ length: PEOPLE }, (__, person) => requestOf(key, '', person)),
  [`all ${FLAGS} flags, each time by somebody who has not asked before`]: (_, key) => {
    const asked = requestOf(key, '', 0);
    const setupRequest = (request: autocannon.Request) => {
      strangers += 1;
      const body = JSON.stringify({ context: contextOf(PEOPLE + strangers) });
      return { ...request, body };
    };
    return [{ ...asked, setupRequest }];
  },
  [`all ${FLAGS} flags, as clients poll: ${POLLS} of ${POLLS + 1} with the ETag`]: async (
    { address },
    key,
  ) => {
    const requests: Asked[] = [];
    for (let person = 0; person < PEOPLE / (POLLS + 1); person += 1) {
      const first = requestOf(key, '', person);
      const { headers } = await fetch(`${address}${first.path}`, first);
      const etag = must(headers.get('etag'), 'an answer with all flags has one');
      const polled = { ...first, headers: { ...first.headers, 'if-none-match': etag } };
      requests.push(first, ...Array.from({ length: POLLS }, () => polled));
    }
    return requests;
  },
};

/** Milliseconds of the process's processor time for an answer. */
async function processorMsPerAnswer({ address, pid }: Api, requests: Asked[]): Promise<number> {
  const usedMs = () => must(processorMs(pid), 'the process runs');
  const beforeMs = usedMs();
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests,
  });
  const answers = result['2xx'] + result['3xx'];
  if (result.non2xx > result['3xx']) throw new Error('Answers were neither 200 nor 304.');
  return (usedMs() - beforeMs) / answers;
}

/**
 * Flags of ten rules each, beside the same number of flags without any, in turns; by processor
 * time, since other work shares the machine.
 */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env }) => {
    const deps = await createDeps(loadConfig(env), 'api');
    const org = await createTestOrg({ deps });
    const keys = {
      ruled: await makeFlags(deps, org.orgId, true),
      plain: await makeFlags(deps, org.orgId, false),
    };
    await deps.close();
    const api = await startRole('api', { ...env, RATE_LIMIT_SCALE: '100000' });
    for (const [label, ask] of Object.entries(ASKED)) {
      const [ruled, plain] = [await ask(api, keys.ruled), await ask(api, keys.plain)];
      await processorMsPerAnswer(api, ruled);
      await processorMsPerAnswer(api, plain);
      const figures: { ruled: number; plain: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const first = round % 2 === 0 ? await processorMsPerAnswer(api, plain) : null;
        const withRules = await processorMsPerAnswer(api, ruled);
        figures.push({
          ruled: withRules,
          plain: first ?? (await processorMsPerAnswer(api, plain)),
        });
      }
      const [withRules, without] = [
        median(figures.map((one) => one.ruled)),
        median(figures.map((one) => one.plain)),
      ];
      print({
        label: `${label}; ${RULES} rules`,
        value: `${withRules.toFixed(3)} ms of processor`,
      });
      print({ label: `${label}; no rules`, value: `${without.toFixed(3)} ms of processor` });
      printRatio('of the limit', withRules / LIMIT_MS, '≤ 1');
    }
    await api.stop();
  });
}
