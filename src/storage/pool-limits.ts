import type postgres from 'postgres';
import { withTimeLimit } from '../shared/time-limit.ts';
import { nestedUse } from './nested-use.ts';

/** Nobody gave a connection back in time: as a fault of the connection, since nothing was sent. */
export class PoolExhausted extends Error {
  readonly code = 'POOL_EXHAUSTED';

  constructor(waitMs: number) {
    super(`No connection to the database was free within ${waitMs} ms.`);
    this.name = 'PoolExhausted';
  }
}

/** A statement of postgres.js, as far as its way to a connection goes. */
type Statement = {
  handler: (statement: Statement) => void;
  /** The server's end of its connection, once it has one. */
  state: Backend | null;
  reject: (error: unknown) => void;
  cancel: () => unknown;
};
/** `pid` is null until the connection is open. */
type Backend = { pid: number | null };

/** `sql(rows)` and `sql('name')` are parts of statements, not statements. */
const isStatement = (made: object): made is Statement => 'handler' in made && 'state' in made;

/** Limits how long the statements and reservations of one pool wait for a connection. */
export class PoolLimits {
  private readonly backends = new Set<Backend>();

  constructor(
    private readonly pool: object,
    private readonly waitMs: number,
  ) {}

  /** The processes of PostgreSQL that serve this pool. */
  pids(): number[] {
    return [...this.backends].flatMap(({ pid }) => (pid === null ? [] : [pid]));
  }

  /** The statement, which fails when no connection takes it in time. */
  limit<T extends object>(made: T): T {
    if (isStatement(made)) this.limitStatement(made);
    return made;
  }

  async reserve(reserve: () => Promise<postgres.ReservedSql>): Promise<postgres.ReservedSql> {
    const refusal = nestedUse(this.pool);
    if (refusal) throw refusal;
    const reserved = reserve();
    return withTimeLimit(reserved, this.waitMs, () => {
      reserved.then(
        (late) => late.release(),
        () => undefined,
      );
      throw new PoolExhausted(this.waitMs);
    });
  }

  private limitStatement(statement: Statement): void {
    const { handler } = statement;
    statement.handler = () => {
      const refusal = nestedUse(this.pool);
      if (refusal) return statement.reject(refusal);
      handler(statement);
      if (statement.state === null) this.endWait(statement);
      else this.backends.add(statement.state);
    };
  }

  /** A statement that waits has not been sent: it can be taken back. */
  private endWait(statement: Statement): void {
    setTimeout(() => {
      if (statement.state !== null) return void this.backends.add(statement.state);
      statement.reject(new PoolExhausted(this.waitMs));
      statement.cancel();
    }, this.waitMs).unref();
  }
}
