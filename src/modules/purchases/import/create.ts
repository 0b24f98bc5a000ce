import type { AppContext, Deps } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { at } from '../../../shared/assert.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { toIso, toIsoOrNull } from '../../../shared/time.ts';
import { purchaseImportContract } from '../../../temporal/contracts/purchases.ts';
import { ensureSoon } from '../../../temporal/ensure.ts';
import { type ImportInput, type ImportQuery, type PurchaseImport, REFUSAL_PAGE } from './model.ts';
import { type ImportLine, parseImport } from './parse-csv.ts';
import { countOpenImports, insertImport, selectImport, selectRefusals } from './queries.ts';

const MAX_OPEN = 100;

/** Throws `invalid_input`, and `conflict` with too many open imports. */
export async function createImport(
  ctx: AppContext<'clock' | 'log' | 'sql' | 'temporal'>,
  input: ImportInput,
): Promise<PurchaseImport> {
  const { deps, scope } = ctx;
  const lines = parseImport(input.csv);
  const importId = await storeLines(deps, scope, lines);
  return getImport(ctx, { importId }, {});
}

export async function storeLines(
  deps: Pick<Deps, 'clock' | 'log' | 'sql' | 'temporal'>,
  scope: AppScope,
  lines: readonly ImportLine[],
): Promise<string> {
  if ((await countOpenImports(deps.sql, scope)) >= MAX_OPEN) {
    throw new AppError('conflict', `${MAX_OPEN} imports of this app are not finished yet.`, {
      hint: 'Wait until some of them are.',
    });
  }
  const importId = newId('imp');
  const key = { ...scope, importId };
  await deps.sql.begin((tx) => insertImport(tx, key, { lines, at: deps.clock() }));
  ensureSoon(deps, purchaseImportContract, scope);
  return importId;
}

export async function getImport(
  { deps, orgId, app }: AppContext<'sql'>,
  { importId }: { importId: string },
  query: ImportQuery,
): Promise<PurchaseImport> {
  const key = { orgId, appId: app.id, importId };
  const limit = query.limit ?? REFUSAL_PAGE;
  const page = { afterLine: query.afterLine ?? 0, limit: limit + 1 };
  const { createdAt, finishedAt, ...counts } = await selectImport(deps.sql, key);
  const rows = await selectRefusals(deps.sql, key, page);
  const refusals = rows.slice(0, limit);
  return {
    id: importId,
    status: finishedAt === null ? 'running' : 'finished',
    ...counts,
    createdAt: toIso(createdAt),
    finishedAt: toIsoOrNull(finishedAt),
    refusals,
    nextAfterLine: rows.length > limit ? at(refusals, limit - 1).line : null,
  };
}
