import type { DuckDBConnection } from '@duckdb/node-api';
import { at } from '../shared/assert.ts';
import type { Held } from './reading/projection/held.ts';
import { type Part, planParts } from './reading/projection/parts.ts';
import { type EventSource, type SelectedFile, selectEvents } from './reading/source/events.ts';
import { Pace } from '../shared/pace.ts';
import type { CountingThreads } from './reading/threads/threads.ts';
import { countTogether, toShare } from './reading/threads/together.ts';
import {
  type CountedOfPeople,
  listWindows,
  planCounts,
  type Window,
  windowOver,
} from './segment/counted.ts';
import { MembersFinder } from './segment/find-members.ts';
import {
  countsKey,
  digest,
  digestOfAliases,
  isFoundAgain,
  type KeptMembers,
  keepMembers,
  keptMembers,
  NOTHING_KEPT,
} from './segment/kept-members.ts';
import { TallyCounter } from './segment/projected.ts';
import { type Tally, toTally } from './segment/tally.ts';
import type { Membership } from './selection/segment-rules.ts';
import type { AppSelection } from './selection/selection.ts';

export type FindingRun = {
  connection: DuckDBConnection;
  checkTime: () => void;
  threads: CountingThreads | null;
  noteUse?: ((props: readonly string[]) => void) | undefined;
};

/** With fewer rows it is read anew each time: such files are merged soon. */
const LASTING_ROWS = 16_384;
/** Files that came later are tallied apart; beyond, all are tallied anew. */
const MAX_TALLIES = 4;

type Lasting = Part & { file: SelectedFile };

/** Which windows a file is wholly in; null where one of them cuts it. */
function windowsAt(file: SelectedFile, windows: readonly Window[]): string | null {
  const over = windows.map((window) => windowOver(window, file));
  return over.includes('some') ? null : over.join();
}

async function tallyParts(
  { checkTime, threads }: FindingRun,
  source: EventSource,
  parts: readonly Part[],
  counted: CountedOfPeople,
): Promise<Tally | null> {
  const share = toShare(parts, { source: { ...source, lateAliases: [] }, threads });
  const counter = new TallyCounter(share, counted);
  const task = { kind: 'segment' as const, question: counted };
  await countTogether(counter, { task, share }, { checkTime, threads });
  const records = counter.records();
  return records && toTally(records, counted);
}

type Asked = {
  source: EventSource;
  parts: readonly Part[];
  counted: CountedOfPeople;
  membership: Membership;
};

/** Null of too many people. */
async function withLasting(
  run: FindingRun,
  before: KeptMembers,
  lasting: ReadonlyMap<Lasting, string>,
  { source, counted }: Asked,
): Promise<KeptMembers | null> {
  const files = new Map([...lasting].map(([{ file }, windows]) => [file.path, windows]));
  const isOfThese = [...before.files].every(([path, windows]) => files.get(path) === windows);
  const isFull = before.tallies.length === MAX_TALLIES && files.size > before.files.size;
  const kept = isOfThese && !isFull ? before : NOTHING_KEPT;
  const fresh = [...lasting.keys()].filter(({ file }) => !kept.files.has(file.path));
  if (fresh.length === 0) return kept;
  const tally = await tallyParts(run, source, fresh, counted);
  return tally && { files, tallies: [...kept.tallies, tally], found: null };
}

async function findAmong(
  { checkTime, threads }: FindingRun,
  { source, membership, counted }: Asked,
  open: readonly Part[],
  tallies: readonly Tally[],
): Promise<Uint32Array> {
  const tallied = tallies.map(({ projection }) => ({ projection, file: null }));
  const share = toShare([...tallied, ...open], { source, threads });
  const finder = new MembersFinder(share, tallies, { rules: membership.rules, counted });
  const pace = new Pace(checkTime);
  while (finder.people.next()) {
    finder.findRange();
    await pace.turn();
  }
  return finder.members();
}

async function findPeople(run: FindingRun, key: string, asked: Asked): Promise<Uint32Array | null> {
  const { parts, counted, membership, source } = asked;
  const windows = listWindows(counted);
  const lasting = new Map<Lasting, string>();
  const open: Part[] = [];
  for (const part of parts) {
    const { file } = part;
    const at = file && file.rows >= LASTING_ROWS ? windowsAt(file, windows) : null;
    if (file === null || at === null) open.push(part);
    else lasting.set({ ...part, file }, at);
  }
  const kept = await withLasting(run, keptMembers(key), lasting, asked);
  if (kept === null) return null;
  const ever = at(windows, 0);
  const isCut = open.some(({ file }) => file && windowOver(ever, file) !== 'all');
  const signature = digest([
    membership.rules,
    isCut ? membership.beforeUs : null,
    open.map(({ file }) => file?.path ?? null),
    digestOfAliases(source.lateAliases),
  ]);
  const memory = open.filter(({ file }) => file === null).map(({ projection }) => projection);
  if (kept.found && isFoundAgain(kept.found, { signature, memory })) return kept.found.people;
  const people = await findAmong(run, asked, open, kept.tallies);
  const refs = memory.map((projection) => new WeakRef(projection));
  keepMembers(key, { ...kept, found: { signature, memory: refs, people } });
  return people;
}

const turns = new Map<string, Promise<unknown>>();

/** One after the other, so that the next one finds what is kept. */
async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

/** Keys of everybody in a segment now; null where DuckDB has to find them. */
export async function projectedMembers(
  run: FindingRun,
  source: EventSource,
  { selection, held, membership }: { selection: AppSelection; held: Held; membership: Membership },
): Promise<Uint32Array | null> {
  const { connection, noteUse } = run;
  const parts = await planParts({ ...selectEvents(source, selection), connection, noteUse }, held);
  if (parts === null) return null;
  const counted = planCounts(membership);
  const key = countsKey(source, counted);
  return inTurn(key, () => findPeople(run, key, { source, parts, counted, membership }));
}
