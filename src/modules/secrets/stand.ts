import type { SealedColumn } from '../../chapter.ts';
import type { Deps } from '../../context.ts';
import { countSealedWithOthers } from './queries.ts';

declare module '../../context.ts' {
  interface Deps {
    sealedColumns: readonly SealedColumn[];
  }
}

type Sealed = Pick<Deps, 'sealedColumns' | 'secrets' | 'sql'>;

export async function countUnopened({ sealedColumns, secrets, sql }: Sealed): Promise<number> {
  const counts = await Promise.all(
    sealedColumns.map((column) => countSealedWithOthers(sql, column, secrets.keyIds)),
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
