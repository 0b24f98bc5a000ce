import { mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Deps } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';
import { type ExportedFile, openAnalystSession } from './session.ts';

export async function exportViews(
  deps: Pick<Deps, 'config' | 'objects' | 'sql'>,
  org: string,
  dir: string,
): Promise<ExportedFile[]> {
  const folder = resolve(dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0) {
    throw new AppError('invalid_input', `${folder} is not empty.`, {
      hint: 'Name a folder that is empty or not there.',
    });
  }
  const session = await openAnalystSession(deps, org, folder);
  try {
    return await session.writeFiles();
  } finally {
    await session.close();
  }
}
