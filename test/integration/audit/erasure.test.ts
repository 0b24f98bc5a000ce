import { expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { forgetPeople } from '../../../src/modules/audit/queries.ts';
import { must } from '../../../src/shared/assert.ts';
import type { Sql } from '../../../src/storage/postgres.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestQueries } from '../../support/queries.ts';
import { isFullRun } from '../../support/random.ts';
import { isNoId } from '../../../src/shared/identity.ts';
import { createTestApp, createTestOrg, startTestService } from '../../support/service.ts';

const service = await startTestService(await testDatabase());
const { call, deps } = service;
const { sql } = deps;
await startTestQueries(deps);
const org = await createTestOrg(service);
const MIGRATION = join(
  import.meta.dir,
  '../../../src/storage/migrations/1310_forgotten_in_audit.sql',
);

/** Words of the entry's own JSON: keys, tables, columns, values of other columns. */
const AWKWARD = [
  ...['of', 'org_id', 'before', 'after', 'user_id', 'product_id', 'note', 'purchase_grants', 'pro'],
  ...['{"', '"', '\\', "'", '1', '(secret)', '🦊', 'grant_id'],
];

async function grant(appId: string, userId: string, note = 'pro') {
  const body = { userId, productId: 'pro', note };
  const made = await call(`/v1/apps/${appId}/purchases/grants`, { body, headers: org.key });
  expect(made.status).toBe(201);
}
const erase = (appId: string, personId: string) =>
  call(`/v1/apps/${appId}/person?${new URLSearchParams({ personId })}`, {
    method: 'DELETE',
    headers: org.key,
  });
async function entriesOf(appId: string) {
  const { status, body } = await call(`/v1/audit?appId=${appId}&of=purchase_grants`, {
    headers: org.key,
  });
  expect(status).toBe(200);
  return body.entries.filter(({ operation }: { operation: string }) => operation !== 'erasePerson');
}

test('an erasure leaves a pseudonym in the columns of ids, and all else of an entry as it was', async () => {
  const ids = fc.uniqueArray(fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ minLength: 1 })), {
    minLength: 2,
    maxLength: 3,
  });
  const property = fc.asyncProperty(ids, async (drawn) => {
    const people = drawn.map((id) => id.replaceAll('\u0000', '').trim() || 'x');
    fc.pre(new Set(people).size === people.length && !people.some(isNoId));
    const { appId } = await createTestApp(service, org.orgId);
    for (const id of people) await grant(appId, id);
    const before = await entriesOf(appId);
    const [gone = ''] = people;
    expect((await erase(appId, gone)).status).toBe(204);
    const after = await entriesOf(appId);
    const pseudonym = after.at(-1).changes[0].after.user_id;
    expect(pseudonym).toStartWith('erased_');
    const expected = before.map((entry: { changes: Change[] }) => ({
      ...entry,
      changes: entry.changes.map(({ after, ...rest }) => ({
        ...rest,
        ...(rest.id && { id: plainly(rest.id, gone, pseudonym) }),
        after: after && plainly(after, gone, pseudonym),
      })),
    }));
    expect(after).toEqual(expected);
  });
  await fc.assert(property, {
    numRuns: isFullRun ? 200 : 8,
    examples: AWKWARD.slice(0, isFullRun ? AWKWARD.length : 6).map((id) => [[id, 'ada']]),
  });
});
type Values = Record<string, unknown>;
type Change = { of: string; id: Values | null; before: Values | null; after: Values | null };
const plainly = (row: Values, id: string, pseudonym: string): Values =>
  row.user_id === id ? { ...row, user_id: pseudonym } : row;

test('ids of a list of people are replaced one by one', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  const path = `/v1/apps/${appId}/purchases/settings`;
  const body = { sandboxListed: ['ada', 'sandbox_listed', 'bob'] };
  await call(path, { method: 'PATCH', body, headers: org.key });
  await sql.begin((tx) =>
    forgetPeople(tx, { orgId: org.orgId, appId }, ['ada', 'sandbox_listed', 'after']),
  );
  const { body: page } = await call(`/v1/audit?appId=${appId}&of=purchase_settings`, {
    headers: org.key,
  });
  const { sandbox_listed: listed } = page.entries[0].changes[0].after;
  expect(listed).toEqual([listed[0], listed[0], 'bob']);
  expect(listed[0]).toStartWith('erased_');
});

/** As releases before erased an id from an entry. */
async function damage(db: Sql, appId: string, id: string, pseudonym: string): Promise<void> {
  await db.begin(async (tx) => {
    await tx`SELECT set_config('audit.allows', 'erasure', true)`;
    await tx`
      UPDATE audit_entries SET people = array_replace(people, ${id}, ${pseudonym}),
        changes = replace(changes::text, to_jsonb(${id}::text)::text,
          to_jsonb(${pseudonym}::text)::text)::jsonb
      WHERE app_id = ${appId} AND people @> ARRAY[${id}]`;
  });
}

test('entries that lost a key, a table or a column are mended by the upgrade', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  const words = [
    ...['of', 'org_id', 'before', 'after', 'user_id', 'product_id', 'note', 'purchase_grants'],
  ];
  for (const id of words) await grant(appId, id, 'kept');
  const whole = await entriesOf(appId);
  for (const id of words) await damage(sql, appId, id, `erased_of_${id}`);
  const { status, body } = await call(`/v1/audit?appId=${appId}`, { headers: org.key });
  expect([status, body.entries.length]).toEqual([200, words.length]);
  await sql`DROP FUNCTION audit_forget`;
  await sql.begin(async (tx) => tx.unsafe(await Bun.file(MIGRATION).text()));
  const expected = whole.map((entry: { changes: Change[] }) => {
    const [change] = entry.changes;
    const { id, after, ...rest } = must(change, 'a grant is one change');
    const userId = String(after?.user_id);
    const named = (row: Values | null) => row && plainly(row, userId, `erased_of_${userId}`);
    return { ...entry, changes: [{ ...rest, id: named(id), after: named(after) }] };
  });
  expect(await entriesOf(appId)).toEqual(expected);
});

test('an entry of another form is shown without the changes that do not fit', async () => {
  const { appId } = await createTestApp(service, org.orgId);
  await grant(appId, 'ada');
  await sql`
    INSERT INTO audit_entries (entry_id, org_id, app_id, at, actor_kind, operation, changes,
      people, request_id)
    VALUES ('aud_0', ${org.orgId}, ${appId}, now(), 'user', 'odd', '[{"of": 1}, 2]', '{}', 'r')`;
  const { status, body } = await call(`/v1/audit?appId=${appId}`, { headers: org.key });
  const shown = body.entries.map((e: { changes: unknown[] }) => e.changes.length);
  expect([status, shown]).toEqual([200, [1, 0]]);
  const csv = await call(`/v1/audit?appId=${appId}`, {
    headers: { ...org.key, accept: 'text/csv' },
  });
  expect([csv.status, csv.text.split('\r\n').length]).toEqual([200, 4]);
});
