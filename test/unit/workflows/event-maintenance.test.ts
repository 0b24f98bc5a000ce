import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { EventFileJob } from '../../../src/temporal/contracts/events.ts';
import { toLanes } from '../../../workflows/event-maintenance.state.ts';

const job = fc.record(
  {
    kind: fc.constantFrom('split', 'merge', 'correct', 'renew' as const),
    fileIds: fc.uniqueArray(
      fc.integer({ min: 1, max: 30 }).map((n) => `fil_${n}`),
      { minLength: 1, maxLength: 4 },
    ),
    appId: fc.integer({ min: 1, max: 6 }).map((n) => `app_${n}`),
  },
  { requiredKeys: ['kind', 'fileIds'] },
) as fc.Arbitrary<EventFileJob>;

const shareMark = (a: EventFileJob, b: EventFileJob) =>
  (a.appId !== undefined && a.appId === b.appId) ||
  a.fileIds.some((fileId) => b.fileIds.includes(fileId));

describe('lanes of a plan', () => {
  test('hold every job once, never two lanes of one app or file, and the order of the plan', () => {
    fc.assert(
      fc.property(fc.array(job, { maxLength: 40 }), (jobs) => {
        const lanes = toLanes(jobs);
        expect(new Set(lanes.flat())).toEqual(new Set(jobs));
        expect(lanes.flat()).toHaveLength(jobs.length);
        for (const lane of lanes) {
          for (const other of lanes) {
            if (lane === other) continue;
            expect(lane.some((a) => other.some((b) => shareMark(a, b)))).toBe(false);
          }
          const places = lane.map((one) => jobs.indexOf(one));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('keep apart what nothing ties together', () => {
    const one = (n: number): EventFileJob => ({ kind: 'split', fileIds: [`fil_${n}`] });
    expect(toLanes([one(1), one(2), one(3)])).toHaveLength(3);
  });
});
