import type { SimulatorAnswer } from '../kit/server.ts';
import { googleError } from './errors.ts';

const DAY = 86_400_000;
const KEPT = 30 * DAY;
const MOST = 1_000;

type Row = Record<string, unknown>;
type Asked = { startTime: number; endTime: number; isOfAllKinds: boolean; from: number };

const timeOf = ({ voidedTimeMillis }: Row) => Number(voidedTimeMillis);
const toToken = (asked: Asked) => Buffer.from(JSON.stringify(asked)).toString('base64url');
const ofToken = (token: string): Asked => JSON.parse(Buffer.from(token, 'base64url').toString());

function askedBy(query: URLSearchParams, now: number): Asked {
  const token = query.get('token');
  // The filters of the first page hold on.
  if (token !== null) return ofToken(token);
  return {
    startTime: Number(query.get('startTime') ?? now - KEPT),
    endTime: Number(query.get('endTime') ?? now),
    isOfAllKinds: query.get('type') === '1',
    from: 0,
  };
}

/** The list of voided purchases, oldest first. */
export class Voids {
  /** Without a package, of any. */
  readonly kept: { row: Row; packageName: string | undefined }[] = [];
  rowsPerPage = MOST;

  list(
    query: URLSearchParams,
    {
      now,
      packageName: asking,
      isProduct,
    }: { now: number; packageName: string; isProduct: (token: unknown) => boolean },
  ): SimulatorAnswer {
    const asked = askedBy(query, now);
    const { startTime, endTime, isOfAllKinds, from } = asked;
    // A page may be asked for some time after the first.
    if (from === 0 && startTime < now - KEPT) return googleError(400, 'invalidValue');
    const rows = this.kept
      .filter(({ packageName = asking }) => packageName === asking)
      .map(({ row }) => row)
      .filter((row) => isOfAllKinds || isProduct(row.purchaseToken))
      .filter((row) => timeOf(row) >= startTime && timeOf(row) <= endTime)
      .toSorted((one, other) => timeOf(one) - timeOf(other));
    const next = from + Math.min(Number(query.get('maxResults') ?? MOST), this.rowsPerPage);
    const page = rows.slice(from, next);
    const tokenPagination = { nextPageToken: toToken({ ...asked, from: next }) };
    return {
      status: 200,
      json: {
        ...(page.length > 0 && { voidedPurchases: page }),
        ...(next < rows.length && { tokenPagination }),
      },
    };
  }
}
