import { resolve } from 'node:path';
import { ROOT } from '../install.ts';

/** Run on demand: its own dependencies are none of the project. */
const TOOL = '@cyclonedx/cdxgen@12.8.4';

/** Writes a bill of materials of everything in bun.lock, with its checksums (CycloneDX). */
export async function writeSbom(file: string): Promise<number> {
  const flags = ['-t', 'js', '--no-install-deps', '--no-recurse', '-o', resolve(file)];
  const child = Bun.spawn([process.execPath, 'x', TOOL, ...flags, ROOT], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const code = await child.exited;
  if (code === 0 && (await Bun.file(resolve(file)).exists())) return 0;
  console.error(`No bill of materials was written: ${TOOL} ended with ${code}.`);
  return 1;
}
