import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../context.ts';
import type { AppScope } from '../../../shared/app.ts';
import { errorMessage } from '../../../shared/errors.ts';
import { SECOND_MS } from '../../../shared/time.ts';
import { withTimeout } from '../../../shared/timeout.ts';
import { insertNames, MAX_SENT_NAMES, type NameRow, selectNames } from './queries.ts';
import { eventName, isByRule, mayCollide, namesFor } from './rule.ts';

const MAX_KEPT_NAMES = 100_000;
const MAX_EXPECTED = 1_000;
const MAX_SENT_CHARACTERS = 200;
const HASH_DIGITS = 32;
const WAIT_MS = 2 * SECOND_MS;
const AWAY_MS = 10 * SECOND_MS;

function toKey(sent: string): string {
  const text = sent.replaceAll('\u0000', '\u2400').toWellFormed();
  if (text.length <= MAX_SENT_CHARACTERS && text === sent) return sent;
  const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(sent)).digest('hex');
  return `${text.slice(0, MAX_SENT_CHARACTERS).toWellFormed()} ${hash.slice(0, HASH_DIGITS)}`;
}

type SentEvent = { event: { name: string }; sentName: string };
type Kept = Map<string, string>;
type Insert = (sent: readonly string[]) => Promise<readonly NameRow[] | null>;

class AppNames {
  private readonly expected = new Map<string, string>();

  constructor(
    private readonly kept: Kept,
    private readonly insert: Insert,
  ) {}

  find(sent: string): string | undefined {
    return mayCollide(sent) ? this.kept.get(toKey(sent)) : eventName(sent);
  }

  expect(sent: string): string {
    const known = this.find(sent) ?? this.expected.get(sent);
    if (known !== undefined) return known;
    const [wanted, own] = namesFor(sent);
    if (this.expected.size >= MAX_EXPECTED) return own;
    const taken = [...this.kept.values(), ...this.expected.values()];
    const name = taken.includes(wanted) ? own : wanted;
    this.expected.set(sent, name);
    return name;
  }

  async claim(sent: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const fresh = sent.filter((name) => this.find(name) === undefined);
    const isFull = this.kept.size >= MAX_SENT_NAMES;
    const rows = fresh.length === 0 || isFull ? [] : await this.insert(fresh);
    for (const { sentName, name } of rows ?? []) this.kept.set(sentName, name);
    const otherwise = (name: string) => (rows === null ? this.expect(name) : namesFor(name)[1]);
    return new Map(sent.map((name) => [name, this.find(name) ?? otherwise(name)]));
  }
}

type Needed = Pick<Deps, 'clock' | 'sql'> & {
  log: { warn: (fields: unknown, message: string) => void };
};

/** Names never change. Without PostgreSQL they are those of the rule. */
export function createEventNames({ clock, log, sql }: Needed) {
  let awayUntilMs = 0;
  const apps = new LRUCache<string, Kept>({
    maxSize: MAX_KEPT_NAMES,
    sizeCalculation: (names) => names.size + 1,
  });
  async function ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (clock().getTime() < awayUntilMs) return null;
    try {
      return await withTimeout(question(), WAIT_MS);
    } catch (thrown) {
      awayUntilMs = clock().getTime() + AWAY_MS;
      log.warn({ err: errorMessage(thrown) }, 'names of events could not be claimed; trying later');
      return null;
    }
  }
  const load = async (scope: AppScope, kept: Kept): Promise<void> => {
    const rows = await ask(() => selectNames(sql, scope));
    for (const { sentName, name } of rows ?? []) kept.set(sentName, name);
    if (rows) apps.set(scope.appId, kept);
  };
  const insert = async (scope: AppScope, kept: Kept, sent: readonly string[]) => {
    const claims = sent.map((name) => {
      return { sentName: toKey(name), wanted: eventName(name), candidates: namesFor(name) };
    });
    const rows = await ask(() => insertNames(sql, scope, claims));
    if (rows) await load(scope, kept);
    return rows;
  };
  const of = async ({ orgId, appId }: AppScope): Promise<AppNames> => {
    const scope = { orgId, appId };
    const kept: Kept = apps.get(appId) ?? new Map();
    if (!apps.has(appId)) await load(scope, kept);
    return new AppNames(kept, (sent) => insert(scope, kept, sent));
  };
  async function name(scope: AppScope, events: readonly SentEvent[]): Promise<void> {
    const byRule = events.filter(({ event, sentName }) => isByRule(event.name, sentName));
    if (byRule.length === 0) return;
    const sent = new Set(byRule.map(({ sentName }) => sentName));
    const found = await (await of(scope)).claim([...sent]);
    for (const { event, sentName } of byRule) event.name = found.get(sentName) ?? event.name;
  }
  return { of, name };
}
