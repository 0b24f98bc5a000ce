import { beforeAll, expect, test } from 'bun:test';
import type { CalendarInterval } from '../../../src/shared/calendar.ts';
import { keysBetween, keysOf, ZONES } from '../../support/calendar-keys.ts';
import { lifecycleOf } from '../../support/lifecycle-reference.ts';
import { testDatabase } from '../../support/postgres.ts';
import { compactEverything, startTestQueries } from '../../support/queries.ts';
import { isFullRun, randomFrom } from '../../support/random.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

/*
 * Random questions about random events, answered by the service and by plain loops over what was
 * sent. The months hold the changes of clocks of every zone; people sign in late, events come late
 * and again.
 */
const NOW = Date.parse('2026-04-15T10:07:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 200;
const PEOPLE = 240;
const QUESTIONS = isFullRun ? 400 : 12;

const service = await startTestService(await testDatabase(), {
  with: () => ({ clock: () => new Date(NOW) }),
});
const { call, deps } = service;
await startTestQueries(deps);
const org = await createTestOrg(service);
const app = await createTestApp(service, org.orgId);

const random = randomFrom(2026);
const below = (n: number) => Math.floor(random() * n);
const one = <T>(...of: readonly T[]): T => of[below(of.length)]!;

type Sent = { name: string; ms: number; device: number; platform: string };
const sent: Sent[] = [];
/** Two devices of three sign in at last, every third of them as somebody who has another device. */
const userOf = (device: number) =>
  device % 3 === 0 ? null : `user-${device % 9 === 1 ? device + 1 : device}`;
const personOf = ({ device }: Sent) => userOf(device) ?? `device-${device}`.padEnd(12, '-');

beforeAll(async () => {
  for (let device = 0; device < PEOPLE; device += 1) {
    const first = NOW - HOUR - below(DAYS * DAY);
    for (let n = 0; n < 1 + below(14); n += 1) {
      const ms = Math.floor(first + random() ** 3 * (NOW - HOUR - first));
      const name = one('opened', 'opened', 'bought');
      sent.push({ name, ms, device, platform: one('ios', 'web', 'android') });
    }
    if (userOf(device)) sent.push({ name: 'opened', ms: NOW - HOUR, device, platform: 'web' });
  }
  // In no order of time; what signs somebody in comes last of all.
  const key = new Map(sent.map((event) => [event, event.ms === NOW - HOUR ? 2 : random()]));
  const inOrder = sent.toSorted((a, b) => key.get(a)! - key.get(b)!);
  const wire = inOrder.map(({ name, ms, device, platform }, n) => ({
    platform,
    event: {
      ...{ id: `event-${n}-00000`, name, ts: new Date(ms).toISOString() },
      anonymousId: `device-${device}`.padEnd(12, '-'),
      ...(ms === NOW - HOUR && userOf(device) && { userId: userOf(device)! }),
    },
  }));
  const send = async (some: typeof wire) => {
    for (const [platform, events] of Map.groupBy(some, (each) => each.platform)) {
      const body = { events: events.map(({ event }) => event), context: { platform } };
      expect((await call('/v1/events', { body, headers: app.device })).status).toBe(202);
    }
  };
  const half = Math.floor(wire.length / 2);
  for (let n = 0; n < wire.length; n += 100) {
    await send(wire.slice(n, n + 100));
    if (n < half && n + 100 >= half) await compactEverything(deps);
  }
  // Again, from the file and from the log.
  await send(wire.slice(0, 60));
  await send(wire.slice(-60));
}, 1_200_000);

const peopleOf = (events: readonly Sent[]) => new Set(events.map(personOf)).size;
const shift = (day: string, by: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY).toISOString().slice(0, 10);

/** A random window with its local days, both included. */
function windowFor(timezone: string, longest: number) {
  const { dayOf } = keysOf(timezone, 'day');
  const today = dayOf(NOW);
  const days = 1 + below(longest);
  if (random() < 0.5) return { query: { days }, from: shift(today, -days), to: today };
  const to = shift(today, -below(40));
  const from = shift(to, 1 - days);
  return { query: { from, to }, from, to };
}

async function ask(path: string, query: Record<string, unknown>) {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const answer = await call(`/v1/apps/${app.appId}/events/${path}?${text}`, { headers: org.key });
  expect([text.toString(), answer.status]).toEqual([text.toString(), 200]);
  return answer.body;
}

async function checkSeries() {
  const timezone = one(...ZONES);
  const interval: CalendarInterval = one('hour', 'day', 'week', 'month');
  const names = one(null, 'opened', 'bought');
  const longest = { hour: 5, day: 40, week: 70, month: 120 }[interval];
  const { query, from, to } = windowFor(timezone, longest);
  const compare = random() < 0.7;
  const active = interval === 'day';
  const asked = { ...query, timezone, interval, compare, ...(active && { active }) };
  const got = await ask('series', { ...asked, ...(names && { names }) });

  const { keyOf } = keysOf(timezone, interval);
  const reach = (longest * 2 + 75) * DAY + 40 * DAY;
  const calendar = keysBetween(timezone, interval, {
    ...{ fromMs: Math.max(NOW - reach, NOW - 420 * DAY), toMs: NOW, days: [from, to] },
  });
  const { keys } = calendar;
  const first = keys.indexOf(calendar.asked[0]!);
  const count = calendar.asked.length;
  const finished = Math.min(count, keys.indexOf(keyOf(NOW)) - first);
  const byKey = Map.groupBy(
    sent.filter(({ name }) => names === null || name === names),
    ({ ms }) => keyOf(ms),
  );
  const within = (start: number, before: number) =>
    keys.slice(Math.max(0, start), before).flatMap((key) => byKey.get(key) ?? []);
  const over = within(first, first + finished);
  const prior = within(first - finished, first);
  const isFew = peopleOf(prior) < 50;
  expect({ asked, totals: got.totals }).toEqual({
    asked,
    totals: {
      ...{ people: peopleOf(over), events: over.length },
      previousPeople: compare ? peopleOf(prior) : null,
      previousEvents: compare ? prior.length : null,
      peopleChange: !compare || isFew ? null : peopleOf(over) / peopleOf(prior) - 1,
      eventsChange: !compare || isFew ? null : over.length / prior.length - 1,
    },
  });
  expect(got.points).toHaveLength(count);
  for (const [index, point] of got.points.entries()) {
    const own = within(first + index, first + index + 1);
    const before = within(first + index - finished, first + index - finished + 1);
    const { from: start, ...figures } = point;
    expect(keyOf(Date.parse(start))).toBe(keys[first + index]!);
    expect(keyOf(Date.parse(start) - 1)).not.toBe(keys[first + index]!);
    expect({ asked, start, figures }).toEqual({
      ...{ asked, start },
      figures: {
        ...{ people: peopleOf(own), events: own.length },
        ...(index >= finished && { partial: true }),
        ...(index < finished &&
          compare && { previousPeople: peopleOf(before), previousEvents: before.length }),
      },
    });
  }
  if (!active) return;
  const figuresOf = (day: number) => ({
    dau: peopleOf(within(day, day + 1)),
    wau: peopleOf(within(day - 6, day + 1)),
    mau: peopleOf(within(day - 27, day + 1)),
  });
  const mean = (start: number, people: number) => {
    const ratios: number[] = [];
    for (let day = start; day < start + finished; day += 1) {
      const { dau, mau } = figuresOf(day);
      if (mau > 0) ratios.push(dau / mau);
    }
    return people < 50 ? null : ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  };
  const near = (found: number | null, wanted: number | null) =>
    wanted === null ? expect(found).toBeNull() : expect(found!).toBeCloseTo(wanted, 12);
  for (const [index, { dau, wau, mau }] of got.active.points.entries()) {
    expect({ asked, index, dau, wau, mau }).toEqual({ asked, index, ...figuresOf(first + index) });
  }
  near(got.active.dauOverMau, mean(first, peopleOf(over)));
  near(got.active.previousDauOverMau, compare ? mean(first - finished, peopleOf(prior)) : null);
}

async function checkRetention() {
  const timezone = one(...ZONES);
  const interval = one('day', 'week', 'month');
  const clock = interval === 'month' ? 'calendar' : one('calendar', 'hours');
  const cohort = one('first', 'recurring');
  const criterion = one('on', 'on_or_after');
  const startName = one(null, 'opened', 'bought');
  const returnName = one(null, 'opened', 'bought');
  const longest = { day: 18, week: 100, month: 190 }[interval];
  const { query, from, to } = windowFor(timezone, longest);
  const asked = { ...query, timezone, interval, clock, cohort, criterion };
  const got = await ask('retention', {
    ...asked,
    ...(startName && { startName }),
    ...(returnName && { returnName }),
  });

  const { keyOf } = keysOf(timezone, interval);
  const calendar = keysBetween(timezone, interval, {
    ...{ fromMs: NOW - (DAYS + 45) * DAY, toMs: NOW, days: [from, to] },
  });
  const { keys } = calendar;
  const [first, cohorts] = [keys.indexOf(calendar.asked[0]!), calendar.asked.length];
  const present = keys.indexOf(keyOf(NOW));
  const periodMs = (interval === 'day' ? 1 : 7) * DAY;
  type Member = { cohort: number; startMs: number; returns: number[] };
  const members: Member[] = [];
  const indexOf = new Map(keys.map((key, index) => [key, index]));
  const place = ({ ms }: Sent) => indexOf.get(keyOf(ms))! - first;
  for (const own of Map.groupBy(sent, personOf).values()) {
    const named = (name: string | null) =>
      own.filter((event) => name === null || event.name === name).toSorted((a, b) => a.ms - b.ms);
    const starts = named(startName);
    const returns = named(returnName);
    const begun = cohort === 'first' ? starts.slice(0, 1) : starts;
    const seen = new Set<number>();
    for (const start of begun) {
      const at = place(start);
      if (at < 0 || at >= cohorts || seen.has(at)) continue;
      seen.add(at);
      const after = returns.map((event) =>
        clock === 'calendar' ? place(event) - at : Math.floor((event.ms - start.ms) / periodMs),
      );
      members.push({ cohort: at, startMs: start.ms, returns: after });
    }
  }
  const people = new Set<string>();
  for (const [person, own] of Map.groupBy(sent, personOf)) {
    const starts = own
      .filter(({ name }) => startName === null || name === startName)
      .toSorted((a, b) => a.ms - b.ms);
    const begun = cohort === 'first' ? starts.slice(0, 1) : starts;
    if (begun.some((event) => place(event) >= 0 && place(event) < cohorts)) people.add(person);
  }
  expect({ asked, people: got.people, cohorts: got.cohorts.length }).toEqual({
    ...{ asked, people: people.size, cohorts },
  });
  const endOf = (index: number) =>
    index + 1 < got.cohorts.length
      ? Date.parse(got.cohorts[index + 1].from)
      : Date.parse(got.window.to);
  const isOver = (index: number, period: number) =>
    clock === 'calendar'
      ? first + index + period < present
      : endOf(index) + (period + 1) * periodMs <= NOW;
  const came = ({ returns }: Member, period: number) =>
    returns.some((after) => (criterion === 'on' ? after === period : after >= period));
  const cell = (of: Member[], period: number) => {
    const returned = of.filter((member) => came(member, period)).length;
    return {
      returned: people.size < 50 ? null : returned,
      rate: people.size < 50 || of.length < 50 ? null : returned / of.length,
    };
  };
  const shown = (found: { returned: number | null; rate: number | null } | null) =>
    found && { returned: found.returned, rate: found.rate };
  for (const [index, row] of got.cohorts.entries()) {
    const own = members.filter((member) => member.cohort === index);
    expect(row.people).toBe(own.length);
    for (const [column, found] of row.periods.entries()) {
      const wanted = isOver(index, column + 1) ? cell(own, column + 1) : null;
      expect({ asked, startName, returnName, index, column, cell: shown(found) }).toEqual({
        ...{ asked, startName, returnName, index, column, cell: wanted },
      });
    }
  }
  for (const [column, found] of got.mean.entries()) {
    const over = got.cohorts.flatMap((_: unknown, index: number) =>
      isOver(index, column + 1) ? [index] : [],
    );
    const own = members.filter((member) => over.includes(member.cohort));
    const wanted = over.length === 0 ? null : cell(own, column + 1);
    expect({ asked, column, cell: shown(found) }).toEqual({ asked, column, cell: wanted });
  }
}

async function checkLifecycle() {
  const timezone = one(...ZONES);
  const interval: CalendarInterval = one('hour', 'day', 'week', 'month');
  const name = one(null, 'opened', 'bought');
  const platform = one(null, 'ios');
  const longest = { hour: 5, day: 40, week: 70, month: 120 }[interval];
  const { query, from, to } = windowFor(timezone, longest);
  const only = { ...(name && { name }), ...(platform && { platform }) };
  const asked = { ...query, timezone, interval, ...only };
  const got = await ask('lifecycle', asked);

  const { keyOf } = keysOf(timezone, interval);
  const calendar = keysBetween(timezone, interval, {
    ...{ fromMs: NOW - (longest + 90) * DAY, toMs: NOW, days: [from, to] },
  });
  const { keys } = calendar;
  const [first, present] = [keys.indexOf(calendar.asked[0]!), keys.indexOf(keyOf(NOW))];
  const meant = sent.filter(
    (event) =>
      (name === null || event.name === name) && (platform === null || event.platform === platform),
  );
  // Before all keys is -1.
  const visits = meant.map((event) => ({
    person: personOf(event),
    at: keys.indexOf(keyOf(event.ms)),
  }));
  const places = Array.from({ length: calendar.asked.length + 2 }, (_, n) => first - 1 + n);
  const wanted = lifecycleOf(visits, places);
  expect(got.points).toHaveLength(calendar.asked.length);
  for (const [index, { from: start, ...figures }] of got.points.entries()) {
    expect(keyOf(Date.parse(start))).toBe(keys[first + index]!);
    const people = wanted[index]!;
    const isOver = first + index < present;
    expect({ asked, start, figures }).toEqual({
      ...{ asked, start },
      figures: {
        active: people.new.length + people.returning.length + people.resurrected.length,
        new: people.new.length,
        returning: people.returning.length,
        resurrected: people.resurrected.length,
        dormant: isOver ? people.dormant.length : null,
        ...(!isOver && { partial: true }),
      },
    });
  }
  const within = visits.filter(({ at }) => at >= places[0]! && at < places.at(-1)!);
  const people = new Set(within.map(({ person }) => person)).size;
  expect({ asked, people: got.people }).toEqual({ asked, people });
  if (people < 50) return;
  const index = below(got.points.length);
  const state = one('new', 'returning', 'resurrected', 'dormant');
  if (state === 'dormant' && got.points[index].partial) return;
  const point = got.points[index].from;
  const listed = await ask('lifecycle/people', { ...asked, state, point, limit: 1_000 });
  expect(listed.people.map(({ personId }: { personId: string }) => personId)).toEqual(
    wanted[index]![state].toSorted(),
  );
}

test('series, retention and lifecycle equal plain loops, whatever is asked in whichever zone', async () => {
  for (let question = 0; question < QUESTIONS; question += 1) {
    await checkSeries();
    await checkRetention();
    await checkLifecycle();
  }
}, 1_200_000);
