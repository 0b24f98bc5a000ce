import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Glob } from 'bun';
import { parser } from '../src/shared/schema.ts';
import { ROOT } from './install.ts';

const LOOPS = 'tsconfig.loops.json';
const PROJECTS = [
  'tsconfig.json',
  LOOPS,
  'src/console',
  'test/unit/console',
  'clients/web',
  'clients/api',
];

const config = parser(
  Type.Object({ include: Type.Array(Type.String()) }, { additionalProperties: true }),
  LOOPS,
);

/** What the compiler says of a file, without that of the files of `left`. */
function withoutFiles(said: string, left: ReadonlySet<string>): string[] {
  let isLeft = false;
  return said.split('\n').filter((line) => {
    // A further line of a message is indented.
    if (!line.startsWith(' ')) isLeft = left.has(line.slice(0, Math.max(0, line.indexOf('('))));
    return line !== '' && !isLeft;
  });
}

async function check(project: string, left: ReadonlySet<string>): Promise<string[]> {
  const command = ['tsc', '--noEmit', '--pretty', 'false', '-p', project];
  const child = Bun.spawn(command, { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' });
  const said = await new Response(child.stdout).text();
  const errors = withoutFiles(said, left);
  if ((await child.exited) !== 0 && said.trim() === '') return [`${project}: tsc failed`];
  return errors;
}

/**
 * Loops over numbers have a configuration of their own, in which an index is never undefined. The
 * compiler meets them by the others' imports too; what it says of them there is left out.
 */
if (import.meta.main) {
  const { include } = config.parse(JSON.parse(readFileSync(join(ROOT, LOOPS), 'utf8')));
  const loops = new Set(include.flatMap((glob) => [...new Glob(glob).scanSync(ROOT)]));
  let failed = false;
  for (const project of PROJECTS) {
    const errors = await check(project, project === LOOPS ? new Set() : loops);
    for (const line of errors) console.error(line);
    failed ||= errors.length > 0;
  }
  process.exit(failed ? 1 : 0);
}
