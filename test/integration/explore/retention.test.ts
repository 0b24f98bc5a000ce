import { describe, expect, test } from 'bun:test';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const NOW = deps.clock().getTime();
const DAY = 86_400_000;
const ZONE = 'Europe/Berlin';
const format = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, dateStyle: 'short' });
const dayOf = (ms: number) => Math.round(Date.parse(format.format(ms)) / DAY);
const TODAY = dayOf(NOW);

async function newApp() {
  const app = await createTestApp(service, org.orgId);
  const get = (tail: string) => call(`/v1/apps/${app.appId}/events/${tail}`, { headers: org.key });
  const send = async (events: { ms: number; anonymousId: string }[]) => {
    const wire = events.map(({ ms, anonymousId }) => ({
      name: 'opened',
      ts: new Date(ms).toISOString(),
      anonymousId,
    }));
    for (let n = 0; n < wire.length; n += 100) {
      const body = { events: wire.slice(n, n + 100) };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  return { ...app, get, send };
}

/** Each person with the days on which they were there, counted back from today. */
function visits() {
  const people: { anonymousId: string; days: number[] }[] = [];
  for (let n = 0; n < 150; n += 1) {
    const first = n < 70 ? 5 : n < 100 ? 3 : (n % 5) + 1;
    const days = [first];
    for (let day = first - 1; day >= 1; day -= 1) if ((n + day) % 3 === 0) days.push(day);
    people.push({ anonymousId: `person-${String(n).padStart(4, '0')}`, days });
  }
  return people;
}

type Cell = { returned: number | null; rate: number | null } | null;

describe('retention', () => {
  test('equals plain loops, with no rate of fewer than fifty and no figure of what is not over', async () => {
    const { get, send } = await newApp();
    const people = visits();
    // Noon in UTC is the same local day.
    const noon = (ago: number) => (TODAY - ago) * DAY + DAY / 2;
    await send(
      people.flatMap(({ anonymousId, days }) =>
        days.map((ago) => ({ ms: noon(ago), anonymousId })),
      ),
    );
    const query = `retention?interval=day&days=6&timezone=${ZONE}`;
    const report = (await get(query)).body;
    expect(report).toMatchObject({
      people: 150,
      verdict: 'ready',
      cohort: 'first',
      clock: 'calendar',
    });
    expect(report.cohorts).toHaveLength(7);
    for (const [index, cohort] of report.cohorts.entries()) {
      const ago = 6 - index;
      const members = people.filter(({ days }) => days[0] === ago);
      expect(cohort.people).toBe(members.length);
      expect(cohort.partial).toBe(ago === 0 ? true : undefined);
      for (const [place, cell] of (cohort.periods as Cell[]).entries()) {
        const day = ago - (place + 1);
        if (day < 1) {
          expect(cell).toBeNull();
          continue;
        }
        const returned = members.filter(({ days }) => days.includes(day)).length;
        expect(cell?.returned).toBe(returned);
        expect(cell?.rate).toBe(members.length < 50 ? null : returned / members.length);
      }
    }
    for (const [place, cell] of (report.mean as Cell[]).entries()) {
      const over = people.filter(({ days }) => (days[0] ?? 0) - (place + 1) >= 1);
      const returned = over.filter(({ days }) =>
        days.includes((days[0] ?? 0) - (place + 1)),
      ).length;
      // Cohorts of nobody have finished it, too; today is over for none.
      if (6 - (place + 1) < 1) expect(cell).toBeNull();
      else {
        expect(cell?.returned).toBe(returned);
        expect(cell?.rate).toBe(over.length < 50 ? null : returned / over.length);
      }
    }
    const later = (await get(`${query}&criterion=on_or_after&cohort=recurring&periods=2`)).body;
    const [, fifth] = later.cohorts;
    const members = people.filter(({ days }) => days.includes(5));
    expect(fifth.people).toBe(members.length);
    expect(fifth.periods.map((cell: Cell) => cell?.returned)).toEqual(
      [1, 2].map(
        (period) => members.filter(({ days }) => days.some((day) => day <= 5 - period)).length,
      ),
    );
    const byHours = (await get(`${query}&clock=hours`)).body;
    // Nobody's period is over before the last of the cohort could have finished it.
    expect(byHours.cohorts[5].periods[0]).toBeNull();
    expect(byHours.cohorts[1].periods[0].returned).toBe(
      people.filter(({ days }) => days[0] === 5 && days.includes(4)).length,
    );
  });

  test('of fewer than fifty people in all shows sizes only', async () => {
    const { get, send } = await newApp();
    await send([
      { ms: NOW - 5 * DAY, anonymousId: 'person-0001' },
      { ms: NOW - 4 * DAY, anonymousId: 'person-0001' },
    ]);
    const { body } = await get('retention?interval=day&days=7');
    expect(body).toMatchObject({ people: 1, verdict: 'too_few_people', minimumPeople: 50 });
    const cells = body.cohorts.flatMap(({ periods }: { periods: Cell[] }) => periods);
    for (const cell of cells) if (cell !== null) expect(cell.returned).toBeNull();
    expect(body.cohorts.reduce((sum: number, one: { people: number }) => sum + one.people, 0)).toBe(
      1,
    );
  });

  test.each([
    ['interval=hour', 'interval'],
    ['clock=hours&interval=month', 'clock'],
    ['interval=day&days=62', 'days'],
    ['interval=day&from=2020-01-01&to=2020-01-05', 'from'],
    ['periods=61', 'periods'],
    ['criterion=before', 'criterion'],
    ['cohort=all', 'cohort'],
    ['startName=A', 'startName'],
  ])('is refused with %s, which names %s', async (query, field) => {
    const { get } = await newApp();
    const { status, body } = await get(`retention?${query}`);
    expect(status).toBe(400);
    expect(body.error.hint).toStartWith(`${field}: `);
  });
});
