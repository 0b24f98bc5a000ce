import fc from 'fast-check';
import type { EventRow } from '../../src/event-store/event/columns.ts';
import type { EventFile, EventSource } from '../../src/query/reading/source/events.ts';
import { eventRow, type TestDuck } from './event-source.ts';

/** Devices, users, sign-ups known when files were written and since then, erasures, and where rows are. */
export function stitchedCases(
  times: fc.Arbitrary<number>,
  maxLength = 120,
  /** Instead of platform and plan alone. */
  facts: fc.Arbitrary<Partial<EventRow>> = fc.constant({}),
) {
  const shape = fc.record({
    name: fc.constantFrom('opened', 'opened', 'bought', 'closed', '$exposure'),
    device: fc.integer({ min: 0, max: 12 }),
    // Now and then spelled like a device.
    user: fc.option(fc.constantFrom('user-0', 'user-1', 'user-2', 'device-1')),
    at: times,
    platform: fc.constantFrom('ios', 'web', null),
    plan: fc.integer({ min: 0, max: 9 }),
    session: fc.constantFrom(null, null, 'session-0', 'session-1'),
    facts,
    environment: fc.constantFrom('production', 'production', 'production', 'development'),
    // In the log, in files of many apps, of an earlier release or of the app alone.
    kept: fc.constantFrom('log', 'shared', 'old', 'own'),
  });
  return fc.record({
    shapes: fc.array(shape, { maxLength }),
    known: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
    late: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
    erased: fc.subarray(['device-1', 'user-2']),
    // Files that pass for too large to be kept in memory.
    large: fc.subarray(['shared', 'old', 'own']),
  });
}

/** The same file, with so many rows by the catalogue that nobody reads it whole. */
export const asLarge = (file: EventFile): EventFile => ({ ...file, rows: 100_000 });

export type StitchedCase =
  ReturnType<typeof stitchedCases> extends fc.Arbitrary<infer T> ? T : never;

/** A client's event of production as a plain loop counts it. */
export type PlainEvent = { person: string; row: EventRow };

/** What the query processes read, and the events of people who are not erased. */
export async function stitched(
  duck: TestDuck,
  { shapes, known, late, erased, large }: StitchedCase,
  /** Times in these; the app's own files are of before and after `splitAt`. */
  { unitUs = 1, splitAt = null }: { unitUs?: number; splitAt?: number | null } = {},
): Promise<{ source: Partial<EventSource>; plain: PlainEvent[] }> {
  const usersOf = (devices: number[]) =>
    new Map(devices.map((device) => [`device-${device}`, `user-${device % 4}`]));
  const [knownUsers, lateUsers] = [usersOf(known), usersOf(late)];
  const rows = shapes.map(({ facts, name, device, user, at, session, ...shape }, arrival) => {
    const { platform, plan, environment, kept } = shape;
    const anonymousId = `device-${device}`;
    const isOld = kept === 'old';
    const row = eventRow({
      anonymousId,
      userId: user,
      personId: user ?? knownUsers.get(anonymousId) ?? anonymousId,
      sessionId: session,
      occurredAtUs: at * unitUs,
      platform,
      props: plan === 9 ? null : JSON.stringify({ plan: plan === 8 ? 'other' : plan }),
      ...facts,
      name,
      // Earlier releases knew production only.
      environment: isOld || environment === 'production' ? 'production' : 'development',
      arrival,
    });
    return { row, kept, person: user ?? lateUsers.get(anonymousId) ?? row.personId };
  });
  const rowsOf = (place: string) => rows.filter((one) => one.kept === place).map((one) => one.row);
  const files: EventFile[] = [];
  const add = async (place: string, ...written: Parameters<TestDuck['writeFile']>) => {
    const file = await duck.writeFile(...written);
    files.push(large.includes(place) ? asLarge(file) : file);
  };
  const own = rowsOf('own');
  const isEarly = (row: EventRow, index: number) =>
    splitAt === null ? index < own.length / 2 : row.occurredAtUs < splitAt * unitUs;
  for (const half of [own.filter(isEarly), own.filter((row, i) => !isEarly(row, i))]) {
    if (half.length > 0) await add('own', half, { level: 1 });
  }
  if (rowsOf('shared').length > 0) await add('shared', rowsOf('shared'));
  if (rowsOf('old').length > 0) await add('old', rowsOf('old'), { format: 1 });
  const isErased = ({ row, person }: (typeof rows)[number]) =>
    erased.includes(person) || (row.userId === null && erased.includes(row.anonymousId));
  return {
    source: {
      files,
      hotRows: rowsOf('log').filter(({ environment }) => environment === 'production'),
      lateAliases: [...lateUsers].map(([anonymousId, userId]) => ({ anonymousId, userId })),
      erased,
    },
    plain: rows
      .filter((one) => !isErased(one) && !one.row.name.startsWith('$'))
      .filter(({ row }) => row.environment === 'production')
      .map(({ person, row }) => ({ person, row })),
  };
}
