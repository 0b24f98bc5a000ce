import fc from 'fast-check';
import { entitledKey } from '../../src/modules/segments/rules/clauses.ts';

/** Rules of segments over events of `stitchedCases`, of so many hours from 1970 on. */
export const HOUR_US = 3_600_000_000;
/** Events are of the first 40 days of 1970. */
export const HOURS = 40 * 24;
const dayOf1970 = fc
  .integer({ min: 0, max: 41 })
  .map((n) => new Date(n * 86_400_000).toISOString().slice(0, 10));
const days = fc.integer({ min: 1, max: 45 });

const conditions = fc.constantFrom(
  { all: [{ field: 'platform', op: 'isNot', value: 'web' }] },
  { any: [{ field: 'prop:plan', op: 'gte', value: 4 }] },
  {
    any: [
      { field: 'prop:plan', op: 'isNotSet' },
      {
        all: [
          { field: 'platform', op: 'isSet' },
          { field: 'prop:plan', op: 'isOneOf', values: [1, 2, 'other'] },
        ],
      },
    ],
  },
);
const count = fc.integer({ min: 0, max: 4 });
const times = fc.oneof(
  fc.constant({}),
  count.map((atLeast) => ({ atLeast })),
  count.map((atMost) => ({ atMost })),
  count.map((exactly) => ({ exactly })),
);

/** About events with these conditions, on these days. */
export function clauseOf(where: fc.Arbitrary<object>, day: fc.Arbitrary<string>) {
  const selected = fc.record(
    { events: fc.subarray(['opened', 'bought', 'closed', 'never_seen'], { minLength: 1 }), where },
    { requiredKeys: [] },
  );
  const period = fc.oneof(
    fc.constant({}),
    days.map((withinDays) => ({ withinDays })),
    fc.record({ since: day, before: day }, { requiredKeys: [] }),
  );
  return fc.oneof(
    fc.tuple(selected, times, period).map(([did, some, when]) => ({ did, ...some, ...when })),
    fc.tuple(selected, period).map(([didNot, when]) => ({ didNot, ...when })),
    fc.oneof(
      day.map((before) => ({ firstSeen: { before } })),
      day.map((after) => ({ firstSeen: { after } })),
      days.map((withinDays) => ({ firstSeen: { withinDays } })),
      fc.tuple(days, day).map(([withinDays, before]) => ({ firstSeen: { withinDays, before } })),
    ),
    fc.record({ entitled: fc.boolean() }),
    fc.record({ entitled: fc.boolean(), productId: fc.constant('pro') }),
    fc.record({ entitled: fc.boolean(), entitlement: fc.constant('named') }),
  );
}
export const clause = clauseOf(conditions, dayOf1970);
export const named = (...ids: string[]) =>
  fc.record({ segment: fc.constantFrom(...ids), is: fc.boolean() }, { requiredKeys: ['segment'] });
export const ruleOf = (one: fc.Arbitrary<object>): fc.Arbitrary<any> =>
  fc.oneof(
    fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => ({ all })),
    fc.array(one, { minLength: 1, maxLength: 4 }).map((any) => ({ any })),
  );
const entitled = fc.subarray(['device-0', 'device-1', 'device-7', 'user-0', 'user-2', 'nobody']);
/** Who is entitled: to anything, to the product and by the name of clauses. */
export const holders = fc.record({ '': entitled, pro: entitled, named: entitled });
export const entitledMap = (of: Record<'' | 'pro' | 'named', string[]>) =>
  new Map([
    [entitledKey({}), of['']],
    [entitledKey({ productId: 'pro' }), of.pro],
    [entitledKey({ entitlement: 'named' }), of.named],
  ]);
