import type { PurchaseCustomersPage } from '../../../../clients/api/src/index.ts';
import { CUSTOMER_STATE, CUSTOMER_STATES } from '../../../shared/customer-state.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

export type Customer = PurchaseCustomersPage['customers'][number];

export const STATES = ['all', ...CUSTOMER_STATES] as const;
export type State = (typeof STATES)[number];

const TONES: Record<State, string> = { all: '', active: 'good', trouble: 'warn', ended: '' };

export const stateOf = (status: Customer['status']): { text: string; tone: string } => ({
  text: t.statuses[status],
  tone: TONES[CUSTOMER_STATE[status]],
});

export function untilOf(customer: Customer, show: (day: string) => string): string | null {
  const { expiresAt, graceExpiresAt, willRenew, status } = customer;
  if (expiresAt === null || status === 'revoked') return null;
  const day = show(expiresAt.slice(0, 10));
  if (graceExpiresAt) return t.inGrace(day, show(graceExpiresAt.slice(0, 10)));
  if (CUSTOMER_STATE[status] === 'trouble') return t.wasDueOn(day);
  if (CUSTOMER_STATE[status] === 'ended') return t.endedOn(day);
  return willRenew ? t.renewsOn(day) : t.endsOn(day);
}
