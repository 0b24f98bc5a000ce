import { dirname } from 'node:path';
import { childEnvironment } from '../../config.ts';
import type { CliSearch, Report } from './temporal-download.ts';

const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const PROGRESS_EVERY_MS = 30_000;

export async function buildCli(
  { searchPath }: CliSearch,
  binary: string,
  report: Report,
): Promise<void> {
  const go = Bun.which('go', { PATH: searchPath });
  if (!go) throw new Error('PATH holds no "go" to build it with: install Go, then start again.');
  report(`Building Temporal with "go install ${MODULE}"; the first time takes some minutes …`);
  const started = performance.now();
  const timer = setInterval(() => {
    report(`… still building (${Math.round((performance.now() - started) / 1_000)} s)`);
  }, PROGRESS_EVERY_MS);
  const build = Bun.spawn([go, 'install', MODULE], {
    env: childEnvironment({ GOBIN: dirname(binary) }),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const [output, code] = await Promise.all([new Response(build.stderr).text(), build.exited]);
  clearInterval(timer);
  if (code === 0) return;
  const end = output.trim().split('\n').slice(-5).join('\n     ');
  throw new Error(`Building it with Go failed (exit code ${code}):\n     ${end}`);
}
