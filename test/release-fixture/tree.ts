import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

function run(command: string[], cwd: string): void {
  const done = Bun.spawnSync(command, { cwd, stdout: 'inherit', stderr: 'inherit' });
  if (done.exitCode !== 0) throw new Error(`${command.join(' ')} failed in ${cwd}.`);
}

/** Whether this copy of the repository knows the commit: a shallow clone or an archive does not. */
export const knowsCommit = (commit: string) =>
  Bun.which('git') !== null &&
  Bun.spawnSync(['git', 'cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT, stderr: 'ignore' })
    .exitCode === 0;

/** The code of a release in a worktree of its own, with its dependencies, for as long as `use` takes. */
export async function withReleaseTree(
  commit: string,
  use: (tree: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const tree = join(folder, commit);
  run(['git', 'worktree', 'add', '--quiet', '--detach', tree, commit], ROOT);
  try {
    run([process.execPath, 'install', '--frozen-lockfile', '--silent'], tree);
    await use(tree);
  } finally {
    run(['git', 'worktree', 'remove', '--force', tree], ROOT);
    await rm(folder, { recursive: true, force: true });
  }
}
