import type { PurchaseCustomersPage } from '../../../../clients/api/src/index.ts';
import { subscribers as t } from '../../texts/subscribers.ts';

export type Customer = PurchaseCustomersPage['customers'][number];

export const STATES = ['all', 'active', 'trouble', 'ended'] as const;
export type State = (typeof STATES)[number];

const IN_STATE: Record<Customer['status'], State> = {
  active: 'active',
  billing_grace: 'trouble',
  billing_retry: 'trouble',
  expired: 'ended',
  revoked: 'ended',
  none: 'ended',
};

const TONES: Record<State, string> = { all: '', active: 'good', trouble: 'warn', ended: '' };

export const stateOf = (status: Customer['status']): { text: string; tone: string } => ({
  text: t.statuses[status],
  tone: TONES[IN_STATE[status]],
});

export function untilOf(customer: Customer, show: (day: string) => string): string | null {
  const { expiresAt, graceExpiresAt, willRenew, status } = customer;
  if (expiresAt === null || status === 'revoked') return null;
  const day = show(expiresAt.slice(0, 10));
  if (graceExpiresAt) return t.inGrace(day, show(graceExpiresAt.slice(0, 10)));
  if (IN_STATE[status] === 'trouble') return t.wasDueOn(day);
  if (IN_STATE[status] === 'ended') return t.endedOn(day);
  return willRenew ? t.renewsOn(day) : t.endsOn(day);
}
