import type { SealedColumn } from '../../chapter.ts';
import type { Deps, SystemContext } from '../../context.ts';
import { must } from '../../shared/assert.ts';
import { AppError } from '../../shared/errors.ts';
import * as queries from './queries.ts';

type Sealed = Pick<Deps, 'sealedColumns' | 'secrets' | 'sql'>;

async function countUnopened({ sealedColumns, secrets, sql }: Sealed): Promise<number> {
  const counts = await Promise.all(
    sealedColumns.map((column) => queries.countSealedWithOthers(sql, column, secrets.keyIds)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

export async function secretsStand(deps: Sealed): Promise<{ good: boolean; detail: string }> {
  const unopened = await countUnopened(deps);
  return unopened === 0
    ? { good: true, detail: 'Stored secrets can be opened.' }
    : {
        good: false,
        detail: `${unopened} stored secrets cannot be opened: none of SECRETS_KEY sealed them. Put the key of before back behind the first one, then rotate (docs/runbook.md).`,
      };
}

export type Rotation = {
  key: string;
  others: string[];
  /** Resealed records. */
  rotated: number;
  current: number;
  unreadable: { orgId: string; table: string }[];
};

async function rotateRecord(
  { secrets, sql }: Pick<Deps, 'secrets' | 'sql'>,
  column: SealedColumn,
  record: queries.SealedRecord,
): Promise<'rotated' | 'current' | 'unreadable'> {
  if (!secrets.needsRotation(record.sealed)) return 'current';
  const scope = { orgId: record.orgId, purpose: column.purpose };
  let plaintext: string;
  try {
    plaintext = secrets.open(scope, record.sealed);
  } catch {
    return 'unreadable';
  }
  await queries.replaceSealed(sql, column, record, secrets.seal(scope, plaintext));
  return 'rotated';
}

/** While the service runs. Idempotent. Throws `secret_storage_unavailable`. */
export async function rotateSecrets(
  { deps }: SystemContext<'secrets' | 'sql'>,
  columns: readonly SealedColumn[],
): Promise<Rotation> {
  if (!deps.secrets.available) {
    throw new AppError('secret_storage_unavailable', 'SECRETS_KEY is not set.');
  }
  const [key, ...others] = deps.secrets.keyIds;
  const rotation: Rotation = {
    key: must(key, 'there is one'),
    others,
    rotated: 0,
    current: 0,
    unreadable: [],
  };
  for (const column of columns) {
    for await (const records of queries.sealedRecords(deps.sql, column)) {
      for (const record of records) {
        const outcome = await rotateRecord(deps, column, record);
        if (outcome === 'unreadable') {
          rotation.unreadable.push({ orgId: record.orgId, table: column.table });
        } else {
          rotation[outcome] += 1;
        }
      }
    }
  }
  return rotation;
}
