import type { Import, Source } from './sources.ts';

/** Who may import what, by folder; the first rule that fits a file holds. */
export type ImportRule = {
  from: RegExp;
  /** Our own files that may be imported. */
  ours: RegExp;
  /** Packages and built-in modules that may be imported; absent means any. */
  packages?: RegExp;
  /** What may be imported as a type beyond that. */
  types?: RegExp;
  because: string;
};

const isOurs = (target: string) => /^(src|workflows|activities|test|scripts|bench)\//.test(target);

export const IMPORT_RULES: readonly ImportRule[] = [
  {
    from: /^src\/shared\//,
    ours: /^src\/shared\//,
    because: 'src/shared is the vocabulary of everything else and imports nothing else of src.',
  },
  {
    from: /^src\/providers\//,
    ours: /^src\/(shared|providers)\//,
    because: 'a provider knows its outside system and src/shared, not this service.',
  },
  {
    from: /^src\/temporal\/contracts\//,
    ours: /^src\/(temporal\/contracts|shared)\//,
    packages: /^@temporalio\/(workflow|common)$/,
    because: 'contracts are loaded inside workflows.',
  },
  {
    from: /^workflows\//,
    ours: /^(workflows|src\/temporal\/contracts)\//,
    packages: /^@temporalio\/workflow$/,
    types: /^(activities\/|@temporalio\/common$)/,
    because: 'workflows are deterministic: no I/O, no clock, no code but their own.',
  },
  {
    from: /^activities\//,
    ours: /^(activities|src)\/(?!http\/|main\.ts|processes\/|supervisor\/|embedded\/|.*routes\.ts$)/,
    because: 'activities call use-cases and ports, never the HTTP layer or a process.',
  },
  {
    from: /^src\/modules\/.*routes\.ts$/,
    ours: /^src\/(?!storage\/|embedded\/|supervisor\/|processes\/|.*store\.ts$|providers\/.*(client|wire|map)\.ts$)/,
    because: 'a route validates, calls one use-case and maps the result: no SQL, no provider call.',
  },
  {
    from: /^src\/modules\/organizations\/identity\.ts$/,
    ours: /^src\/(?!embedded\/|supervisor\/|processes\/|main\.ts|.*routes\.ts$)/,
    because: 'it puts the parts of identity together, as src/deps.ts does for the rest.',
  },
  {
    from: /^src\/modules\//,
    ours: /^src\/(?!embedded\/|supervisor\/|processes\/|main\.ts|.*routes\.ts$|providers\/.*\/(client|wire)\.ts$)/,
    because: 'a use-case reaches outside systems through ports; only the app imports routes.',
  },
  {
    from: /^src\/http\/app\.ts$/,
    ours: /^src\//,
    because: 'the app is assembled from the service alone.',
  },
  {
    from: /^src\/temporal\//,
    ours: /^(src\/(?!.*routes\.ts$)|activities\/)/,
    because: 'only the app imports routes.',
  },
  {
    from: /^src\//,
    ours: /^src\/(?!.*routes\.ts$)/,
    because: 'only the app imports routes, and nothing of the service imports tests or scripts.',
  },
];

function allowed(rule: ImportRule, found: Import): boolean {
  if (found.typeOnly && rule.types?.test(found.target)) return true;
  if (isOurs(found.target)) return rule.ours.test(found.target);
  return rule.packages?.test(found.target) ?? true;
}

/** One line for each import that a rule forbids. */
export function brokenImports(sources: readonly Source[], rules = IMPORT_RULES): string[] {
  return sources.flatMap(({ path, imports }) => {
    const rule = rules.find(({ from }) => from.test(path));
    if (!rule) return [];
    return imports
      .filter((found) => !allowed(rule, found))
      .map((found) => `${path}:${found.line} imports ${found.target}: ${rule.because}`);
  });
}
