import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../../src/admin/cli.ts';
import { COMMANDS } from '../../../src/admin/commands/index.ts';
import { backup } from '../../../src/modules/backup/backup.ts';
import { readManifest } from '../../../src/modules/backup/manifest.ts';
import { restore } from '../../../src/modules/backup/restore.ts';
import { verifyBackup } from '../../../src/modules/backup/verify.ts';
import { RELEASE } from '../../../src/storage/release.ts';
import { temporaryFolder } from '../../support/events.ts';
import { testDatabase } from '../../support/postgres.ts';
import { createTestOrg, startTestService } from '../../support/service.ts';

const ROWS = 12_000;

async function newService() {
  const service = await startTestService(await testDatabase());
  return { ...service, ctx: { deps: service.deps, requestId: 'test' } };
}
type Service = Awaited<ReturnType<typeof newService>>;

/** More than 10 MB in a table, and as much on the disk: its text cannot be compressed. */
const fill = ({ deps: { sql } }: Service, rows = ROWS) => sql`
  INSERT INTO outbox (outbox_id, org_id, workflow_type, workflow_id, input, summary)
  SELECT 'out_' || n, 'org', 'type', 'id/' || n, '{}',
    (SELECT string_agg(md5(n::text || '/' || part), '') FROM generate_series(1, 30) AS part)
  FROM generate_series(1, ${rows}::int) AS n`;

async function contentOf({ deps: { sql } }: Service) {
  const rows = await sql`SELECT o::text AS row FROM outbox o ORDER BY outbox_id`;
  return rows.map(({ row }) => row);
}

async function admin({ ctx }: Service, ...words: string[]) {
  const said: string[] = [];
  const terminal = {
    out: (text: string) => said.push(text),
    err: (text: string) => said.push(text),
  };
  const connect = async () => ({ ctx, close: async () => undefined });
  const code = await runCli(COMMANDS, words, { terminal, connect });
  return { code, said: said.join('\n') };
}

describe('a backup of a table of more than 10 MB', () => {
  test('ends, says how far it is, names its cut, and comes back equal to the row', async () => {
    const from = await newService();
    await fill(from);
    const dir = temporaryFolder('whole');
    const said: string[] = [];
    const began = new Date().toISOString();
    const made = await backup(from.ctx, dir, { report: (text) => said.push(text) });
    expect(said.some((text) => text.includes('public.outbox'))).toBe(true);
    expect(made.cut!.beganAt >= began).toBe(true);
    expect(made.cut!.snapshotAt <= made.cut!.endedAt).toBe(true);
    const file = made.files!.find(({ path }) => path.endsWith('public.outbox.copy.gz'));
    expect(file!.bytes).toBeGreaterThan(5_000_000);

    const to = await newService();
    await restore(to.ctx, dir);
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  test('that is ended early leaves an empty folder and no lease', async () => {
    const from = await newService();
    await fill(from);
    const dir = temporaryFolder('whole');
    const ending = new AbortController();
    const report = (text: string) => {
      if (text.includes('public.outbox')) ending.abort();
    };
    await expect(backup(from.ctx, dir, { report, signal: ending.signal })).rejects.toThrow();
    expect(readdirSync(dir)).toEqual([]);
    expect(await from.deps.sql`SELECT 1 FROM event_leases`).toHaveLength(0);
    await backup(from.ctx, dir);
  });

  test('holds its files by a lease that ends within a minute of its death', async () => {
    const from = await newService();
    const dir = temporaryFolder('whole');
    const { sql } = from.deps;
    await sql.unsafe(`
      CREATE SCHEMA seen;
      CREATE TABLE seen.leases (left_seconds float NOT NULL);
      CREATE FUNCTION seen.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO seen.leases VALUES (extract(epoch FROM NEW.expires_at - now()));
        RETURN NEW;
      END $$;
      CREATE TRIGGER note AFTER INSERT OR UPDATE ON event_leases
        FOR EACH ROW EXECUTE FUNCTION seen.note();`);
    await backup(from.ctx, dir);
    const leases = (await sql`SELECT left_seconds AS left FROM seen.leases`).map(
      ({ left }) => left,
    );
    expect(leases.length).toBeGreaterThan(0);
    for (const left of leases) expect(left).toBeLessThanOrEqual(60);
  });
});

describe('verifying a backup', () => {
  async function made() {
    const service = await newService();
    await createTestOrg(service);
    const dir = temporaryFolder('whole');
    await backup(service.ctx, dir);
    return { service, dir };
  }

  test('counts its files, by the command too', async () => {
    const { service, dir } = await made();
    const { files } = await verifyBackup(service.ctx, dir);
    expect(files).toBe((await readManifest(dir)).files!.length);
    const { code, said } = await admin(service, 'backup', 'verify', dir);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining(`${dir} is complete: ${files} files`),
    ]);
    const other = temporaryFolder('whole');
    expect((await admin(service, 'backup', other, '--verify')).code).toBe(0);
  });

  const damages: [string, (path: string) => void, string][] = [
    ['a file that is gone', (path) => rmSync(path), 'is missing'],
    [
      'a file with another byte',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 1]! ^= 1;
        writeFileSync(path, bytes);
      },
      'has changed',
    ],
    ['a file too many', (path) => writeFileSync(`${path}.more`, ''), 'is not of this backup'],
  ];

  test.each(damages)('finds %s, and so does a restore', async (_, damage, words) => {
    const { service, dir } = await made();
    damage(join(dir, 'database', 'auth.user.copy.gz'));
    await expect(verifyBackup(service.ctx, dir)).rejects.toThrow(words);
    const { code, said } = await admin(service, 'backup', 'verify', dir);
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
    const to = await newService();
    await expect(restore(to.ctx, dir)).rejects.toThrow(words);
    expect(await to.deps.sql`SELECT 1 FROM auth."user"`).toHaveLength(0);
  });

  test('knows what was stopped before its end', async () => {
    const { dir, service } = await made();
    rmSync(join(dir, 'manifest.json'));
    await expect(verifyBackup(service.ctx, dir)).rejects.toThrow('was not finished');
    const to = await newService();
    await expect(restore(to.ctx, dir)).rejects.toThrow('was not finished');
  });

  test('takes backups of the first format, which have no checksums', async () => {
    const { dir, service } = await made();
    const path = join(dir, 'manifest.json');
    const { cut: _, files: __, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...rest, format: 1 }));
    await verifyBackup(service.ctx, dir);
    const to = await newService();
    await restore(to.ctx, dir);
    expect(await to.deps.sql`SELECT 1 FROM auth."user"`).toHaveLength(1);
  });
});

test('a backup of a newer release is refused, and nothing of it stays', async () => {
  const from = await newService();
  await createTestOrg(from);
  await from.deps.sql`UPDATE installation SET min_release = ${RELEASE + 1}`;
  const dir = temporaryFolder('whole');
  await backup(from.ctx, dir);
  const to = await newService();
  await expect(restore(to.ctx, dir)).rejects.toThrow('written by a newer release');
  expect(await to.deps.sql`SELECT 1 FROM auth."user"`).toHaveLength(0);
});
