import type { AppScope } from '../../shared/app.ts';
import { SECOND_MS } from '../../shared/time.ts';
import type { Sql } from '../../storage/postgres.ts';
import { addUses } from '../catalogue/column-queries.ts';

const WRITE_EVERY_MS = 10 * SECOND_MS;
const MAX_APPS = 10_000;
const MAX_PROPERTIES = 100;

type OfApp = { scope: AppScope; uses: Map<string, number> };

/** A lost use is only counted later. */
export class PropertyUses {
  readonly #sql: Sql;
  readonly #onError: (error: unknown) => void;
  #apps = new Map<string, OfApp>();
  #timer: Timer | null = null;

  constructor(sql: Sql, onError: (error: unknown) => void) {
    this.#sql = sql;
    this.#onError = onError;
  }

  note(scope: AppScope, props: readonly string[]): void {
    const { orgId, appId } = scope;
    const key = JSON.stringify([orgId, appId]);
    const known = this.#apps.get(key);
    if (!known && this.#apps.size === MAX_APPS) return;
    const { uses } = known ?? { uses: new Map<string, number>() };
    this.#apps.set(key, { scope: { orgId, appId }, uses });
    for (const prop of props) {
      if (uses.size < MAX_PROPERTIES || uses.has(prop)) uses.set(prop, (uses.get(prop) ?? 0) + 1);
    }
    this.#timer ??= setTimeout(() => void this.write(), WRITE_EVERY_MS);
    this.#timer.unref();
  }

  /** Never throws. */
  async write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const apps = [...this.#apps.values()];
    this.#apps = new Map();
    for (const { scope, uses } of apps) {
      await addUses(this.#sql, scope, uses).catch(this.#onError);
    }
  }
}
