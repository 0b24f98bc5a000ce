import type { DuckDBDataChunk } from '@duckdb/node-api';
import { outside } from '../../shared/assert.ts';
import { readChunks } from '../../storage/read-chunks.ts';
import { ListColumn } from '../reading/duckdb/vectors.ts';
import type { QueryRun } from '../reading/run.ts';
import { Pace, type Turning } from '../../shared/pace.ts';
import { NO_ARM_CODE } from './arm-rule.ts';
import { EVENTS_PER_TURN, type FoldRules, FunnelFold, type PersonFold } from './fold.ts';
import { AnyOrderFold } from './fold-any-order.ts';
import { ExcludingFold } from './fold-excluding.ts';
import { unpackFlag } from './packed.ts';
import { type PackedEvents, PersonBuffer } from './person.ts';

const EVENT_FIELD = 0;
const ORDER_FIELD = 1;
const CODE_FIELD = 2;
const ARM_EVENT_FIELD = 3;

export type Path = {
  depth: number;
  reachedUs: Float64Array;
  latestStartUs: number;
};

export type Entrant = Path & {
  code: number;
  grouped: Path;
  row: number;
};

export type Walk = {
  sql: string;
  fold: FoldRules;
  isFiltered: boolean;
  isDetailed: boolean;
  byArm?: boolean;
  onEntrant: (entrant: Entrant) => void;
  onChunk?: (chunk: DuckDBDataChunk) => void;
};

function createFold(rules: FoldRules): PersonFold {
  if (rules.isAnyOrder) return new AnyOrderFold(rules);
  return rules.exclusions?.length ? new ExcludingFold(rules) : new FunnelFold(rules);
}

type Rows = { lists: ListColumn; person: PersonBuffer; packed: PackedEvents; pace: Turning };

class Walker {
  readonly #walk: Walk;
  readonly #fold: PersonFold;
  readonly #armFold: PersonFold | null;
  readonly #entrant: Entrant;
  #leftOfTurn = EVENTS_PER_TURN;

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#fold = createFold(walk.fold);
    this.#armFold = walk.byArm ? createFold(walk.fold) : null;
    const path = { depth: 0, reachedUs: this.#fold.reachedUs, latestStartUs: 0 };
    this.#entrant = { ...path, code: 0, grouped: { ...path }, row: 0 };
  }

  async take(lists: ListColumn, pace: Turning): Promise<void> {
    const { isDetailed, isFiltered, onEntrant } = this.#walk;
    const events = isDetailed ? lists.fieldBigints(EVENT_FIELD) : lists.bigints();
    const order = isDetailed ? lists.fieldBigints(ORDER_FIELD) : null;
    const codes = isDetailed ? lists.fieldIntegers(CODE_FIELD) : null;
    const packed = { events, order };
    const armFold = this.#armFold;
    const inArm = armFold && { events: lists.fieldBigints(ARM_EVENT_FIELD), order };
    const person = new PersonBuffer(lists.longest());
    const rowsOf = (own: PackedEvents): Rows => ({ lists, person, packed: own, pace });
    for (let row = 0; row < lists.rows; row += 1) {
      const folded = this.#foldRow(this.#fold, rowsOf(packed), row);
      const depth = typeof folded === 'number' ? folded : await folded;
      if (depth === 0) continue;
      const start = person.places[this.#fold.startIndex] ?? outside();
      if (isFiltered && !unpackFlag(events[start * 2] ?? outside())) continue;
      this.#entrant.depth = depth;
      this.#entrant.latestStartUs = this.#fold.latestStartUs;
      this.#entrant.row = row;
      this.#group(depth, codes ? (codes[start] ?? outside()) : 0);
      if (armFold && inArm) {
        this.#groupByArm(armFold, await this.#foldRow(armFold, rowsOf(inArm), row));
      }
      onEntrant(this.#entrant);
    }
  }

  #foldRow(fold: PersonFold, rows: Rows, row: number): number | Promise<number> {
    const { lists, person, packed } = rows;
    const length = lists.length(row);
    this.#leftOfTurn -= length;
    if (this.#leftOfTurn < 0) return this.#foldInTurns(fold, rows, row);
    person.load(packed, lists.offset(row), length);
    return fold.fold(person);
  }

  async #foldInTurns(
    fold: PersonFold,
    { lists, person, packed, pace }: Rows,
    row: number,
  ): Promise<number> {
    const part = { offset: lists.offset(row), length: lists.length(row), pace };
    await person.loadInTurns(packed, part);
    const depth = await fold.foldInTurns(person, pace);
    this.#leftOfTurn = EVENTS_PER_TURN;
    return depth;
  }

  #group(depth: number, code: number): void {
    this.#entrant.code = code;
    this.#entrant.grouped.depth = depth;
    this.#entrant.grouped.reachedUs = this.#fold.reachedUs;
  }

  #groupByArm(armFold: PersonFold, depth: number): void {
    if (depth === 0) {
      this.#entrant.code = NO_ARM_CODE;
      return;
    }
    this.#entrant.grouped.depth = depth;
    this.#entrant.grouped.reachedUs = armFold.reachedUs;
  }
}

export async function walkPeople(
  { connection, checkTime }: Pick<QueryRun, 'checkTime' | 'connection'>,
  walk: Walk,
): Promise<void> {
  const walker = new Walker(walk);
  const pace = new Pace(checkTime);
  for await (const chunk of readChunks(await connection.run(walk.sql))) {
    // DuckDB's interrupt does not reach this loop.
    checkTime();
    walk.onChunk?.(chunk);
    await walker.take(new ListColumn(chunk, 0), pace);
  }
}
