import { Type } from '@sinclair/typebox';
import { createDeps } from '../../src/app/deps.ts';
import { loadConfig } from '../../src/config.ts';
import { parser } from '../../src/shared/schema.ts';
import { createTestApp, createTestOrg } from '../../test/support/factories.ts';
import { BENCH_DAYS, benchFiles } from '../support/event-files.ts';
import { sendTaken } from '../support/ingest.ts';
import { option } from '../support/options.ts';
import { median, print, printRatio } from '../support/report.ts';
import { startRole, withServers } from '../support/servers.ts';

/** `--events=N`, `--seconds=N` of each turn, `--rounds=N`. */
const EVENTS = Number(option('events') ?? 10_000_000);
const SECONDS = Number(option('seconds') ?? 20);
const ROUNDS = Number(option('rounds') ?? 3);
/** Batches a second, at a steady pace. */
const RATE = 200;
const CONNECTIONS = 16;
const BODIES = 500;
const STEPS = ['step_1', 'step_2', 'step_3', 'step_4', 'step_5'];

const funnel = parser(Type.Object({ id: Type.String() }), 'funnel');

/** Sixteen questions, none like another. */
async function sixteenQuestions(app: string, headers: Record<string, string>): Promise<string[]> {
  const created = await fetch(`${app}/funnels`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Five steps',
      steps: STEPS.map((event) => ({ event, label: event })),
    }),
  });
  const { id } = funnel.parse(await created.json());
  const days = [0, 1, 2, 3].map((fewer) => BENCH_DAYS - fewer);
  return days.flatMap((count) => [
    `${app}/funnels/${id}/report?days=${count}`,
    `${app}/funnels/${id}/report?days=${count}&platform=ios`,
    `${app}/events/series?days=${count - 2}&names=step_1`,
    `${app}/events/summary?days=${count}`,
  ]);
}

type Asked = { answered: number; again: number; burstMs: number[] };
const nothingAsked = (): Asked => ({ answered: 0, again: 0, burstMs: [] });

/** Asks until there is an answer; a 503 is asked again when it says. */
async function answerOf(url: string, headers: Record<string, string>, asked: Asked): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers });
    await answer.text();
    if (answer.ok) {
      asked.answered += 1;
      return;
    }
    const seconds = Number(answer.headers.get('retry-after'));
    if (answer.status !== 503 || !(seconds > 0)) throw new Error(`${url}: ${answer.status}`);
    asked.again += 1;
    await Bun.sleep(seconds * 1_000);
  }
}

/** What sixteen different questions of one organization do to another's ingest. */
export default async function run(): Promise<void> {
  await withServers(['postgres'], async ({ env: given, dataDir }) => {
    // A 503 is counted here.
    const env = { ...given, LOG_LEVEL: 'fatal' };
    const deps = await createDeps(loadConfig(env), 'api');
    const [analyst, sender] = [await createTestOrg({ deps }), await createTestOrg({ deps })];
    const { appId } = await createTestApp({ deps }, analyst.orgId);
    const { serviceKey } = await createTestApp({ deps }, sender.orgId);
    await benchFiles(deps.sql, dataDir, EVENTS, { orgId: analyst.orgId, appId });
    await deps.close();
    const queryEnv = { ...env, QUERY_MEMORY_MB: '4096' };
    const api = await startRole('api', env);
    const others = [await startRole('compactor', env), await startRole('query', queryEnv)];
    const headers = { 'x-api-key': analyst.apiKey };
    const questions = await sixteenQuestions(`${api.address}/v1/apps/${appId}`, headers);
    const ingest = () =>
      sendTaken({
        address: api.address,
        serviceKey,
        seconds: SECONDS,
        connections: CONNECTIONS,
        rate: RATE,
        bodies: BODIES,
      });

    const asked = nothingAsked();
    const askAll = async (into: Asked) => {
      const startedAt = performance.now();
      await Promise.all(questions.map((url) => answerOf(url, headers, into)));
      into.burstMs.push(performance.now() - startedAt);
    };
    const alone: number[] = [];
    const beside: number[] = [];
    // Neither side is measured while its code is compiled.
    await Promise.all([ingest(), askAll(nothingAsked())]);
    for (let round = 0; round < ROUNDS; round += 1) {
      alone.push((await ingest()).p99Ms);
      let isOver = false;
      const asking = (async () => {
        while (!isOver) await askAll(asked);
      })();
      beside.push((await ingest()).p99Ms);
      isOver = true;
      await asking;
    }
    for (const one of [api, ...others]) await one.stop();
    print({
      label: `sixteen questions of ${EVENTS / 1e6} million events at once`,
      value: `${asked.answered} answered, ${asked.again} of them asked again, median of all sixteen ${median(asked.burstMs).toFixed(0)} ms`,
    });
    print({ label: `${RATE} batches a second alone, p99`, value: `${alone.join(', ')} ms` });
    print({ label: 'beside the questions, p99', value: `${beside.join(', ')} ms` });
    printRatio('p99 beside / alone, medians', median(beside) / median(alone), '≤ 2');
  });
}
