import type { Api } from '../../clients/api/src/index.ts';
import { DAY_MS } from '../shared/time.ts';
import { STORY } from './market.ts';

const { badRelease, repairedVersion } = STORY;
const NOTES: readonly (readonly [daysAgo: number, text: string])[] = [
  [24, 'Featured in the store'],
  [badRelease.fromDaysAgo - 2, 'First complaints about the paywall'],
  [badRelease.toDaysAgo - 1, `${repairedVersion} repairs the paywall`],
];

export async function writeNotes(api: Api, id: string, nowMs: number): Promise<void> {
  for (const [daysAgo, text] of NOTES) {
    const day = new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);
    await api.createMark({ id, body: { day, text } });
  }
}
