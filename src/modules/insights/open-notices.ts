import { counted } from '../../shared/text.ts';
import type { Facts, Finding } from './facts.ts';

const detail = (open: number, task: string): string =>
  `${counted(open, 'notice is', 'notices are')} open. ${task}, then mark each notice as dealt with under Purchases.`;

export function openConsents({ notices }: Facts): Finding | null {
  const open = notices?.consents ?? 0;
  if (open === 0) return null;
  return {
    title: 'A parent or guardian withdrew consent',
    detail: detail(open, 'Stop access and processing for these customers'),
    metric: { name: 'open_consent_notices', value: open, threshold: 0, unit: 'people' },
  };
}

export function openTokens({ notices }: Facts): Finding | null {
  const open = notices?.tokens ?? 0;
  if (open === 0) return null;
  return {
    title: 'External purchases are not reported to the store',
    detail: detail(open, 'Report the tokens to the store'),
    metric: { name: 'open_token_notices', value: open, threshold: 0, unit: 'units' },
  };
}
