import type { SystemContext } from '../../../context.ts';
import { AppError } from '../../../shared/errors.ts';
import { findOrganizationOfApp } from '../../app-settings/index.ts';
import { storeLines } from './create.ts';
import type { ImportLine } from './parse-csv.ts';
import { type LeftOut, purchaseRows } from './read-file.ts';

const LINES_AT_ONCE = 10_000;
const MAX_PURCHASES = 900_000;

export type PurchasesFile = {
  rows: number;
  /** Distinct purchases, each with the user of its newest row. */
  purchases: number;
  leftOut: Partial<Record<LeftOut, number>>;
  importIds: string[];
};

type Input = { appId: string; path: string; dryRun?: boolean | undefined; signal?: AbortSignal };

async function readPurchases({ path, signal }: Input) {
  const users = new Map<string, { userId: string; at: string }>();
  const leftOut: PurchasesFile['leftOut'] = {};
  let rows = 0;
  for await (const row of purchaseRows(path)) {
    signal?.throwIfAborted();
    rows += 1;
    if ('leftOut' in row) {
      leftOut[row.leftOut] = (leftOut[row.leftOut] ?? 0) + 1;
      continue;
    }
    const { userId, chainId } = row.purchase;
    const known = users.get(chainId);
    if (!known || row.at >= known.at) users.set(chainId, { userId, at: row.at });
    if (users.size > MAX_PURCHASES) {
      throw new AppError('invalid_input', `The file has more than ${MAX_PURCHASES} purchases.`, {
        hint: 'Split it; a purchase that is sent again changes nothing.',
      });
    }
  }
  return { users, rows, leftOut };
}

export async function importPurchasesFile(
  { deps }: SystemContext<'clock' | 'log' | 'sql' | 'temporal'>,
  input: Input,
): Promise<PurchasesFile> {
  const { appId } = input;
  const orgId = await findOrganizationOfApp(deps.sql, appId);
  if (orgId === undefined) throw new AppError('not_found', `There is no app "${appId}".`);
  const { users, rows, leftOut } = await readPurchases(input);
  const importIds: string[] = [];
  let part: ImportLine[] = [];
  const send = async () => {
    if (part.length === 0) return;
    importIds.push(await storeLines(deps, { orgId, appId }, part));
    part = [];
  };
  for (const [chainId, { userId }] of input.dryRun ? [] : users) {
    part.push({ line: part.length + 2, userId, chainId, isValid: true });
    if (part.length === LINES_AT_ONCE) await send();
  }
  await send();
  return { rows, purchases: users.size, leftOut, importIds };
}
