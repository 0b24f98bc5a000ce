import { api } from './api.ts';
import { useQuery } from './query.ts';

export const MODES = ['off', 'neutral', 'decline', 'grant'] as const;

export type RefundAnswers = Awaited<ReturnType<typeof api.getRefundAnswers>>;

export const useRefundAnswers = (appId: string) =>
  useQuery(`refund answers ${appId}`, (signal) => api.getRefundAnswers({ id: appId }, { signal }));
