import { describe, expect, test } from 'bun:test';
import { SEALED_COLUMNS } from '../../../src/app/chapters.ts';
import { rotateSecrets } from '../../../src/modules/secrets/rotate.ts';
import { createSecrets } from '../../../src/storage/secrets/secrets.ts';
import { testDatabase } from '../../support/postgres.ts';
import { startTestService } from '../../support/service.ts';

const database = await testDatabase();
const { sql } = database;
const service = await startTestService(database);
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const scope = (orgId: string) => ({ orgId, purpose: 'webhook' });

const rotateWith = (...keys: string[]) =>
  rotateSecrets(
    { deps: { ...service.deps, secrets: createSecrets(keys) }, requestId: 'test' },
    SEALED_COLUMNS,
  );

async function insertWebhook(orgId: string, sealed: string): Promise<void> {
  await sql`
    INSERT INTO webhooks (webhook_id, org_id, url, events, sealed_secret, created_at)
    VALUES (${crypto.randomUUID()}, ${orgId}, 'https://example.com', '{}', ${sealed}, now())`;
}

async function sealedOf(orgId: string): Promise<string> {
  const rows = await sql<{ sealed: string }[]>`
    SELECT sealed_secret AS sealed FROM webhooks WHERE org_id = ${orgId}`;
  return rows[0]?.sealed ?? '';
}

test('every sealed column of the database is known', async () => {
  const rows = await sql<{ table: string; column: string }[]>`
    SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name LIKE 'sealed\\_%' ORDER BY 1, 2`;
  const known = SEALED_COLUMNS.map(({ table, column }) => ({ table, column }));
  expect([...rows]).toEqual(known.toSorted((a, b) => (a.table < b.table ? -1 : 1)));
});

describe('rotation', () => {
  test('seals with the first key what another key sealed, and nothing else', async () => {
    const [old, first] = [createSecrets([key(1)]), createSecrets([key(2)])];
    await insertWebhook('org-old', old.seal(scope('org-old'), 'secret of old'));
    const current = first.seal(scope('org-current'), 'secret of current');
    await insertWebhook('org-current', current);
    expect(await rotateWith(key(2), key(1))).toMatchObject({
      rotated: 1,
      current: 1,
      unreadable: [],
    });
    expect(first.open(scope('org-old'), await sealedOf('org-old'))).toBe('secret of old');
    expect(await sealedOf('org-current')).toBe(current);
    expect(await rotateWith(key(2))).toMatchObject({ rotated: 0, current: 2, unreadable: [] });
  });

  test('names what no key opens, and leaves it', async () => {
    const lost = createSecrets([key(7)]).seal(scope('org-lost'), 'x');
    await insertWebhook('org-lost', lost);
    const { unreadable } = await rotateWith(key(2), key(1));
    expect(unreadable).toEqual([{ orgId: 'org-lost', table: 'webhooks' }]);
    expect(await sealedOf('org-lost')).toBe(lost);
  });

  test('goes through more than a batch', async () => {
    const old = createSecrets([key(1)]);
    for (let index = 0; index < 450; index += 1) {
      await insertWebhook(`org-${index}`, old.seal(scope(`org-${index}`), `secret ${index}`));
    }
    expect((await rotateWith(key(3), key(2), key(1))).rotated).toBe(452);
    const opened = createSecrets([key(3)]).open(scope('org-449'), await sealedOf('org-449'));
    expect(opened).toBe('secret 449');
  });

  test('needs a key', async () => {
    await expect(rotateWith()).rejects.toMatchObject({ code: 'secret_storage_unavailable' });
  });
});
