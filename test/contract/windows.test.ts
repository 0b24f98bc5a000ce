import { describe, expect, test } from 'bun:test';
import { setStage } from '../support/access/principals.ts';
import { makeOwned } from '../support/access/probes.ts';
import { ACCESS } from '../support/access/table.ts';
import { dereferenced, type Operation, operationsOf } from '../support/openapi.ts';
import { testDatabase } from '../support/postgres.ts';
import { startTestQueries } from '../support/queries.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService(await testDatabase());
await startTestQueries(service.deps);
const stage = await setStage(service);
const owner = stage.principals.find(({ name }) => name === 'session of the owner');
const document = dereferenced<any>((await service.call('/openapi.json')).body);
const operations = operationsOf(document);

/** A question of each kind, and a figure of it whose people are listed. */
const OPENED = { events: ['app_opened'] };
const QUESTIONS = [
  [
    { kind: 'series', series: [OPENED] },
    { of: 'point', series: 1, point: '2026-01-01T00:00:00Z' },
  ],
  [{ kind: 'measures', selection: OPENED, measure: { of: 'people' } }, undefined],
  [
    { kind: 'funnel', steps: [OPENED, OPENED] },
    { of: 'step', step: 1 },
  ],
  [
    { kind: 'retention', start: OPENED },
    { of: 'cohort', cohortIndex: 0, period: 1 },
  ],
  [
    { kind: 'lifecycle', selection: OPENED },
    { of: 'state', point: '2026-01-01T00:00:00Z', state: 'new' },
  ],
  [{ kind: 'paths', selection: OPENED }, undefined],
] as const;

type Ask = (window: object) => Promise<{ status: number; body: any }>;

const hasWindow = ({ parameters = [] }: Operation) =>
  parameters.some(({ in: place, name }: any) => place === 'query' && name === 'from');

async function pathOf({ route }: Operation): Promise<string> {
  let path = (route.split(' ')[1] ?? '').replace(':id', stage.own.app.appId);
  for (const [param, resource] of Object.entries(ACCESS[route]?.owns ?? {})) {
    if (path.includes(`:${param}`)) {
      path = path.replace(`:${param}`, await makeOwned(resource, stage));
    }
  }
  return path;
}

const SAMPLES: Record<string, string> = {
  event: 'app_opened',
  name: 'app_opened',
  point: '2026-01-01T00:00:00Z',
  cohortIndex: '0',
  state: 'new',
  step: '1',
  period: '1',
};

const reads = operations.filter(hasWindow).map((operation): [string, Ask] => [
  operation.route,
  async (window) => {
    const required = (operation.parameters as any[])
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => [name, SAMPLES[name] ?? schema.enum?.[0] ?? 'app_opened']);
    const search = new URLSearchParams({ ...Object.fromEntries(required), ...window });
    const who = ACCESS[operation.route]?.who ?? [];
    const headers = who.includes('orgKey') ? stage.own.key : (owner?.headers ?? {});
    return service.call(`${await pathOf(operation)}?${search}`, { headers });
  },
]);

const asks = QUESTIONS.flatMap(([question, figure]): [string, Ask][] => {
  const ask =
    (tail: string, more: object): Ask =>
    (window) =>
      service.call(`/v1/apps/${stage.own.app.appId}/questions/${tail}`, {
        headers: stage.own.key,
        body:
          more === question
            ? { ...question, ...window }
            : { ...more, question: { ...question, ...window } },
      });
  const answer: [string, Ask] = [`a question: ${question.kind}`, ask('answer', question)];
  const people: [string, Ask] = [`people of ${question.kind}`, ask('people', { figure })];
  return figure === undefined ? [answer] : [answer, people];
});

const OUT = [
  ['0000-01-01', '0000-01-02'],
  ['0001-01-01', '0001-01-02'],
  ['1677-09-20', '1677-09-22'],
  ['1969-12-30', '1969-12-31'],
  ['9999-12-30', '9999-12-31'],
  ['0000-01-01T00:00:00Z', '0000-01-02T00:00:00Z'],
  ['9999-12-30T00:00:00Z', '9999-12-31T00:00:00-14:00'],
];
const EDGES = [
  ['1970-01-01', '1970-01-02'],
  ['2254-12-30', '2255-12-31'],
  ['2299-12-30', '2299-12-31'],
  ['2999-12-30', '2999-12-31'],
];

test('logs of a time that no clock has are none, or refused by the field', async () => {
  for (const [since, until] of [
    ['-99999999999999999999', '99999999999999999999'],
    ['-62200000000000', '-62100000000000'],
    ['8640000000000001', '9007199254740993'],
  ]) {
    const answer = await service.call(`/v1/logs?since=${since}&until=${until}`, {
      headers: stage.own.key,
    });
    expect([since, answer.status < 500]).toEqual([since, true]);
  }
});

test('the document has the routes with windows', () => expect(reads.length).toBeGreaterThan(15));

describe.each([...reads, ...asks])('%s', (_, ask) => {
  test('refuses days that no window has, by field and bound, and answers about the farthest', async () => {
    for (const [from, to] of OUT) {
      const { status, body } = await ask({ from, to });
      expect([from, status, body.error?.hint]).toEqual([
        from,
        400,
        expect.stringMatching(/(from|to): .*\d{4}-\d\d-\d\d/),
      ]);
    }
    for (const [from, to] of EDGES) {
      const { status, body } = await ask({ from, to });
      expect([from, status < 500, body.error?.hint]).toEqual([from, true, body.error?.hint]);
    }
  });
});
