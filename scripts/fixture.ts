import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODES } from '../test/release-fixture/facts.ts';
import { makeFixture } from '../test/release-fixture/make.ts';
import { ROOT } from './install.ts';

function run(command: string[], cwd: string): void {
  const done = Bun.spawnSync(command, { cwd, stdout: 'inherit', stderr: 'inherit' });
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')} failed in ${cwd}.`);
}

/** `bun scripts/fixture.ts COMMIT [MODE…]`: runs that commit's code and keeps what it leaves. */
const [commit, ...wanted] = process.argv.slice(2);
if (!commit) throw new Error('Say which commit: bun scripts/fixture.ts COMMIT [plain|encrypted]');
const folder = await mkdtemp(join(tmpdir(), 'release-'));
const tree = join(folder, commit);
run(['git', 'worktree', 'add', '--detach', tree, commit], ROOT);
try {
  run([process.execPath, 'install', '--frozen-lockfile', '--silent'], tree);
  for (const mode of MODES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    await makeFixture(tree, commit, mode);
  }
} finally {
  run(['git', 'worktree', 'remove', '--force', tree], ROOT);
  await rm(folder, { recursive: true, force: true });
}
