import { at, outside } from '../../../shared/assert.ts';
import type { Ledger, Person } from './ledger.ts';
import type { Life } from './survival.ts';
import type { CohortWindow } from './window.ts';

export class Cells {
  readonly people: Float64Array;
  readonly net: Float64Array;
  readonly sum: Float64Array;
  readonly squares: Float64Array;
  readonly cubes: Float64Array;
  readonly payers: Float64Array;
  readonly begun: Float64Array;
  readonly active: Float64Array;

  constructor(
    readonly cohorts: number,
    readonly intervals: number,
  ) {
    const cells = () => new Float64Array(cohorts * intervals);
    this.people = new Float64Array(cohorts);
    this.net = new Float64Array(cohorts);
    this.sum = cells();
    this.squares = cells();
    this.cubes = cells();
    this.payers = cells();
    this.begun = cells();
    this.active = cells();
  }

  addPerson(cohort: number, paid: Float64Array, firstPaid: number): void {
    const start = cohort * this.intervals;
    let total = 0;
    for (let period = 0; period < this.intervals - cohort; period += 1) {
      total += paid[period] ?? outside();
      const cell = start + period;
      if (period >= firstPaid) this.payers[cell] = (this.payers[cell] ?? outside()) + 1;
      if (total === 0) continue;
      const squared = total * total;
      this.sum[cell] = (this.sum[cell] ?? outside()) + total;
      this.squares[cell] = (this.squares[cell] ?? outside()) + squared;
      this.cubes[cell] = (this.cubes[cell] ?? outside()) + squared * total;
    }
    this.net[cohort] = at(this.net, cohort) + total;
  }

  addChain(cohort: number, began: number, active: readonly number[]): void {
    const start = cohort * this.intervals;
    for (let period = began - cohort; period < this.intervals - cohort; period += 1) {
      this.begun[start + period] = at(this.begun, start + period) + 1;
    }
    for (const interval of active) {
      const cell = start + interval - cohort;
      this.active[cell] = at(this.active, cell) + 1;
    }
  }
}

/** Interval of each person's begin: below zero before all; null without one. */
export type Placed = { interval: number | null; group: number | null };

export type Counted = {
  total: Cells;
  groups: Cells[];
  lives: Life[];
  money: { cohorts: number; earlier: number; later: number; before: number; never: number };
};

class Tally {
  readonly counted: Counted;
  private readonly paid: Float64Array;
  /** All, and those of each group. */
  private readonly cells: { all: Cells[]; ofGroups: Cells[][] };

  constructor(
    private readonly ledger: Ledger,
    private readonly window: CohortWindow,
    groups: number,
  ) {
    const { cohorts, boundariesMs } = window;
    const intervals = boundariesMs.length - 1;
    const cells = () => new Cells(cohorts, intervals);
    this.paid = new Float64Array(intervals);
    this.counted = {
      total: cells(),
      groups: Array.from({ length: groups }, cells),
      lives: [],
      money: { cohorts: 0, earlier: 0, later: 0, before: 0, never: 0 },
    };
    const { total, groups: each } = this.counted;
    this.cells = { all: [total], ofGroups: each.map((one) => [total, one]) };
  }

  private cohortOf({ interval }: Placed): number | null {
    return interval !== null && interval >= 0 && interval < this.window.cohorts ? interval : null;
  }

  private cellsOf({ group }: Placed): Cells[] {
    return group === null ? this.cells.all : at(this.cells.ofGroups, group);
  }

  addPerson(person: Person, placed: Placed): void {
    const cohort = this.cohortOf(placed);
    if (cohort === null) this.addOutside(person, placed.interval);
    else this.addInside(person, cohort, this.cellsOf(placed));
  }

  private addOutside(person: Person, interval: number | null): void {
    const { money } = this.counted;
    const { minor } = this.ledger.entries;
    const where = interval === null ? 'never' : interval < 0 ? 'earlier' : 'later';
    this.ledger.forEachEntry(person, (entry) => {
      money[where] += at(minor, entry);
    });
  }

  private addInside(person: Person, cohort: number, cells: readonly Cells[]): void {
    const { money } = this.counted;
    const { intervals, minor, purchases } = this.ledger.entries;
    let firstPaid = Number.POSITIVE_INFINITY;
    this.paid.fill(0);
    this.ledger.forEachEntry(person, (entry) => {
      const period = at(intervals, entry) - cohort;
      if (period < 0) {
        money.before += at(minor, entry);
        return;
      }
      money.cohorts += at(minor, entry);
      this.paid[period] = at(this.paid, period) + at(minor, entry);
      if (at(purchases, entry) > 0) firstPaid = Math.min(firstPaid, period);
    });
    for (const one of cells) one.addPerson(cohort, this.paid, firstPaid);
  }

  addChains(placed: readonly Placed[]): void {
    const { chains, owners } = this.ledger;
    for (const [chain, owner] of owners.entries()) {
      if (owner < 0) continue;
      const place = at(placed, owner);
      const cohort = this.cohortOf(place);
      const first = chains.firstOf(chain);
      if (cohort === null || first === null || first < cohort) continue;
      const active = chains.activeOf(chain);
      for (const one of this.cellsOf(place)) one.addChain(cohort, first, active);
      const life = chains.lifeOf(chain);
      if (life) this.counted.lives.push(life);
    }
  }
}

export function countLedger(
  ledger: Ledger,
  window: CohortWindow,
  placed: readonly Placed[],
  groups: number,
): Counted {
  const tally = new Tally(ledger, window, groups);
  for (const [index, person] of ledger.people.entries()) tally.addPerson(person, at(placed, index));
  tally.addChains(placed);
  return tally.counted;
}
