import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { EventRow } from '../../../src/event-store/event/columns.ts';
import { ProjectionBuilder } from '../../../src/event-store/projection/build.ts';
import type { Sender } from '../../../src/event-store/projection/format.ts';
import {
  openFrom,
  openProjection,
  openProjections,
} from '../../../src/event-store/projection/open.ts';
import {
  keyWords,
  PROJECTED_COLUMNS,
  buildRows,
  projectSql,
} from '../../../src/event-store/projection/project.ts';
import {
  DamagedProjection,
  type Projection,
  readProjection,
} from '../../../src/event-store/projection/projection.ts';
import { RowBuffer, SectionReader } from '../../../src/query/reading/projection/rows.ts';
import { localObjectStore } from '../../../src/storage/object-store/local.ts';
import { APP, eventRow, ORG, TestDuck } from '../../support/event-source.ts';

let duck: TestDuck;
beforeAll(async () => {
  duck = await TestDuck.open();
});
afterAll(() => duck.close());

const row = fc
  .record({
    name: fc.constantFrom('opened', 'bought', '$exposure'),
    device: fc.integer({ min: 0, max: 9 }),
    userId: fc.option(fc.constantFrom('user-0', 'device-1')),
    // Within a day, beyond four bytes, and from before 1970.
    occurredAtUs: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -1e9, max: 280e12 })),
    platform: fc.constantFrom('ios', 'web', null),
    appVersion: fc.constantFrom('1', null),
    country: fc.constantFrom('DE', null),
    environment: fc.constantFrom('production', 'development'),
  })
  .map(({ device, ...fields }) => eventRow({ ...fields, anonymousId: `device-${device}` }));
const rowLists = fc.array(row, { minLength: 1, maxLength: 60 });

type Told = {
  key: string;
  anonymous: boolean;
  name: string;
  development: boolean;
  us: number;
  sender: Sender | undefined;
};

const inOrder = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();
const keyOf = (words: Iterable<number>) => [...words].join(' ');

function rowsOf({ sections, keys, profileOf, profiles, baseUs }: Projection): Told[] {
  const buffer = new RowBuffer();
  return sections.flatMap((section) => {
    const reader = new SectionReader(section, baseUs);
    const found: Told[] = [];
    for (let count = -1; count !== 0; ) {
      count = reader.read({ from: 0, before: Number.POSITIVE_INFINITY }, buffer);
      for (let i = 0; i < count; i += 1) {
        const entry = buffer.entries[i]!;
        found.push({
          key: keyOf(keys.subarray(entry * 4, entry * 4 + 4)),
          anonymous: profiles[profileOf[entry]!]!.isAnonymous,
          name: section.name,
          development: section.isDevelopment,
          us: buffer.times[i]!,
          sender: profiles[profileOf[entry]!]!.sender,
        });
      }
    }
    return found;
  });
}

const told = (rows: readonly EventRow[]): Told[] =>
  rows.map((one) => ({
    key: keyOf(keyWords(one.personId)),
    anonymous: one.userId === null,
    name: one.name,
    development: one.environment === 'development',
    us: one.occurredAtUs,
    sender: { platform: one.platform, version: one.appVersion, country: one.country },
  }));

/** The same rows in a projection that is to take no room for senders. */
function projectedWithout(rows: readonly EventRow[]): Projection {
  const builder = new ProjectionBuilder({ senders: 'none' });
  for (const [personId, ofPerson] of Map.groupBy(rows, (one) => one.personId)) {
    builder.person(...keyWords(personId));
    for (const one of ofPerson) {
      const section = builder.section(one.name, one.environment === 'development');
      const { platform, appVersion: version, country } = one;
      const sender = builder.sender({ platform, version, country });
      builder.row(one.userId === null, section, one.occurredAtUs, sender, one.props);
    }
  }
  return readProjection(builder.encode()!);
}

/** Every person, with the platforms and versions of what they sent themselves in production. */
function peopleIn({ entries, keys, profileOf, profiles }: Projection) {
  const all = Array.from({ length: entries }, (_, entry) => {
    const { isAnonymous, platforms, versions } = profiles[profileOf[entry]!]!;
    return {
      key: keyOf(keys.subarray(entry * 4, entry * 4 + 4)),
      isAnonymous,
      platforms,
      versions,
    };
  });
  const byPerson = Map.groupBy(all, ({ key, isAnonymous }) => `${key} ${isAnonymous}`);
  return [...byPerson].map(([person, list]) => [
    person,
    inOrder([...new Set(list.flatMap(({ platforms }) => platforms))]),
    inOrder([...new Set(list.flatMap(({ versions }) => versions))]),
  ]);
}

function peopleOf(rows: readonly EventRow[]) {
  const byPerson = Map.groupBy(
    rows,
    (one) => `${keyOf(keyWords(one.personId))} ${one.userId === null}`,
  );
  return [...byPerson].map(([person, list]) => {
    const sent = list.filter((one) => one.environment === 'production' && one.name[0] !== '$');
    return [
      person,
      inOrder([...new Set(sent.map(({ platform }) => platform))]),
      inOrder([...new Set(sent.map(({ appVersion }) => appVersion))]),
    ];
  });
}

describe('a projection', () => {
  test('has every row and person of its file, whether made of a file or of rows', async () => {
    await fc.assert(
      fc.asyncProperty(rowLists, async (rows) => {
        const { projection } = await duck.writeFile(rows, { level: 1 });
        for (const made of [
          projection!,
          readProjection((await buildRows(rows, { withProps: true }))!.bytes),
        ]) {
          expect(inOrder(rowsOf(made))).toEqual(inOrder(told(rows)));
          expect(inOrder(peopleIn(made))).toEqual(inOrder(peopleOf(rows)));
          const first = [...made.keys].filter((_, word) => word % 4 === 0);
          expect(first).toEqual(first.toSorted((a, b) => a - b));
        }
        const without = projectedWithout(rows);
        const senderless = told(rows).map((one) => ({ ...one, sender: undefined }));
        expect(inOrder(rowsOf(without))).toEqual(inOrder(senderless));
        expect(inOrder(peopleIn(without))).toEqual(inOrder(peopleOf(rows)));
        expect(without.entries).toBe(peopleOf(rows).length);
      }),
      { numRuns: process.env.TEST_FULL ? 500 : 15 },
    );
  });

  test('keeps the sender of every row, unless a file would take more than a fifth more for it', async () => {
    const rows = (isMoving: boolean) =>
      Array.from({ length: 20_000 }, (_, index) => {
        const person = index % 4_000;
        const at = isMoving ? index : person;
        return eventRow({
          name: `step_${index % 5}`,
          anonymousId: `device-${person}`,
          occurredAtUs: index,
          platform: ['ios', 'android'][at % 2]!,
          // One in twenty updates meanwhile.
          appVersion: `2.${(at % 9) + (person % 20 === 0 && index > 10_000 ? 1 : 0)}`,
          country: ['DE', 'US', 'FR'][at % 3]!,
        });
      });
    const made = async (isMoving: boolean) => {
      const { path } = await duck.writeFile(rows(isMoving));
      const connection = await duck.duck.connect();
      const from = `(SELECT ${PROJECTED_COLUMNS.join(', ')} FROM read_parquet('${path}'))`;
      const all = (await projectSql(connection, from, { withProps: true }))!;
      const bounded = (await projectSql(connection, from, {
        withProps: true,
        senders: 'bounded',
      }))!;
      const none = (await projectSql(connection, from, { withProps: true, senders: 'none' }))!;
      connection.closeSync();
      return { all, bounded, none };
    };
    const staying = await made(false);
    expect(readProjection(staying.bounded).hasSenders).toBe(true);
    expect(staying.bounded.length).toBeLessThan(1.2 * staying.none.length);
    const moving = await made(true);
    expect(readProjection(moving.all).hasSenders).toBe(true);
    expect(moving.all.length).toBeGreaterThan(1.2 * moving.none.length);
    expect(moving.bounded).toEqual(moving.none);
    expect(readProjection(moving.bounded).hasSenders).toBe(false);
  });

  test('is not read once a single byte of it is another, or missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        rowLists,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (rows, place, change) => {
          const { bytes } = (await buildRows(rows, { withProps: true }))!;
          const changed = bytes.slice();
          const at = place % bytes.length;
          // Four bytes after the length of the header have no meaning.
          if (at < 12 || at >= 16) {
            changed[at] = changed[at]! ^ change;
            expect(() => readProjection(changed)).toThrow(DamagedProjection);
          }
          expect(() => readProjection(bytes.slice(0, at))).toThrow(DamagedProjection);
        },
      ),
      { numRuns: process.env.TEST_FULL ? 2_000 : 100 },
    );
  });

  test('is compared by the thread that opens it first, and by none that helps', async () => {
    const { bytes } = (await buildRows([eventRow({ name: 'opened' })], { withProps: true }))!;
    const changed = bytes.slice();
    changed[changed.length - 1] = changed.at(-1)! ^ 1;
    const path = join(duck.dir, 'compared.projection');
    await Bun.write(path, changed);
    expect(openProjection(path)).toBeNull();
    expect(openFrom({ path })?.rows).toBe(1);
  });

  test('that is lost, damaged, short or of another app is told apart from one that could not be fetched', async () => {
    const objects = localObjectStore(join(duck.dir, 'objects'));
    const { bytes } = (await buildRows([eventRow({ name: 'opened' })], { withProps: true }))!;
    await objects.putBytes('projections/good', bytes);
    await objects.putBytes('projections/empty', new Uint8Array(0));
    await objects.putBytes('projections/cut', bytes.slice(0, -8));
    const of = (appId: string) => new ProjectionBuilder({ owner: { orgId: ORG, appId } }).encode()!;
    await objects.putBytes('projections/own', of(APP));
    await objects.putBytes('projections/foreign', of('app_other'));
    await objects.putBytes('projections/short', bytes);
    const names = ['good', 'empty', 'cut', 'none', 'away', 'own', 'foreign', 'short'];
    const rowsOf: Record<string, number> = { own: 0, foreign: 0, short: 2 };
    const files = names.map((name) => ({
      projection: `projections/${name}`,
      rows: rowsOf[name] ?? 1,
    }));
    const away = {
      ...objects,
      localPath: async (key: string) => {
        if (key.endsWith('away')) throw new Error('The store is away.');
        return objects.localPath(key);
      },
      list: async (prefix: string) => {
        if (prefix.endsWith('away')) throw new Error('The store is away.');
        return objects.list(prefix);
      },
    };
    const scope = { orgId: ORG, appId: APP };
    const all = [...files, { projection: null, rows: 1 }];
    const { opened, lost } = await openProjections(away, all, scope);
    expect(opened.map(({ projection }) => projection?.entries ?? null)).toEqual([
      1,
      null,
      null,
      null,
      null,
      0,
      null,
      null,
      null,
    ]);
    expect(lost.toSorted()).toEqual(
      ['cut', 'empty', 'foreign', 'none', 'short'].map((name) => `projections/${name}`),
    );
  });

  test('is still read by a question that began before it was removed', async () => {
    const path = join(duck.dir, 'removed.projection');
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      eventRow({ name: 'opened', anonymousId: `device-${index}`, occurredAtUs: index }),
    );
    await Bun.write(path, (await buildRows(rows, { withProps: true }))!.bytes);
    const projection = openProjection(path)!;
    rmSync(path);
    expect(rowsOf(projection).reduce((sum, { us }) => sum + us, 0)).toBe(49_995_000);
    expect(openProjection(path)).toBeNull();
  });
});
