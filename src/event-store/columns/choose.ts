import type { Db } from '../../storage/postgres.ts';
import {
  forgetUses,
  setChosen,
  type UsedProperty,
  usedProperties,
} from '../catalogue/column-queries.ts';

export const DEFAULT_COLUMN_BYTES = 4_096 * 1024 * 1024;
/** Bounds a plan; the rest is used less than all of these. */
const MAX_CONSIDERED = 5_000;
/** A property that has columns gives way to one that is used this much more. */
const TENURE = 2;

export function withinBudget(used: readonly UsedProperty[], budgetBytes: number): UsedProperty[] {
  const weightOf = ({ score, isChosen }: UsedProperty) => (isChosen ? TENURE * score : score);
  let left = budgetBytes;
  return used
    .toSorted((a, b) => weightOf(b) - weightOf(a))
    .filter(({ bytes }) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    });
}

export async function chooseProperties(db: Db, budgetBytes: number): Promise<void> {
  await forgetUses(db);
  const used = await usedProperties(db, MAX_CONSIDERED);
  if (used.length === 0) return;
  await setChosen(db, withinBudget(used, budgetBytes));
}
