import type { AppContext } from '../../../context.ts';
import { MAX_PAYMENTS, type Payment } from '../../../query/experiment/model.ts';
import { AppError } from '../../../shared/errors.ts';
import { toIso } from '../../../shared/time.ts';
import { selectPayments } from '../../purchases/index.ts';
import { currencyOfOrganization } from '../../sales/index.ts';
import type { Measurement } from '../measurement.model.ts';

/** Store prices are thousandths, amounts of reports ten-thousandths. */
const TEN_THOUSANDTHS_OF_MILLIUNIT = 10;
const WHOLE_MILLIUNITS = 100_000;

export type Payments = {
  currency: string;
  payments: Payment[];
  purchases: number;
  joined: number;
  unconverted: number;
};

export const needsPayments = ({ metrics }: Measurement): boolean =>
  metrics.some(({ kind }) => kind !== 'event');

/** In minor units of the organization's currency, net of refunds. */
export async function readPayments(
  { deps, orgId, scope }: AppContext<'rates' | 'sql'>,
  { from, to }: { from: Date; to: Date },
): Promise<Payments> {
  const rows = await selectPayments(deps.sql, scope, { from, to, limit: MAX_PAYMENTS + 1 });
  if (rows.length > MAX_PAYMENTS) {
    throw new AppError('conflict', 'Too many purchases were made during this experiment.', {
      hint: `Its revenue is compared for at most ${MAX_PAYMENTS} purchases; compare it by events.`,
    });
  }
  const dayOf = (date: Date) => toIso(date).slice(0, 10);
  const rates = await deps.rates.load(dayOf(from), dayOf(to));
  const own = await currencyOfOrganization(deps, orgId);
  const counts = { purchases: rows.length, joined: 0, unconverted: 0 };
  const result: Payments = { currency: own, payments: [], ...counts };
  for (const { atMs, priceMilliunits, currency, refundedMilliunits, isTrial, person } of rows) {
    const convert = currency && rates.converter(currency, own, dayOf(new Date(atMs)));
    const gross =
      priceMilliunits === null || !convert
        ? null
        : convert(priceMilliunits * TEN_THOUSANDTHS_OF_MILLIUNIT);
    if (gross === null && !isTrial) result.unconverted += 1;
    if (person === null) continue;
    result.joined += 1;
    const amount = (gross ?? 0) * (1 - refundedMilliunits / WHOLE_MILLIUNITS);
    result.payments.push({ person, atUs: atMs * 1_000, amount, isTrial });
  }
  return result;
}
