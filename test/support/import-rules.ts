import { Glob } from 'bun';
import type { Import, Source } from './sources.ts';

/** Who may import what, by folder, as globs; the first rule that fits a file holds. */
export type ImportRule = {
  from: readonly string[];
  /** Files of this repository that may be imported; a folder may always import itself. */
  ours: readonly string[];
  /** Files that may not be imported after all, its own folder included. */
  not?: readonly string[];
  /** The only packages and built-in modules that may be imported; absent means any. */
  packages?: readonly string[];
  /** Files and packages that may be imported as a type only. */
  types?: readonly string[];
  because: string;
};

const isOurs = (target: string) =>
  /^(src|workflows|activities|clients|test|scripts|bench)\//.test(target);

/** From the top of the stack to its bottom: a folder imports only folders below it. */
export const IMPORT_RULES: readonly ImportRule[] = [
  {
    from: ['src/app/routes.ts'],
    ours: ['src/**', 'activities/**'],
    not: ['src/main.ts', 'src/launcher/**'],
    because: 'the HTTP interface is assembled from the routes of every chapter.',
  },
  {
    from: ['src/{app,admin,entry}/**'],
    ours: ['src/**', 'activities/**'],
    not: ['src/main.ts', 'src/modules/**/*routes.ts'],
    because: 'composition imports everything but routes, which src/app/routes.ts assembles.',
  },
  {
    from: ['src/demo/**'],
    ours: ['src/**', 'clients/api/src/index.ts'],
    not: ['src/main.ts', 'src/modules/**/*routes.ts'],
    because: 'the demo is a client where the HTTP interface suffices, and composition elsewhere.',
  },
  {
    from: ['src/launcher/**', 'src/main.ts'],
    ours: [
      'src/launcher/**',
      'src/config.ts',
      'src/event-store/place.ts',
      'src/{storage,observability,shared}/**',
      'src/temporal/contracts/**',
    ],
    because: 'the launcher starts the processes by path and knows nothing of what they do.',
  },
  {
    from: ['workflows/**'],
    ours: ['src/temporal/contracts/**'],
    packages: ['@temporalio/workflow'],
    types: ['activities/**', '@temporalio/common'],
    because: 'workflows are deterministic: no I/O, no clock, no code but their own.',
  },
  {
    from: ['activities/**'],
    ours: [
      'src/modules/*/index.ts',
      'src/event-store/keep.ts',
      'src/temporal/contracts/**',
      'src/shared/**',
    ],
    types: ['src/{context,chapter}.ts'],
    because: 'activities call use-cases through the door of their chapter.',
  },
  {
    from: ['src/modules/**/*routes.ts'],
    ours: [
      'src/modules/*/index.ts',
      'src/{http,query,shared}/**',
      'src/lake/catalogue.ts',
      'src/event-store/{append,people,read}.ts',
      'src/providers/*/port.ts',
    ],
    not: ['src/**/*queries.ts'],
    types: ['src/context.ts'],
    because: 'a route validates, calls one use-case and maps the result: no SQL, no provider call.',
  },
  {
    from: ['src/modules/**'],
    ours: [
      'src/modules/*/index.ts',
      'src/event-store/{append,people,place,read,keep}.ts',
      'src/lake/catalogue.ts',
      'src/{query,temporal,storage,observability,shared}/**',
      'src/providers/*/port.ts',
    ],
    types: ['src/{context,chapter,config}.ts', 'src/http/**'],
    because: 'a chapter reaches another through its index.ts, and outside systems through ports.',
  },
  {
    from: ['src/sql/**'],
    ours: [
      'src/modules/sql/{index,client,model}.ts',
      'src/modules/purchases/model/stored.ts',
      'src/event-store/read.ts',
      'src/query/failure/failure.ts',
      'src/query/schedule/**',
      'src/{storage,shared}/**',
    ],
    types: ['src/context.ts'],
    because:
      'an analyst asks views of what others store: the sandbox knows no process and no route.',
  },
  {
    from: ['src/query/{funnel,experiment,segment,series,retention,summary,inventory,events}/**'],
    ours: ['src/event-store/{read,projections}.ts', 'src/{storage,shared}/**'],
    not: [
      'src/query/{client,engine,server,start,helper,kinds}.ts',
      'src/query/reading/threads/**',
      'src/query/reading/projection/{parts,small-files,log-rows}.ts',
      'src/query/reading/duckdb/tables.ts',
      'src/query/reading/lake/{questions,trino,trino-protocol,open}.ts',
    ],
    types: [
      'src/query/reading/threads/messages.ts',
      'src/query/reading/projection/parts.ts',
      'src/context.ts',
    ],
    because: 'a kind of question has its forms; which one is taken only src/query/reading knows.',
  },
  {
    from: ['src/query/**'],
    ours: ['src/event-store/{read,projections}.ts', 'src/{storage,shared}/**'],
    types: ['src/context.ts', 'src/observability/**'],
    because: 'queries read the event store and know no chapter.',
  },
  {
    from: ['src/lake/**'],
    ours: ['src/event-store/read.ts', 'src/{storage,shared}/**'],
    types: ['src/{context,config}.ts'],
    because: 'the lake publishes rows: it knows the tables of chapters, not their code.',
  },
  {
    from: ['src/event-store/**'],
    ours: ['src/temporal/contracts/**', 'src/{storage,shared}/**'],
    types: ['src/{context,config}.ts', 'src/observability/**'],
    because: 'the event store knows no chapter and no route.',
  },
  {
    from: ['src/console/**'],
    ours: [
      'clients/api/src/index.ts',
      'src/shared/{console-pages,csv,customer-state,event-fields,field-rules,permissions,statistics/{compare-windows,minimum,rates},stores}.ts',
    ],
    packages: ['preact', 'preact/**', 'preact-iso', '@preact/signals', 'lucide-preact', 'd3-array'],
    because:
      'the console is a client like any other: it knows the typed client, its own addresses, how cells of CSV are written, which customers are in trouble, how sure a rate is and how few people have none, and the tables of fields, their rules, stores and roles.',
  },
  {
    from: ['src/http/**'],
    ours: ['src/{storage,shared}/**', 'clients/{pack,maven}.ts'],
    types: ['src/{context,config}.ts', 'src/observability/**'],
    because: 'what every request goes through knows no chapter.',
  },
  {
    from: ['src/{context,chapter}.ts'],
    ours: [],
    types: ['src/{config,context}.ts', 'src/{observability,providers,shared,storage,temporal}/**'],
    because: 'the context and the shape of a chapter are types, of what stands below the chapters.',
  },
  {
    from: ['src/temporal/contracts/**'],
    ours: ['src/shared/**'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    because: 'contracts are loaded inside workflows.',
  },
  {
    from: ['src/temporal/**'],
    ours: ['src/temporal/contracts/**', 'src/{storage,shared}/**'],
    types: ['src/config.ts', 'src/observability/**'],
    because: 'the connection to Temporal knows no chapter.',
  },
  {
    from: ['src/storage/**'],
    ours: ['src/shared/**'],
    types: ['src/config.ts'],
    because: 'storage knows no chapter.',
  },
  {
    from: ['src/providers/**'],
    ours: ['src/shared/**'],
    because: 'a provider knows its outside system and src/shared, not this service.',
  },
  {
    from: ['src/observability/**', 'src/config.ts'],
    ours: ['src/shared/**'],
    types: ['src/config.ts'],
    because: 'configuration and logs stand at the bottom.',
  },
  {
    from: ['src/shared/**'],
    ours: [],
    because: 'src/shared is the vocabulary of everything else and imports nothing else of src.',
  },
];

const globs = new Map<string, Glob>();

function fits(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    const glob = globs.get(pattern) ?? new Glob(pattern);
    globs.set(pattern, glob);
    return glob.match(path);
  });
}

/** The folder that a file belongs to: a chapter, a provider, or a top folder. */
export function folderOf(path: string): string {
  const nested = /^(src\/(?:modules|providers)\/[^/]+|src\/temporal\/contracts)\//.exec(path);
  if (nested?.[1]) return nested[1];
  if (path === 'src/main.ts') return 'src/launcher';
  return (/^(src\/[^/]+|[^/]+)/.exec(path)?.[1] ?? path).replace(/\.ts$/, '');
}

function allowed(rule: ImportRule, path: string, { target, typeOnly }: Import): boolean {
  if (typeOnly && fits(rule.types ?? [], target)) return true;
  if (fits(rule.not ?? [], target)) return false;
  if (!isOurs(target)) return rule.packages === undefined || fits(rule.packages, target);
  return folderOf(target) === folderOf(path) || fits(rule.ours, target);
}

/** One line for each import that a rule forbids, or that no rule speaks of. */
export function brokenImports(sources: readonly Source[], rules = IMPORT_RULES): string[] {
  return sources.flatMap(({ path, imports }) => {
    const rule = rules.find(({ from }) => fits(from, path));
    if (!rule) return [`${path}: no rule says what this folder may import.`];
    return imports
      .filter((found) => !allowed(rule, path, found))
      .map((found) => `${path}:${found.line} imports ${found.target}: ${rule.because}`);
  });
}

/** Every circle of folders, of value and type imports, as a list of the folders in it. */
export const folderCycles = (sources: readonly Source[]): string[][] => cycles(sources, folderOf);

/** Doors lead from a folder down into its rooms: they list, serve or start what is there. */
const DOORS = [
  '**/{index,main,chapter,*routes}.{ts,tsx}',
  'src/event-store/{append,keep,people,place,projections,read}.ts',
  'src/query/kinds.ts',
  'src/modules/purchases/store-doors/stores.ts',
  'src/console/{app.tsx,pages.ts,first-parts.ts}',
];

/** Words are what the rooms of a folder speak of: its models, types, names and errors. */
const WORDS = [
  '**/{model,*.model,port,names}.ts',
  'src/{chapter,config,context}.ts',
  'src/event-store/store.ts',
];

/** A folder's own files; of one that has folders, each door and each file of words for itself. */
function roomOf(paths: readonly string[]): (path: string) => string {
  const parents = new Set(
    paths.flatMap((path) => {
      const parts = path.split('/').slice(0, -2);
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    }),
  );
  return (path) => {
    const folder = path.slice(0, path.lastIndexOf('/'));
    return parents.has(folder) && fits([...DOORS, ...WORDS], path) ? path : folder;
  };
}

/**
 * Every circle of rooms, of value and type imports: of folders, each with its own files only, and
 * of the doors and words of those that have folders in them.
 */
export const roomCycles = (sources: readonly Source[]): string[][] =>
  cycles(sources, roomOf(sources.map(({ path }) => path)));

/** Every circle of directories taken literally, of value imports. */
export const literalCycles = (sources: readonly Source[]): string[][] =>
  cycles(
    sources.map((source) => ({
      ...source,
      imports: source.imports.filter(({ typeOnly }) => !typeOnly),
    })),
    (path) => path.slice(0, path.lastIndexOf('/')),
  );

/** Every circle of files, of value and type imports. */
export const fileCycles = (sources: readonly Source[]): string[][] =>
  cycles(sources, (path) => path);

function cycles(sources: readonly Source[], groupOf: (path: string) => string): string[][] {
  const arrows = new Map<string, Set<string>>();
  for (const { path, imports } of sources) {
    const from = groupOf(path);
    const row = arrows.get(from) ?? new Set();
    arrows.set(from, row);
    for (const { target } of imports) {
      if (isOurs(target) && groupOf(target) !== from) row.add(groupOf(target));
    }
  }
  const reaches = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(arrows.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(arrows.get(next) ?? []));
    }
    return seen;
  };
  const reachable = new Map([...arrows.keys()].map((group) => [group, reaches(group)]));
  const cyclic = [...reachable].filter(([group, seen]) => seen.has(group));
  const circles = cyclic.map(([group, seen]) =>
    [...seen].filter((other) => reachable.get(other)?.has(group)).toSorted(),
  );
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()];
}
