import { people as t } from '../../texts/people.ts';
import type { Customer } from './queries.ts';

type Code = Customer['reason']['code'];

const TONES: Partial<Record<Code, 'good' | 'warn' | 'bad' | 'accent'>> = {
  paid: 'good',
  lifetime: 'good',
  family_shared: 'good',
  trial: 'accent',
  granted: 'accent',
  grace: 'warn',
  leeway: 'warn',
  billing_retry: 'warn',
  refunded: 'bad',
};

/** Null for who never bought or was granted anything. */
export function paymentOf(customer: Customer | null): { text: string; tone: string } {
  if (customer === null) return { text: t.payments.nothing_bought, tone: '' };
  const { code } = customer.reason;
  return { text: t.payments[code], tone: TONES[code] ?? '' };
}
