import type { DescribedPeople } from '../../../clients/api/src/index.ts';
import { payments } from '../texts/payments.ts';

export type Facts = DescribedPeople['people'][number];

const TONES: Partial<Record<Facts['state'], 'good' | 'warn' | 'bad' | 'accent'>> = {
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

export const paymentOf = (state: Facts['state']): { text: string; tone: string } => ({
  text: payments[state],
  tone: TONES[state] ?? '',
});
