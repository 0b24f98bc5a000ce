import type { DescribedPeople } from '../../../clients/api/src/index.ts';
import { saving } from '../texts/saving.ts';

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
  text: saving.payments[state],
  tone: TONES[state] ?? '',
});
