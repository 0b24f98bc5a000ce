/** Thrown in the place of what a step would have given. */
class Stopped extends Error {}

/** Awaits of a piece of work, of which one fails: before it has begun, or once it is done. */
export class Steps {
  taken = 0;

  constructor(
    readonly stopAt: number,
    private readonly isAfter: boolean,
  ) {}

  get hasStopped(): boolean {
    return this.taken >= this.stopAt;
  }

  /** What has begun ends first: nothing is closed under it. */
  pass = async <T>(work: () => PromiseLike<T>, hasBegun = false): Promise<T> => {
    this.taken += 1;
    if (this.taken !== this.stopAt) return work();
    if (this.isAfter || hasBegun) await work();
    throw new Stopped(`step ${this.stopAt}`);
  };

  /** The same, but that each of its promises, statements, chunks and transactions is a step. */
  through = <T extends object>(target: T): T => {
    const call = (own: object, name: string, given: unknown[]) => {
      const begin = () => Reflect.apply(own as () => unknown, target, given.map(this.#callback));
      return STORING.has(name) ? this.pass(async () => begin()) : this.#made(begin());
    };
    return new Proxy(target, {
      get: (_, name) => {
        const own = Reflect.get(target, name, target);
        if (typeof own !== 'function') return own;
        return (...given: unknown[]) => call(own, String(name), given);
      },
      apply: (own, _, given) => call(own, '', given),
    });
  };

  /** Of a transaction. */
  #callback = (given: unknown): unknown =>
    typeof given === 'function' && !('unsafe' in given)
      ? (...all: unknown[]) => given(...all.map((one) => (isSql(one) ? this.through(one) : one)))
      : given;

  #made(made: any): unknown {
    if (!(made instanceof Promise)) return made;
    if ('cursor' in made) return this.#statement(made);
    return this.pass(async () => {
      const found = await made;
      const goesOn = ['fetchChunk', 'stream', 'reserve'].some((name) => name in Object(found));
      return goesOn || isSql(found) ? this.through(found) : found;
    }, true);
  }

  /** Runs where it is awaited; in another statement it stays what it is. */
  #statement(statement: any): unknown {
    const { then, cursor, readable } = statement;
    const awaited = () => new Promise((resolve, reject) => then.call(statement, resolve, reject));
    const settle = (resolve: any, reject: any) => this.pass(awaited).then(resolve, reject);
    Reflect.set(statement, 'then', settle);
    statement.readable = () => this.pass(() => readable.call(statement));
    statement.cursor = (rows: number) => {
      const pages = cursor.call(statement, rows)[Symbol.asyncIterator]();
      const next = () => this.pass(() => pages.next());
      return { [Symbol.asyncIterator]: () => ({ next, return: () => pages.return?.() }) };
    };
    return statement;
  }
}

const STORING = new Set(['adopt', 'putBytes', 'getBytes', 'localPath', 'remove', 'list']);
const isSql = (one: unknown): one is object => typeof one === 'function' && 'unsafe' in one;

export type Fill = () => Promise<unknown>;

/** Stops the filling at each of its steps in turn; what it has kept then must do for the next. */
export async function stopAtEach(
  open: (steps: Steps, attempt: number) => Fill | Promise<Fill>,
  check: (found: unknown, attempt: number, isAgain: boolean) => void | Promise<void>,
  stride = 1,
): Promise<number> {
  for (let stopAt = 1; ; stopAt += stride) {
    const steps = new Steps(stopAt, stopAt % 2 === 0);
    const fill = await open(steps, stopAt);
    const before = steps.taken;
    if (before > 0) throw new Error('Opening takes no step.');
    try {
      await check(await fill(), stopAt, false);
      if (!steps.hasStopped) return steps.taken;
    } catch (thrown) {
      if (!steps.hasStopped || !isStop(thrown)) throw thrown;
    }
    await check(await fill(), stopAt, true);
  }
}

/** Also as the cause of what was made of it. */
export function isStop(thrown: unknown): boolean {
  if (thrown instanceof Stopped) return true;
  return thrown instanceof Error && (isStop(thrown.cause) || /\bstep \d+$/.test(thrown.message));
}
