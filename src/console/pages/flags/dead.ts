import type { Flag } from '../../../../clients/api/src/index.ts';

const DEAD_AFTER_MS = 30 * 24 * 60 * 60 * 1_000;

export function isDead({ createdAt, asks }: Pick<Flag, 'createdAt' | 'asks'>, now: number) {
  const times = [createdAt, asks.lastAt, asks.inBulkAt].map((at) => (at ? Date.parse(at) : 0));
  return now - Math.max(...times) > DEAD_AFTER_MS;
}
