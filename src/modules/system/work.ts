import { hostname } from 'node:os';
import type { Deps } from '../../context.ts';
import { lacksOf, partsOf } from '../../observability/needs.ts';
import { QueryFailure } from '../../query/failure/failure.ts';
import { AppError } from '../../shared/errors.ts';
import { MINUTE_MS, SECOND_MS, toIso, toIsoOrNull } from '../../shared/time.ts';
import type { Status } from './model.ts';
import { forgetWork, saveFailure, saveSuccess, type WorkKind } from './work-queries.ts';

const FAULT = 'the end of a fault, which the log of the worker names';
const WAITS_FOR: Readonly<Partial<Record<AppError['code'], string>>> = {
  internal: FAULT,
  unavailable: 'a server, which the log of the worker names',
  store_rate_limited: 'the store, which limits requests',
  store_unavailable: 'the store, which does not answer',
  secret_storage_unavailable: 'SECRETS_KEY',
};

const FOR_QUERIES = 'a query process on the host of the worker (ROLE), or its answers';

const NOTED_EVERY_MS = { success: MINUTE_MS / 2, failure: 10 * SECOND_MS };
const OVERDUE_MS = 20 * SECOND_MS;

const isCancellation = (thrown: unknown) =>
  thrown instanceof Error && ['AbortError', 'CancelledFailure'].includes(thrown.name);

function waitsFor(thrown: unknown): string | null {
  if (isCancellation(thrown)) return null;
  if (!(thrown instanceof AppError)) return FAULT;
  const { cause, code, retryAfterSeconds } = thrown;
  if (cause instanceof QueryFailure) return FOR_QUERIES;
  if (code === 'unavailable' && retryAfterSeconds !== undefined) return null;
  return WAITS_FOR[code] ?? null;
}

export class WorkNotes {
  private readonly noted = new Map<string, { cause: string | null; atMs: number }>();

  constructor(private readonly deps: Pick<Deps, 'log' | 'sql'>) {}

  /** Without `thrown` it succeeded. */
  async note(kind: string, thrown?: unknown): Promise<void> {
    const cause = thrown === undefined ? null : waitsFor(thrown);
    if (thrown !== undefined && cause === null) return;
    const nowMs = performance.now();
    const last = this.noted.get(kind);
    const pauseMs = cause === null ? NOTED_EVERY_MS.success : NOTED_EVERY_MS.failure;
    if (last?.cause === cause && nowMs - last.atMs < pauseMs) return;
    this.noted.set(kind, { cause, atMs: nowMs });
    const { log, sql } = this.deps;
    const saved = cause === null ? saveSuccess(sql, kind) : saveFailure(sql, kind, cause);
    await saved.catch((err: unknown) => {
      this.noted.delete(kind);
      log.debug({ err, kind }, 'the state of a kind of work was not noted');
    });
  }
}

export function describeWork(kinds: readonly WorkKind[]): NonNullable<Status['work']> {
  return kinds.map(({ kind, succeededAt, failingSince, waitsFor }) => ({
    kind,
    lastSucceededAt: toIsoOrNull(succeededAt),
    failingSince: toIsoOrNull(failingSince),
    waitsFor,
  }));
}

export function workStand(kinds: readonly WorkKind[], now: Date) {
  const overdue = kinds.flatMap(({ kind, failingSince, waitsFor }) =>
    failingSince && now.getTime() - failingSince.getTime() > OVERDUE_MS
      ? `${kind} waits for ${waitsFor}, since ${toIso(failingSince)}.`
      : [],
  );
  const detail = overdue.length === 0 ? 'Each kind of work succeeds.' : overdue.join(' ');
  return { good: overdue.length === 0, detail };
}

/** One row for each host that takes work, in the name of its part. */
export async function noteLacks({ config, sql }: Pick<Deps, 'config' | 'sql'>): Promise<void> {
  const found = (await lacksOf(config)).map(({ part, role }) => ({
    kind: `${part} on ${hostname()}`,
    waitsFor: `a ${role} process on its DATA_DIR (ROLE)`,
  }));
  for (const { kind, waitsFor } of found) await saveFailure(sql, kind, waitsFor);
  const kinds = partsOf(config).map((part) => `${part} on ${hostname()}`);
  await forgetWork(
    sql,
    kinds.filter((kind) => !found.some((one) => one.kind === kind)),
  );
}
