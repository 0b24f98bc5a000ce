import { describe, expect, test } from 'bun:test';
import type { DayRecord } from '../../../src/modules/sales/days/day-state.ts';
import { dayKey, planDays } from '../../../src/modules/sales/days/plan.ts';
import { REPORT_TYPES } from '../../../src/providers/store/port.ts';
import { addDays, pacificDay, pacificInstant } from '../../../src/shared/pacific.ts';
import { isFullRun } from '../../support/random.ts';

const ORGANIZATIONS = isFullRun ? 1_000 : 250;
/** As many for each organization. */
const WORKERS = ORGANIZATIONS / 25;
const REQUEST_MS = 400;
const BATCH = 20;
const KEPT_DAYS = 10;
const EVENING = pacificInstant('2026-07-14', 20);

type Actor = { orgId: string; records: Map<string, DayRecord>; wakeMs: number; batches: number };

/** An organization whose history is complete since yesterday morning. */
function settled(index: number): Actor {
  const orgId = `org_${index}`;
  const records = new Map<string, DayRecord>();
  for (let age = 1; age <= KEPT_DAYS; age += 1) {
    for (const type of REPORT_TYPES) {
      const day = addDays(pacificDay(EVENING), -age);
      // A short history says as much about mornings as a year of it.
      const state = age === KEPT_DAYS ? 'expired' : 'reported';
      records.set(dayKey(type, day), { state, checkedAt: EVENING, emptySeenAt: null });
    }
  }
  const { nextWakeAt } = planDays({ orgId, now: EVENING, records, forcedAt: null });
  return { orgId, records, wakeMs: nextWakeAt.getTime(), batches: 0 };
}

/** One batch of one organization: two lanes, so half as long as its requests one after the other. */
function workOn(actor: Actor, nowMs: number): { doneMs: number; requests: number } {
  const now = new Date(nowMs);
  const { orgId, records } = actor;
  const { due } = planDays({ orgId, now, records, forcedAt: null });
  const batch = due.slice(0, BATCH);
  for (const { reportType, day } of batch) {
    // Subscription reports come out at nine, sales are there.
    const ready = pacificInstant(addDays(day, 1), reportType === 'SALES' ? 5 : 9) <= now;
    const state = ready ? 'reported' : 'pending';
    records.set(dayKey(reportType, day), { state, checkedAt: now, emptySeenAt: null });
  }
  const doneMs = nowMs + Math.ceil(batch.length / 2) * REQUEST_MS;
  const after = planDays({ orgId, now: new Date(doneMs), records, forcedAt: null });
  actor.wakeMs =
    after.due.length > 0 ? doneMs : Math.max(after.nextWakeAt.getTime(), doneMs + 60_000);
  actor.batches += 1;
  return { doneMs, requests: batch.length };
}

describe(`${ORGANIZATIONS} organizations on one morning`, () => {
  test('are spread over half an hour, and all have yesterday by noon', () => {
    const actors = Array.from({ length: ORGANIZATIONS }, (_, index) => settled(index));
    const wakes = actors.map(({ wakeMs }) => wakeMs);
    expect(new Set(wakes.map((ms) => pacificDay(new Date(ms))))).toEqual(new Set(['2026-07-15']));
    const busiest = Math.max(
      ...Map.groupBy(wakes, (ms) => ms)
        .values()
        .map((same) => same.length),
    );
    expect(busiest).toBeLessThan(ORGANIZATIONS / 12);

    const free = Array.from({ length: WORKERS }, () => 0);
    const noon = pacificInstant('2026-07-15', 12).getTime();
    const sales = new Map<string, number>();
    let requests = 0;
    for (;;) {
      const next = actors.reduce((first, one) => (one.wakeMs < first.wakeMs ? one : first));
      if (next.wakeMs > noon) break;
      // A free worker takes the organization that has waited longest.
      const worker = free.indexOf(Math.min(...free));
      const startMs = Math.max(free[worker] ?? 0, next.wakeMs);
      const done = workOn(next, startMs);
      free[worker] = done.doneMs;
      requests += done.requests;
      const state = next.records.get(dayKey('SALES', '2026-07-14'))?.state;
      if (state === 'reported' && !sales.has(next.orgId)) sales.set(next.orgId, done.doneMs);
    }
    expect(sales.size).toBe(ORGANIZATIONS);
    // Nobody starves: the last one has its figures soon after the last one was due.
    expect(Math.max(...sales.values())).toBeLessThan(pacificInstant('2026-07-15', 6).getTime());
    // The week once, and what was pending every half hour: no organization asks without end.
    expect(requests / ORGANIZATIONS).toBeLessThan(21 + 2 * 2 * 16);
    expect(Math.max(...actors.map(({ batches }) => batches))).toBeLessThan(20);
  });
});
