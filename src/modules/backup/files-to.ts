import type { SystemContext } from '../../context.ts';
import { AppError } from '../../shared/errors.ts';

const ADDRESS = /^(s3:\/\/[^/]+|file:\/\/\/)/;
const asFolder = (address: string) => `${address.replace(/\/+$/, '')}/`;

/** Never swept, so neither the place of events nor of scheduled backups. */
export function parseFilesTo(
  { deps: { config } }: SystemContext<'config'>,
  filesTo: string | undefined,
): string | undefined {
  if (filesTo === undefined) return undefined;
  if (!ADDRESS.test(filesTo)) {
    throw new AppError('invalid_input', '--files-to: must be s3://… or file:///…');
  }
  const place = asFolder(filesTo);
  const isSwept =
    place === asFolder(config.events.url) ||
    (config.backups !== null && place.startsWith(asFolder(config.backups.to)));
  if (isSwept) {
    throw new AppError('invalid_input', '--files-to: files are removed from there', {
      hint: 'Name a place that is neither EVENTS_URL nor below BACKUP_TO.',
    });
  }
  return place.slice(0, -1);
}
