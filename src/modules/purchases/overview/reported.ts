import { addDays, pacificDay, pacificInstant } from '../../../shared/pacific.ts';
import type { readReportedSubscribers } from '../../sales/index.ts';
import { MINIMUM_PEOPLE } from '../../../shared/statistics/minimum.ts';
import type { Fold } from './fold.ts';

type Reported = Awaited<ReturnType<typeof readReportedSubscribers>>;

export const lastPacificDay = (ms: number): string => addDays(pacificDay(new Date(ms)), -1);

/** At the end of the newest reported Pacific day. Reports name no persons. */
export class KnownSubscribers {
  /** End of the reported day; null without a report. */
  readonly atMs: number | null;
  private active = 0;
  private known = 0;

  constructor(private readonly reported: Reported) {
    this.atMs = reported && pacificInstant(addDays(reported.day, 1), 0).getTime();
  }

  add({ spans }: Pick<Fold, 'spans'>, isHeld: boolean): void {
    const { atMs } = this;
    if (atMs === null) return;
    const isPaid = spans.some(({ kind, from, to }) => kind === 'paid' && from < atMs && to >= atMs);
    if (!isPaid) return;
    this.active += 1;
    if (isHeld) this.known += 1;
  }

  /** Null under fifty; at most 1, since days and rules of the sources differ. */
  answer() {
    const { reported, active, known } = this;
    if (!reported) return null;
    const share = reported.paid < MINIMUM_PEOPLE ? null : Math.min(1, known / reported.paid);
    return { ...reported, active, known, share };
  }
}
