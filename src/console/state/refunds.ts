import { api } from './api.ts';
import { useApi } from './use-api.ts';

export const MODES = ['off', 'neutral', 'decline', 'grant'] as const;

export type RefundAnswers = Awaited<ReturnType<typeof api.getRefundAnswers>>;

export const useRefundAnswers = (appId: string) => useApi(api.getRefundAnswers, { id: appId });
