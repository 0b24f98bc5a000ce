import type postgres from 'postgres';
import { withTimeout } from '../shared/timeout.ts';
import { nestedUse } from './nested-use.ts';

/** A connection error, since nothing was sent. */
export class PoolExhausted extends Error {
  readonly code = 'POOL_EXHAUSTED';

  constructor(waitMs: number) {
    super(`No connection to the database was free within ${waitMs} ms.`);
    this.name = 'PoolExhausted';
  }
}

type Statement = {
  handler: (statement: Statement) => void;
  /** Set once the statement has a connection. */
  state: object | null;
  reject: (error: unknown) => void;
  cancel: () => unknown;
};
const isStatement = (made: object): made is Statement => 'handler' in made && 'state' in made;

export class PoolLimits {
  constructor(
    private readonly pool: object,
    private readonly waitMs: number,
  ) {}

  limit<T extends object>(made: T): T {
    if (isStatement(made)) this.limitStatement(made);
    return made;
  }

  async reserve(reserve: () => Promise<postgres.ReservedSql>): Promise<postgres.ReservedSql> {
    const refusal = nestedUse(this.pool);
    if (refusal) throw refusal;
    const reserved = reserve();
    return withTimeout(reserved, this.waitMs, () => {
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
    };
  }

  /** Never sent, hence withdrawable. */
  private endWait(statement: Statement): void {
    setTimeout(() => {
      if (statement.state !== null) return;
      statement.reject(new PoolExhausted(this.waitMs));
      statement.cancel();
    }, this.waitMs).unref();
  }
}
