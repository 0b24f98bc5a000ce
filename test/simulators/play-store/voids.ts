import type { SimulatorAnswer } from '../kit/server.ts';
import { googleError } from './errors.ts';

const DAY = 86_400_000;
const KEPT = 30 * DAY;
const MOST = 1_000;

type Row = Record<string, unknown>;
type Asked = {
  startTime: number;
  endTime: number;
  isOfAllKinds: boolean;
  hasParts: boolean;
  from: number;
};

const timeOf = ({ voidedTimeMillis }: Row) => Number(voidedTimeMillis);
const toToken = (asked: Asked) => Buffer.from(JSON.stringify(asked)).toString('base64url');

function ofToken(token: string): Asked | null {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return null;
  }
}

/** Null of a question that Google refuses. */
function askedBy(query: URLSearchParams, now: number): Asked | null {
  const token = query.get('token');
  // The filters of the first page hold on.
  if (token !== null) return ofToken(token);
  const type = query.get('type') ?? '0';
  const asked = {
    startTime: Number(query.get('startTime') ?? now - KEPT),
    endTime: Number(query.get('endTime') ?? now),
    isOfAllKinds: type === '1',
    hasParts: query.get('includeQuantityBasedPartialRefund') === 'true',
    from: 0,
  };
  const isRight = (type === '0' || type === '1') && asked.endTime <= now;
  return isRight && asked.startTime >= now - KEPT ? asked : null;
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
    const most = Number(query.get('maxResults') ?? MOST);
    if (asked === null || most < 1 || most > MOST) return googleError(400, 'invalidValue');
    const { startTime, endTime, isOfAllKinds, hasParts, from } = asked;
    const rows = this.kept
      .filter(({ packageName = asking }) => packageName === asking)
      .map(({ row }) => row)
      .filter((row) => hasParts || row.voidedQuantity === undefined)
      .filter((row) => isOfAllKinds || isProduct(row.purchaseToken))
      .filter((row) => timeOf(row) >= startTime && timeOf(row) <= endTime)
      .toSorted((one, other) => timeOf(one) - timeOf(other));
    const next = from + Math.min(most, this.rowsPerPage);
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
