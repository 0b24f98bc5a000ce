import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/sources.ts';

/** A project with one dependency, from a folder beside it, and the scripts of this one. */
function newProject(more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  cpSync(join(ROOT, 'scripts/install.ts'), join(folder, 'scripts/install.ts'));
  mkdirSync(join(folder, 'dependency'));
  writeFileSync(join(folder, 'dependency/package.json'), '{"name":"dependency","version":"1.0.0"}');
  writeFileSync(join(folder, 'dependency/index.js'), 'export const answer = 42;');
  const manifest = { name: 'project', dependencies: { dependency: 'file:./dependency' }, ...more };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'scripts/main.ts'),
    `import { ensureInstalled } from './install.ts';
     await ensureInstalled(process.env.WANTED);
     const { answer } = await import('dependency');
     console.log(answer, process.argv.slice(2).join(' '));`,
  );
  return folder;
}

async function run(folder: string, command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: folder,
    // Bun is not on PATH, as under npx.
    env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { out: out.trim(), err, code: await child.exited };
}

/** Large enough for the cache of Bun. */
const LARGE = Array.from({ length: 500 }, (_, n) => `export const part${n}: number = ${n};`);

describe('the cache of Bun', () => {
  test.each(['', 'cache'])('is not in the working folder for XDG_CACHE_HOME="%s"', async (path) => {
    const folder = newProject();
    writeFileSync(join(folder, 'scripts/large.ts'), LARGE.join('\n'));
    appendFileSync(join(folder, 'scripts/main.ts'), "\nawait import('./large.ts');");
    const env = { XDG_CACHE_HOME: path };
    await run(folder, ['install', '--lockfile-only']);
    const before = readdirSync(folder);
    for (const word of ['first', 'second']) {
      expect(await run(folder, ['scripts/main.ts', word], env)).toMatchObject({
        out: `42 ${word}`,
      });
    }
    // HOME, where Bun's cache is else, is this folder.
    const ours = [...before, '.bun', 'node_modules'];
    expect(readdirSync(folder).filter((name) => !ours.includes(name))).toEqual([]);
  });
});

describe('a first start', () => {
  test('installs, then runs what it was asked with the same arguments', async () => {
    const folder = newProject();
    await run(folder, ['install', '--lockfile-only']);
    const first = await run(folder, ['scripts/main.ts', 'one', 'two']);
    expect(first).toMatchObject({ out: '42 one two', code: 0 });
    expect(first.err).toContain('Installing dependencies');
    const second = await run(folder, ['scripts/main.ts']);
    expect(second.err).not.toContain('Installing');
  });

  test('to run installs nothing that only tests need, until they want it', async () => {
    const folder = newProject({ devDependencies: { tool: 'file:./tool' } });
    mkdirSync(join(folder, 'tool'));
    writeFileSync(join(folder, 'tool/package.json'), '{"name":"tool","version":"1.0.0"}');
    await run(folder, ['install', '--lockfile-only']);
    const isThere = () => existsSync(join(folder, 'node_modules/tool'));
    const to = (wanted: string) => run(folder, ['scripts/main.ts'], { WANTED: wanted });
    expect(await to('run')).toMatchObject({ out: '42', code: 0 });
    expect(isThere()).toBe(false);
    expect((await to('run')).err).not.toContain('Installing');
    expect((await to('all')).err).toContain('Installing dependencies');
    expect(isThere()).toBe(true);
    // What is there for the tests is no reason to install anew.
    expect((await to('run')).err).not.toContain('Installing');
    expect(isThere()).toBe(true);
  });

  test('installs again when the lock file has changed', async () => {
    const folder = newProject();
    await run(folder, ['install', '--lockfile-only']);
    await run(folder, ['scripts/main.ts']);
    appendFileSync(join(folder, 'bun.lock'), '\n');
    expect((await run(folder, ['scripts/main.ts'])).err).toContain('Installing dependencies');
    expect((await run(folder, ['scripts/main.ts'])).err).not.toContain('Installing');
  });

  test('an installation that fails says why, and leaves no mark of success', async () => {
    const folder = newProject();
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"dependency":"file:./gone"}}');
    writeFileSync(join(folder, 'bun.lock'), '{');
    const { code, err } = await run(folder, ['scripts/main.ts']);
    expect(code).toBe(1);
    expect(err).toContain('bun install failed');
    expect(existsSync(join(folder, 'node_modules/.installed'))).toBe(false);
  });
});
