import type { Selected } from '../selection/selected.ts';
import type { SeriesQuestion } from './model.ts';

const isOneName = ({ events }: Selected) => events === undefined || events.length === 1;

/** By names where these say it, which is counted quickest. */
export function simplest(question: SeriesQuestion): SeriesQuestion {
  const { selections = [], ...asked } = question;
  const [first, ...others] = selections;
  if (first === undefined || asked.where !== undefined) return question;
  const { where } = first;
  const byNames = (names: string[] | null) => ({ ...asked, names, ...(where && { where }) });
  if (others.length === 0 && (asked.breakdown || isOneName(first))) {
    return byNames(first.events ?? null);
  }
  const names = selections.flatMap(({ events = [] }) => events);
  const isEachOfAName = selections.every(
    (one) => one.events?.length === 1 && JSON.stringify(one.where) === JSON.stringify(where),
  );
  const isEachOnce = new Set(names).size === selections.length;
  return isEachOfAName && isEachOnce ? byNames(names) : question;
}
