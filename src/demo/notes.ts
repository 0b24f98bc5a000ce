import { Type } from '@sinclair/typebox';
import { STORY } from '../providers/store/simulated/market.ts';
import { parser } from '../shared/schema.ts';
import { DAY_MS } from '../shared/time.ts';
import type { DemoApi } from './api.ts';

const made = parser(Type.Object({ id: Type.String() }), 'note');

const { badRelease, repairedVersion } = STORY;
const NOTES: readonly (readonly [daysAgo: number, text: string])[] = [
  [24, 'Featured in the store'],
  [badRelease.fromDaysAgo - 2, 'First complaints about the paywall'],
  [badRelease.toDaysAgo - 1, `${repairedVersion} repairs the paywall`],
];

/** Notes by hand beside the marks that follow from what is there: versions, experiments, prices. */
export async function writeNotes(api: DemoApi, appId: string, nowMs: number): Promise<void> {
  for (const [daysAgo, text] of NOTES) {
    const day = new Date(nowMs - daysAgo * DAY_MS).toISOString().slice(0, 10);
    await api.post(`/v1/apps/${appId}/marks`, { day, text }, made.parse);
  }
}
