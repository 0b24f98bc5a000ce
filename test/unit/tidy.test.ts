import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circlesOutsideConsole } from '../../scripts/circles.ts';
import { importsPage } from '../../scripts/imports.ts';
import { filesBetween } from '../../scripts/question-path.ts';
import { RULES } from '../../scripts/mutants/rules.ts';
import { brokenImports, fileCycles, folderCycles, roomCycles } from '../support/import-rules.ts';
import { parseSource, ROOT, readSources, type Source } from '../support/sources.ts';

/** Directories in a circle, and circles: both may only fall. */
const [MOST_DIRECTORIES, MOST_CIRCLES] = [3, 8];

const production = readSources('{src,workflows,activities}/**/*.{ts,tsx}');
const withClients = [
  ...production,
  ...readSources('clients/{web,api,behaviour,*.ts}/**/*.ts'),
  ...readSources('clients/*.ts'),
];
const everything = [...production, ...readSources('{test,scripts,bench}/**/*.ts')];

/** `path:line` of every line that fits, outside of comments. */
function linesWith(sources: readonly Source[], pattern: RegExp): string[] {
  return sources.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) && !/^\s*(\/\/|\/?\*)/.test(line)
        ? [`${path}:${index + 1}: ${line.trim()}`]
        : [],
    ),
  );
}

/** Programs in texts, and the two helpers themselves. */
const MAY_SLEEP = new Set([
  'test/support/pause.ts',
  'test/support/until.ts',
  'test/unit/preview/process.test.ts',
  'test/unit/processes/run.test.ts',
  'test/unit/runner/times.test.ts',
  'test/unit/supervisor/lock.test.ts',
]);

test('tests wait for what happens (until), or say why they cannot (pause)', () => {
  const tests = readSources('test/**/*.ts').filter(
    ({ path }) => !MAY_SLEEP.has(path) && !/^test\/(simulators|compat)\//.test(path),
  );
  expect(linesWith(tests, /\bBun\.sleep\(|=> setTimeout\(resolve, 0/)).toEqual([]);
});

test('what makes certificates loads its metadata first: in one process with others the order counts', () => {
  const late = everything.filter(({ path, lines }) => {
    const at = (word: string) => lines.findIndex((line) => line.includes(`'${word}'`));
    return (
      path !== 'test/unit/tidy.test.ts' &&
      at('@peculiar/x509') !== -1 &&
      at('reflect-metadata') !== 0
    );
  });
  expect(late.map(({ path }) => path)).toEqual([]);
});

describe('imports', () => {
  test('follow the rules of the folders', () => {
    expect(brokenImports(production)).toEqual([]);
  });

  test('stand in docs/imports.md as the rules say', () => {
    const page = readFileSync(join(ROOT, 'docs/imports.md'), 'utf8');
    expect(page, 'run `bun scripts/imports.ts > docs/imports.md`').toBe(importsPage());
  });

  test('go one way: no circle of folders, by values or by types', () => {
    expect(folderCycles(withClients)).toEqual([]);
  });

  test('lie in small circles of directories, each a door and what is behind it', () => {
    const circles = circlesOutsideConsole();
    expect(circles.filter(({ length }) => length > MOST_DIRECTORIES)).toEqual([]);
    expect(circles.length).toBeLessThanOrEqual(MOST_CIRCLES);
  });

  test('go one way between the rooms of a chapter: no circle of their folders', () => {
    expect(roomCycles(withClients)).toEqual([]);
  });

  test('go one way inside of folders too: no circle of files', () => {
    expect(fileCycles(production)).toEqual([]);
  });

  test('lead in few files from the route of a funnel to the door of queries', () => {
    const found = filesBetween(production);
    expect(found).toContain('src/modules/questions/funnel/plan.ts');
    expect(found.length).toBeLessThanOrEqual(8);
  });

  test('a circle of folders is found', () => {
    const sources = [
      parseSource('src/http/a.ts', "import type { B } from '../modules/apps/b.ts';"),
      parseSource('src/modules/apps/b.ts', "import { c } from '../keys/index.ts';"),
      parseSource('src/modules/keys/index.ts', "import { a } from '../../http/a.ts';"),
      parseSource('src/shared/d.ts', "import { e } from './e.ts';"),
    ];
    expect(folderCycles(sources)).toEqual([['src/http', 'src/modules/apps', 'src/modules/keys']]);
    const rooms = [
      parseSource('src/query/funnel/a.ts', "import type { B } from '../arms/b.ts';"),
      parseSource('src/query/arms/b.ts', "import { c } from '../funnel/c.ts';"),
      parseSource('src/query/funnel/d.ts', "import type { S } from '../source.ts';"),
    ];
    expect(roomCycles(rooms)).toEqual([['src/query/arms', 'src/query/funnel']]);
    const nested = [
      parseSource('src/query/server.ts', "import { a } from './funnel/a.ts';"),
      parseSource('src/query/kinds.ts', "import { a } from './funnel/a.ts';"),
      parseSource('src/query/funnel/a.ts', "import type { Kind } from '../model.ts';"),
    ];
    expect(roomCycles(nested)).toEqual([]);
    const reached = parseSource('src/query/funnel/b.ts', "import type { S } from '../source.ts';");
    expect(roomCycles([...nested, reached])).toEqual([['src/query', 'src/query/funnel']]);
    expect(fileCycles(sources)).toEqual([
      ['src/http/a.ts', 'src/modules/apps/b.ts', 'src/modules/keys/index.ts'],
    ]);
  });

  test('a broken rule is found, with its line and its reason', () => {
    const broken = (path: string, text: string) => brokenImports([parseSource(path, text)]);
    const cases: [string, string][] = [
      ['src/shared/x.ts', "import { a } from '../storage/postgres.ts';"],
      ['src/shared/x.ts', "import type { A } from '../app/deps.ts';"],
      ['src/providers/store/client.ts', "import { a } from '../../config.ts';"],
      ['src/modules/apps/routes.ts', "import { a } from './queries.ts';"],
      ['src/modules/apps/routes.ts', "import { a } from '../../providers/store/client.ts';"],
      ['src/modules/apps/create.ts', "import { a } from '../keys/routes.ts';"],
      ['src/modules/apps/create.ts', "import { a } from '../keys/queries.ts';"],
      ['src/modules/apps/create.ts', "import type { A } from '../../app/deps.ts';"],
      ['src/event-store/x.ts', "import { a } from '../query/client.ts';"],
      ['src/query/x.ts', "import { a } from '../event-store/keep.ts';"],
      ['src/http/x.ts', "import type { A } from '../modules/apps/index.ts';"],
      ['src/modules/apps/create.ts', "const a = await import('../../main.ts');"],
      ['src/app/deps.ts', "import { a } from '../../test/support/postgres.ts';"],
      ['workflows/a.ts', "import { a } from '../src/shared/ids.ts';"],
      ['workflows/a.ts', "import { a } from '../activities/index.ts';"],
      ['workflows/a.ts', "import { a } from 'node:fs';"],
      ['activities/a.ts', "import { a } from '../src/app/routes.ts';"],
      ['src/console/app.tsx', "import { a } from '../shared/money.ts';"],
    ];
    for (const [path, text] of cases) expect(broken(path, `\n${text}`)).toHaveLength(1);
    expect(
      broken('src/shared/x.ts', "\n\nimport {\n  a,\n  b,\n} from '../app/deps.ts';")[0],
    ).toStartWith('src/shared/x.ts:3 imports src/app/deps.ts: ');
  });

  test('what a rule allows is let through', () => {
    const workflow = [
      "import { proxyActivities } from '@temporalio/workflow';",
      "import type { Activities } from '../activities/index.ts';",
      "import { appProvisioningContract } from '../src/temporal/contracts/apps.ts';",
      "import { next } from './app.state.ts';",
    ].join('\n');
    expect(parseSource('workflows/a.ts', workflow).imports).toHaveLength(4);
    expect(brokenImports([parseSource('workflows/a.ts', workflow)])).toEqual([]);
    const app = "import { appsRoutes } from '../modules/apps/routes.ts';";
    expect(brokenImports([parseSource('src/app/routes.ts', app)])).toEqual([]);
  });
});

describe('the rules of the house', () => {
  test('only src/config.ts reads the environment', () => {
    const others = production.filter(({ path }) => path !== 'src/config.ts');
    expect(linesWith(others, /\b(process|Bun)\.env\b/)).toEqual([]);
  });

  test('SQL stands in queries files and in src/storage only', () => {
    const others = production.filter(
      ({ path }) => !/(^|[/-])queries\.ts$/.test(path) && !path.startsWith('src/storage/'),
    );
    expect(linesWith(others, /\b(sql|tx|db)(<[^`]*>)?`|\b(sql|tx|db)\.unsafe\(/)).toEqual([]);
  });

  test('advisory locks are taken in src/storage/locks.ts only, where all of them are named', () => {
    const others = production.filter(({ path }) => path !== 'src/storage/locks.ts');
    expect(linesWith(others, /pg_\w*advisory/)).toEqual([]);
  });

  test('DuckDB is streamed in src/storage/read-chunks.ts only, where a failed stream is an error', () => {
    const others = production.filter(({ path }) => path !== 'src/storage/read-chunks.ts');
    const streams =
      /\.(fetch(All)?Chunks?|yield\w+|stream(AndRead\w*)?|startStream\w*)\((?<!\b(object|stdin)\.stream\()/;
    expect(linesWith(others, streams)).toEqual([]);
    expect(linesWith(production, streams)).not.toEqual([]);
  });

  test('cursors are read in src/storage/read-pages.ts only, where a lost connection is an error', () => {
    const others = production.filter(({ path }) => path !== 'src/storage/read-pages.ts');
    expect(linesWith(others, /\.cursor\(/)).toEqual([]);
    expect(linesWith(production, /\.cursor\(/)).not.toEqual([]);
  });

  test('no file of the service is longer than 300 lines', () => {
    const long = production.filter(({ lines }) => lines.length > 300).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  test('nothing is left to do later, skipped, or silenced', () => {
    const others = everything.filter(({ path }) => path !== 'test/unit/tidy.test.ts');
    expect(
      others.filter(({ text }) => /\b(TODO|FIXME)\b/.test(text)).map(({ path }) => path),
    ).toEqual([]);
    expect(linesWith(others, /@ts-(ignore|nocheck|expect-error)\b/)).toEqual([]);
    expect(linesWith(others, /\b(test|describe|it)\.only\(/)).toEqual([]);
  });

  test('comments refer to nothing outside of the repository', () => {
    const others = everything.filter(({ path }) => path !== 'test/unit/tidy.test.ts');
    const named = others.filter(({ text }) => /\bdesign,? §|\bspecification,? §/i.test(text));
    expect(named.map(({ path }) => path)).toEqual([]);
  });

  test('a signature names what its function reaches the outside through', () => {
    const useCases = readSources('src/{modules,event-store,query}/**/*.ts');
    const isWide =
      /:\s*((System|Org|App|Device|User|Visitor|Member|Person)Context\b(?!<)|Deps\b(?!\['))|Pick<\w+Context,/;
    // Hands its context on to the cleanup of every chapter.
    const handsOn = 'src/modules/apps/delete.ts';
    const wide = linesWith(
      useCases.filter(({ path }) => path !== handsOn),
      isWide,
    );
    expect(wide).toEqual([]);
  });

  test('the clock is injected: no use-case asks the system for the time', () => {
    // The log compares with the times that the file system gives, which are the system's.
    const useCases = readSources('src/{modules,event-store,query}/**/*.ts').filter(
      ({ path }) => !path.startsWith('src/event-store/log/'),
    );
    expect(linesWith(useCases, /\bnew Date\(\)/)).toEqual([]);
  });

  test('every timer of a workflow says in the timeline what it waits for', () => {
    const workflows = production.filter(({ path }) => path.startsWith('workflows/'));
    const timers = workflows.flatMap(({ lines }) => lines.join(' ').match(/\bsleep\(.*?;/g) ?? []);
    expect(timers.length).toBeGreaterThan(4);
    expect(timers.filter((timer) => !timer.includes('summary:'))).toEqual([]);
  });

  test('the table of `bun run mutants` names files that are there, and every state of a workflow', () => {
    const paths = Object.entries(RULES).flat(2);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    const states = readSources('workflows/*.state.ts').map(({ path }) => path);
    expect(states.filter((path) => !(path in RULES))).toEqual([]);
  });

  test('migrations are numbered once', () => {
    const names = readSources('src/storage/migrations/*.sql').map(
      ({ path }) => path.split('/').at(-1) ?? '',
    );
    const numbers = names.map((name) => name.slice(0, 4));
    expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))).toEqual([]);
    expect(numbers.length).toBe(new Set(numbers).size);
  });
});
