import type { ObjectStore } from '../../src/storage/object-store/port.ts';
import type { Sql } from '../../src/storage/postgres.ts';

type Waiting = { actor: string; begins: boolean; go: () => void };

/**
 * Runs actors so that one moves at a time, from one of its calls of database or object store to the
 * next; `random` says who. The same numbers give the same order.
 */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private readonly alive = new Set<string>();
  /** Actors on the way to their next call. */
  private readonly moving = new Set<string>();
  /** Transactions lock the catalogue: a second one would only wait where nobody sees it. */
  private inTransaction: string | null = null;
  turns = 0;

  constructor(private readonly random: () => number) {}

  /** All of them, to their end. */
  async run(actors: Record<string, () => Promise<void>>): Promise<void> {
    for (const actor of Object.keys(actors)) {
      this.alive.add(actor);
      this.moving.add(actor);
    }
    await Promise.all(
      Object.entries(actors).map(([actor, work]) =>
        work().finally(() => {
          this.alive.delete(actor);
          this.moving.delete(actor);
          this.next();
        }),
      ),
    );
  }

  sql(actor: string, sql: Sql): Sql {
    const queries = (handle: object): object =>
      new Proxy(handle, {
        apply: (target, self, args) =>
          this.query(actor, Reflect.apply(target as never, self, args)),
        get: (target, name) => {
          const found = Reflect.get(target, name);
          if (name !== 'begin') return found;
          return (...args: unknown[]) => {
            const work = args.pop() as (tx: object) => Promise<unknown>;
            const inTurn = (tx: object) => work(queries(tx));
            const begin = async () => Reflect.apply(found as never, target, [...args, inTurn]);
            return this.turn(actor, true, begin);
          };
        },
      });
    return queries(sql) as Sql;
  }

  objects(actor: string, objects: ObjectStore): ObjectStore {
    return {
      ...objects,
      adopt: (...args) => this.turn(actor, false, () => objects.adopt(...args)),
      remove: (...args) => this.turn(actor, false, () => objects.remove(...args)),
      localPath: (...args) => this.turn(actor, false, () => objects.localPath(...args)),
    };
  }

  /** A query waits when it is awaited; as a part of another one it is nothing yet. */
  private query(actor: string, made: unknown): unknown {
    if (!(made instanceof Promise)) return made;
    const inTurn = (done: never, failed: never) => {
      // The driver looks at its queries too while they run.
      Reflect.deleteProperty(made, 'then');
      const run = () => new Promise((...ends) => made.then(...ends));
      return this.turn(actor, false, run).then(done, failed);
    };
    Object.defineProperty(made, 'then', { value: inTurn, configurable: true });
    return made;
  }

  private async turn<T>(actor: string, begins: boolean, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.waiting.push({ actor, begins, go });
      this.moving.delete(actor);
      this.next();
    });
    try {
      return await work();
    } finally {
      if (begins) this.inTransaction = null;
      // Of several calls at once the others are still to come.
      if (this.waiting.some((one) => one.actor === actor)) this.moving.delete(actor);
      this.next();
    }
  }

  private next(): void {
    if (this.moving.size > 0) return;
    const may = this.waiting.filter(({ begins }) => !begins || this.inTransaction === null);
    const chosen = may[Math.floor(this.random() * may.length)];
    if (!chosen) return;
    this.waiting.splice(this.waiting.indexOf(chosen), 1);
    this.turns += 1;
    this.moving.add(chosen.actor);
    if (chosen.begins) this.inTransaction = chosen.actor;
    chosen.go();
  }
}
