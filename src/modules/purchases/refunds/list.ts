import type { AppContext } from '../../../context.ts';
import { parseTimeCursor, readPage, timeCursor } from '../../../shared/page.ts';
import { countRefundRequests } from '../ledger/refund-requests-queries.ts';
import * as refunds from '../model/refunds.ts';
import { type ListedRequest, selectRefundRequests } from './list-queries.ts';

const SENTENCES: Readonly<Record<refunds.ReasonNot, string>> = {
  off: 'Refund requests of this app, or of this person, are not answered.',
  no_consent: 'The customer has not consented to their use being told to the store.',
  family_shared: 'The purchase is shared by the family: the store takes no answer about it.',
  assigned: 'The purchase is a seat that was assigned: the store takes no answer about it.',
  decided: 'The store had decided before it was answered.',
  refused: 'The store refused the answer.',
  too_late: 'The twelve hours were over before the store took the answer.',
};

const TOO_LATE_FOR_GOOGLE = 'The 24 hours were over before Google Play took the answer.';

const REFUSALS: Readonly<Record<number, string>> = {
  4000006: 'The store does not take this transaction id.',
  4000035: 'The store misses the consent of the customer.',
  4000036: 'The store does not take how it was delivered.',
  4000041: 'The store does not take whether it could be tried before.',
  4000044: 'The store does not take the wish for this purchase.',
  4000047: 'The store takes no answer about this kind of product.',
  4000048: 'The store wants the id of a transaction, not that of the app.',
  4000185: SENTENCES.family_shared,
  4000209: 'The store takes no share used of a subscription that renews.',
  4000227: SENTENCES.assigned,
  4040010: 'The store does not know this transaction.',
};

export function refundSentence({
  why,
  storeCode,
  lastError,
  store,
}: Pick<ListedRequest, 'why' | 'storeCode' | 'lastError' | 'store'>): string | null {
  if (why === null) return lastError;
  if (why === 'too_late' && store === 'google_play') return TOO_LATE_FOR_GOOGLE;
  if (why !== 'refused') return SENTENCES[why];
  if (storeCode === null) return [SENTENCES.refused, lastError].filter(Boolean).join(' ');
  return REFUSALS[storeCode] ?? `${SENTENCES.refused} Its number is ${storeCode}.`;
}

function toRequest({ lastError, store, ...request }: ListedRequest): refunds.RefundRequest {
  const message = refundSentence({ ...request, lastError, store });
  return { ...request, message, ...(store === 'google_play' ? { store } : {}) };
}

export async function listRefundRequests(
  { deps, scope }: AppContext<'sql'>,
  input: refunds.RefundRequestsInput,
): Promise<refunds.RefundRequests> {
  const page = { state: input.state ?? null, before: parseTimeCursor(input.cursor) };
  const [{ rows, nextCursor }, counts] = await Promise.all([
    readPage(
      input.limit ?? refunds.REFUND_PAGE,
      (limit) => selectRefundRequests(deps.sql, scope, { ...page, limit }),
      ({ askedAt, id }) => timeCursor(askedAt, id),
    ),
    countRefundRequests(deps.sql, scope, { from: null, to: null }),
  ]);
  return { requests: rows.map(toRequest), counts, nextCursor };
}
