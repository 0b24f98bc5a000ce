import { join } from 'node:path';
import { Glob } from 'bun';
import { texts } from '../../../src/console/texts/index.ts';

const FOLDER = join(import.meta.dir, '../../../src/console/texts');

/** Every English text of the console, by the name that its file exports. */
export async function allTexts(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = { ...texts };
  for await (const name of new Glob('*.ts').scan(FOLDER)) {
    if (name === 'index.ts' || name === 'counted.ts') continue;
    const exported: Record<string, unknown> = await import(join(FOLDER, name));
    Object.assign(all, exported);
  }
  return all;
}
