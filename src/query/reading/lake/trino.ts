import { errorMessage } from '../../../shared/errors.ts';
import { SECOND_MS, sleep } from '../../../shared/time.ts';
import { QueryFailure } from '../../failure/failure.ts';
import type { LakeEngine } from './engine.ts';
import { toQueryFailure, type Page, parsePage } from './trino-protocol.ts';

export type TrinoTarget = {
  baseUrl: string;
  user: string;
  password: string | undefined;
  catalog: string;
  schema: string;
};

export type TrinoLimits = { timeoutMs: number; maxRows: number; maxBytes: number };

const SOURCE = 'mobile-control-plane';
/** Between two tries while a server or its proxy is busy. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2 * SECOND_MS;
const MOST_TRIES = 8;
const TRY_AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Nobody waits for a cancelled statement. */
const CANCEL_MS = 5 * SECOND_MS;

const away = (message: string, cause?: unknown) => new QueryFailure('away', message, cause);

class Statement {
  readonly #target: TrinoTarget;
  readonly #limits: TrinoLimits;
  readonly #signal: AbortSignal;
  readonly #rows: unknown[][] = [];
  #bytes = 0;
  #columns: number | null = null;
  #next: string | null = null;

  constructor(target: TrinoTarget, limits: TrinoLimits, signal: AbortSignal) {
    this.#target = target;
    this.#limits = limits;
    this.#signal = signal;
  }

  async run(text: string): Promise<unknown[][]> {
    const { baseUrl } = this.#target;
    try {
      let page = await this.#ask(`${baseUrl}/v1/statement`, { method: 'POST', body: text });
      for (;;) {
        this.#next = page.nextUri === undefined ? null : this.#sameHost(page.nextUri);
        this.#take(page);
        if (this.#next === null) break;
        page = await this.#ask(this.#next, { method: 'GET' });
      }
      if (page.stats.state !== 'FINISHED') {
        throw away(`The engine ended an answer in the state ${page.stats.state}.`);
      }
      return this.#rows;
    } catch (thrown) {
      await this.#cancel();
      throw thrown;
    }
  }

  #take({ error, columns, data = [] }: Page): void {
    if (error) {
      // It has ended by itself: nothing is left to cancel.
      this.#next = null;
      throw toQueryFailure(error);
    }
    if (columns) this.#columns = columns.length;
    if (this.#rows.length + data.length > this.#limits.maxRows) {
      throw new QueryFailure(
        'memory',
        `The engine answered more than ${this.#limits.maxRows} rows.`,
      );
    }
    for (const row of data) {
      if (row.length !== this.#columns) throw away('The engine answered a row of another length.');
      this.#rows.push(row);
    }
  }

  /** Credentials go to the host that they were given for. */
  #sameHost(uri: string): string {
    const [next, base] = [URL.parse(uri), new URL(this.#target.baseUrl)];
    if (next?.host !== base.host) throw away(`The engine names another host: ${uri}`);
    return `${base.origin}${next.pathname}${next.search}`;
  }

  #headers(): Record<string, string> {
    const { user, password, catalog, schema } = this.#target;
    const seconds = Math.max(1, Math.ceil(this.#limits.timeoutMs / SECOND_MS));
    return {
      'x-trino-user': user,
      'x-trino-source': SOURCE,
      'x-trino-catalog': catalog,
      'x-trino-schema': schema,
      'x-trino-time-zone': 'UTC',
      'x-trino-session': `query_max_run_time=${seconds}s`,
      'content-type': 'text/plain; charset=utf-8',
      ...(password !== undefined && {
        // Trino reads it as ISO 8859-1.
        authorization: `Basic ${Buffer.from(`${user}:${password}`, 'latin1').toString('base64')}`,
      }),
    };
  }

  async #ask(url: string, init: { method: string; body?: string }): Promise<Page> {
    let waitMs = FIRST_WAIT_MS;
    for (let tries = 1; ; tries += 1) {
      const response = await this.#fetch(url, init, tries);
      if (response?.ok) return parsePage(await this.#text(response));
      if (response && !TRY_AGAIN.has(response.status)) {
        await response.body?.cancel();
        throw away(`The engine answered ${response.status}.`);
      }
      if (tries === MOST_TRIES) throw away('The engine is busy.');
      await response?.body?.cancel();
      await sleep(waitMs, this.#signal);
      this.#signal.throwIfAborted();
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    }
  }

  /** A page can be read twice: null when asking again changes nothing. */
  async #fetch(
    url: string,
    init: { method: string; body?: string },
    tries: number,
  ): Promise<Response | null> {
    try {
      return await fetch(url, {
        ...init,
        headers: this.#headers(),
        signal: this.#signal,
        redirect: 'error',
      });
    } catch (thrown) {
      this.#signal.throwIfAborted();
      if (init.method === 'POST' || tries === MOST_TRIES) {
        throw away(`The engine does not answer: ${errorMessage(thrown)}`, thrown);
      }
      return null;
    }
  }

  async #text(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body ?? []) {
      this.#bytes += chunk.length;
      if (this.#bytes > this.#limits.maxBytes) {
        throw new QueryFailure(
          'memory',
          `The engine answered over ${this.#limits.maxBytes} bytes.`,
        );
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  async #cancel(): Promise<void> {
    if (this.#next === null) return;
    await fetch(this.#next, {
      method: 'DELETE',
      headers: this.#headers(),
      signal: AbortSignal.timeout(CANCEL_MS),
      redirect: 'error',
    }).catch(() => undefined);
  }
}

export function trinoEngine(target: TrinoTarget, limits: TrinoLimits): LakeEngine {
  return {
    run: async (text, left) => {
      const late = AbortSignal.timeout(limits.timeoutMs);
      const signal = AbortSignal.any([late, left]);
      try {
        return await new Statement(target, limits, signal).run(text);
      } catch (thrown) {
        if (thrown instanceof QueryFailure) throw thrown;
        if (left.aborted) throw new QueryFailure('stopped', 'Its asker has left.', thrown);
        if (late.aborted) throw new QueryFailure('timeout', 'The timeout has passed.', thrown);
        throw away(errorMessage(thrown), thrown);
      }
    },
    ping: async (signal) => {
      const response = await fetch(`${target.baseUrl}/v1/info`, { signal, redirect: 'error' });
      const info: unknown = await response.json();
      const isStarting = typeof info === 'object' && info !== null && 'starting' in info;
      if (!response.ok || !isStarting || info.starting !== false) {
        throw away('The engine is starting.');
      }
    },
  };
}
