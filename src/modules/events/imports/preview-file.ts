import type { SystemContext } from '../../../context.ts';
import { idOrNull } from '../../../shared/identity.ts';
import { findFile, type Imported, type ImportInput } from './import-file.ts';
import { isByRule } from '../names/rule.ts';
import { selectProgress } from './queries.ts';
import { type ExportedEvent, Refusals, readExport } from './read-export.ts';

/** Memory bound on distinct ids. */
const IDS_MAX = 2_000_000;
const NAMES_MAX = 1_000;
const VERSIONS_MAX = 1_000;
const LINES_AT_ONCE = 50_000;

export type Preview = Omit<Imported, 'importId'> & {
  firstAt: string | null;
  lastAt: string | null;
  /** Null for too many to count. */
  people: number | null;
  platforms: { platform: string | null; people: number | null }[];
  versions: { appVersion: string | null; people: number | null }[];
  countries: { country: string | null; people: number | null }[];
  /** `name` null: refused, and to be renamed. */
  names: { name: string | null; sentName: string; events: number }[];
};

class People {
  private readonly users = new Map<string, string>();
  private readonly seen = new Map<string, Set<string>>([['', new Set()]]);
  private ids = 0;

  add({ event, context }: ExportedEvent): void {
    const [device, user] = [idOrNull(event.anonymousId), idOrNull(event.userId)];
    const person = user ?? device;
    if (person === null) return;
    if (device !== null && user !== null && !this.users.has(device)) this.users.set(device, user);
    const { platform = '', appVersion = '', country = '' } = context;
    for (const group of ['', `p${platform}`, `v${appVersion}`, `c${country}`]) {
      this.addTo(group, person);
    }
  }

  private addTo(group: string, person: string): void {
    if (this.ids > IDS_MAX) return;
    const members = this.seen.get(group) ?? new Set();
    if (members.size === 0 && this.seen.size > VERSIONS_MAX) return;
    if (!members.has(person)) this.ids += 1;
    this.seen.set(group, members.add(person));
  }

  private count(members: ReadonlySet<string>): number | null {
    if (this.ids > IDS_MAX) return null;
    return new Set([...members].map((id) => this.users.get(id) ?? id)).size;
  }

  total(): number | null {
    return this.count(this.seen.get('') ?? new Set());
  }

  groups(prefix: string): { value: string | null; people: number | null }[] {
    return [...this.seen]
      .filter(([group]) => group.startsWith(prefix))
      .map(([group, members]) => ({ value: group.slice(1) || null, people: this.count(members) }))
      .toSorted((one, other) => (other.people ?? 0) - (one.people ?? 0));
  }
}

class Names {
  private readonly counts = new Map<string, Preview['names'][number]>();

  add(name: string | null, sentName: string): void {
    const key = JSON.stringify([name, sentName]);
    const found = this.counts.get(key);
    if (found) found.events += 1;
    else if (this.counts.size < NAMES_MAX) this.counts.set(key, { name, sentName, events: 1 });
  }

  list(): Preview['names'] {
    return [...this.counts.values()].toSorted((one, other) => other.events - one.events);
  }
}

export async function previewEventsFile(
  ctx: SystemContext<'clock' | 'eventNames' | 'sql'>,
  input: ImportInput,
): Promise<Preview> {
  const file = await findFile(ctx, input);
  const before = await selectProgress(ctx.deps.sql, file);
  const ofApp = await ctx.deps.eventNames.of(file);
  const [refusals, people, names] = [new Refusals(), new People(), new Names()];
  let [format, lines, events, leftOut] = ['', 0, 0, 0];
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const line of readExport(input, ctx.deps.clock().getTime())) {
    ({ number: lines, format } = line);
    refusals.add(line);
    if (line.events.length + line.refusals.length === 0) leftOut += 1;
    for (const each of line.events) {
      const at = Date.parse(each.event.ts ?? '');
      [first, last, events] = [Math.min(first, at), Math.max(last, at), events + 1];
      people.add(each);
      const { event, sentName } = each;
      const isNamed = format !== 'own' && isByRule(event.name, sentName);
      names.add(isNamed ? ofApp.expect(sentName) : event.name, sentName);
    }
    for (const sentName of line.refusedNames) names.add(null, sentName);
    if (lines % LINES_AT_ONCE === 0) input.report?.(`${lines} lines`);
  }
  return {
    ...{ format, lines, events, leftOut },
    refusals: refusals.list(),
    wasThere: before?.isFinished ?? false,
    firstAt: events > 0 ? new Date(first).toISOString() : null,
    lastAt: events > 0 ? new Date(last).toISOString() : null,
    people: people.total(),
    platforms: people
      .groups('p')
      .map(({ value, people: count }) => ({ platform: value, people: count })),
    versions: people
      .groups('v')
      .map(({ value, people: count }) => ({ appVersion: value, people: count })),
    countries: people
      .groups('c')
      .map(({ value, people: count }) => ({ country: value, people: count })),
    names: names.list(),
  };
}
