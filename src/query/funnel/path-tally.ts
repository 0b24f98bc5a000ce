import { outside } from '../../shared/assert.ts';
import type { Numbers } from '../reading/projection/numbers.ts';
import type { FunnelAnswer } from './model.ts';
import type { FunnelPlan } from './plan.ts';
import { Tally } from './tally.ts';
import { Trend } from './trend.ts';
import type { Path } from './walk.ts';

export type CountedPaths = FunnelPlan & { dataThroughMs: number };

export class PathTally {
  readonly #plan: CountedPaths;
  readonly #total: Tally;
  readonly #trend: Trend | null;
  readonly #mature = new Float64Array(1);
  readonly #matureBeforeUs: number;

  constructor(plan: CountedPaths) {
    const { trendFromUs, dataThroughMs } = plan;
    const { stepCount, windowUs } = plan.fold;
    const { fromUs } = plan.events;
    this.#plan = plan;
    this.#total = new Tally(stepCount);
    this.#trend = trendFromUs && new Trend(trendFromUs.map((start) => start - fromUs));
    this.#matureBeforeUs = dataThroughMs * 1_000 - windowUs - fromUs;
  }

  add({ depth, reachedUs, latestStartUs }: Path): void {
    const startedAt = reachedUs[0] ?? outside();
    this.#total.add(depth, reachedUs);
    if (latestStartUs < this.#matureBeforeUs) this.#mature[0] = (this.#mature[0] ?? outside()) + 1;
    this.#trend?.add(startedAt, depth === this.#plan.fold.stepCount);
  }

  get sums(): Float64Array[] {
    return [this.#mature, ...this.#total.sums, ...(this.#trend?.sums ?? [])];
  }

  get lists(): Numbers[] {
    return this.#total.lists;
  }

  figures(): Pick<FunnelAnswer, 'distribution' | 'total' | 'maturePeople' | 'trend'> {
    const { trendFromUs, events, fold, isDistributed } = this.#plan;
    const points = this.#trend?.points() ?? null;
    return {
      total: this.#total.figures(),
      maturePeople: this.#mature[0] ?? outside(),
      trend:
        points?.map((point, index) => ({
          fromUs: trendFromUs?.[index] ?? events.fromUs,
          ...point,
        })) ?? null,
      ...(isDistributed && { distribution: this.#total.distribution(fold.windowUs) }),
    };
  }
}
