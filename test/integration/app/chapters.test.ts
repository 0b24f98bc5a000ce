import { describe, expect, test } from 'bun:test';
import { CHAPTERS, CLEANUP_STEPS, PERSON_PLACES } from '../../../src/app/chapters.ts';
import { testDatabase } from '../../support/postgres.ts';

const { sql } = await testDatabase();

/** Names of columns that hold an organization, an app or a person, of the service and of better-auth. */
const OWNED = ['org_id', 'organizationId', 'activeOrganizationId', 'referenceId', 'app_id'];
const PERSONS = [
  ...['distinct_id', 'person', 'person_id', 'user_id', 'userId', 'anonymous_id', 'subject'],
  ...['subject_hash', 'from_id', 'to_id', 'users', 'holder', 'email', 'inviterId', 'requested_by'],
];

/** Tables with such a column that belong to no chapter, by design. */
const NO_CHAPTER: Readonly<Record<string, string>> = {
  outbox: 'the previous release writes it; nothing of this release does',
  store_key_slots: 'its holder is a process that uses a key of the store, not a person',
};

type Column = { table: string; column: string };

/** Partitions are left out: they are their parent's. */
const columns = await sql<Column[]>`
  SELECT CASE WHEN c.table_schema = 'public' THEN c.table_name
    ELSE c.table_schema || '.' || c.table_name END AS "table", c.column_name AS "column"
  FROM information_schema.columns c
  JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = c.table_schema::regnamespace
  WHERE c.table_schema IN ('public', 'auth') AND NOT r.relispartition
  ORDER BY 1, 2`;
const tablesWith = (names: readonly string[]) => [
  ...new Set(columns.filter(({ column }) => names.includes(column)).map(({ table }) => table)),
];
const declared = CHAPTERS.flatMap(({ tables }) => tables);

describe('what a chapter declares', () => {
  test('every table with an organization, an app or a person is in exactly one chapter', () => {
    const owned = tablesWith([...OWNED, ...PERSONS]).filter((table) => !(table in NO_CHAPTER));
    expect(declared.toSorted()).toEqual([...new Set(declared)].toSorted());
    expect(owned.filter((table) => !declared.includes(table))).toEqual([]);
  });

  test('every declared table is there, and so is every exception', () => {
    const all = new Set(columns.map(({ table }) => table));
    expect([...declared, ...Object.keys(NO_CHAPTER)].filter((name) => !all.has(name))).toEqual([]);
  });

  test('sealed columns stand in tables of their chapter', () => {
    for (const { sealed = [], tables } of CHAPTERS) {
      for (const { table } of sealed) expect(tables).toContain(table);
    }
  });

  test('ids of people of an app stand in chapters that erase them', () => {
    const ofApps = new Set(tablesWith(['app_id']));
    const withPeople = tablesWith(PERSONS).filter((table) => ofApps.has(table));
    expect(withPeople).toContain('purchase_links');
    // Events are erased by the use-case that erases a person, after everything else.
    const erasing = CHAPTERS.filter(({ name, people }) => name === 'events' || people);
    expect(withPeople.filter((name) => !erasing.some((c) => c.tables.includes(name)))).toEqual([]);
  });
});

test('the deletion of an app cleans up in this order, the row of the app last', () => {
  expect(CLEANUP_STEPS.map(({ name }) => name)).toEqual([
    ...['events', 'backend', 'preview', 'logs', 'marketing', 'store reviews'],
    ...['store reports', 'store link', 'purchases', 'webhooks'],
    ...['audit', 'rows', 'app'],
  ]);
});

test('the erasure of a person changes first what finds its rows by others', () => {
  const tables = PERSON_PLACES.map(({ table }) => table);
  const order = ['notices', 'transactions', 'renewals', 'refund_requests', 'chains', 'links'];
  const found = tables.filter((table) => order.includes(table.replace('purchase_', '')));
  expect(found).toEqual(order.map((table) => `purchase_${table}`));
});

test('the records of an export have a kind of their own, under which a page goes on', () => {
  const kinds = PERSON_PLACES.map(({ kind }) => kind);
  expect(kinds).toEqual([...new Set(kinds)]);
  for (const kind of kinds) expect(kind).toMatch(/^[a-z_]{1,40}$/);
});
