import type { DuckDBVector } from '@duckdb/node-api';
import { outside } from '../../shared/assert.ts';
import type { QueryRun } from '../reading/run.ts';
import { selectEvents } from '../reading/source/events.ts';
import { personLists } from './lists.ts';
import type { FunnelPeopleAnswer, FunnelPeopleQuestion } from './model.ts';
import { planFunnel } from './plan.ts';
import { type Path, walkPeople } from './walk.ts';

type Reached = FunnelPeopleAnswer['people'][number];

const SPARE_CANDIDATES = 10_000;

const byPerson = (a: Reached, b: Reached) => (a.personId < b.personId ? -1 : 1);

class Page {
  #candidates: Reached[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  add(person: Reached): void {
    this.#candidates.push(person);
    if (this.#candidates.length >= this.#size + SPARE_CANDIDATES) this.#trim();
  }

  take(): Reached[] {
    this.#trim();
    return this.#candidates;
  }

  #trim(): void {
    this.#candidates = this.#candidates.toSorted(byPerson).slice(0, this.#size);
  }
}

function shownStep({ step, dropped }: FunnelPeopleQuestion, entrant: Path): number | null {
  if (!dropped) return entrant.depth >= step ? step : null;
  return step > 1 && entrant.depth === step - 1 ? step - 1 : null;
}

export async function funnelPeople(
  run: QueryRun,
  question: FunnelPeopleQuestion,
): Promise<FunnelPeopleAnswer> {
  const plan = planFunnel(question);
  const page = new Page(question.limit + 1);
  let persons: DuckDBVector | null = null;
  let entered = 0;
  await walkPeople(run, {
    sql: personLists(selectEvents(run.source, plan.events), plan).sql,
    fold: plan.fold,
    isFiltered: plan.isFiltered,
    isDetailed: true,
    onChunk: (chunk) => {
      persons = chunk.getColumnVector(1);
    },
    onEntrant: (entrant) => {
      entered += 1;
      const step = shownStep(question, entrant);
      if (step === null) return;
      const personId = String(persons?.getItem(entrant.row));
      if (question.after !== null && personId <= question.after) return;
      page.add({
        personId,
        reachedAtUs: question.fromUs + (entrant.reachedUs[step - 1] ?? outside()),
      });
    },
  });
  const people = page.take();
  return {
    dataThroughMs: run.source.dataThroughMs,
    entered,
    people: people.slice(0, question.limit),
    hasMore: people.length > question.limit,
  };
}
