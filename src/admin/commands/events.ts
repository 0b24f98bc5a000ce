import { Type } from '@sinclair/typebox';
import { compactNow } from '../../event-store/keep.ts';
import { type RebuiltCatalogue, rebuildEvents } from '../../modules/backup/rebuild.ts';
import { Email } from '../../modules/identity/index.ts';
import { announceEvents } from '../../modules/webhooks/index.ts';
import { counted } from '../../shared/text.ts';
import { defineCommand } from '../command.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';

export const eventsCompactCommand = defineCommand({
  name: 'events compact',
  summary: 'Turn the event log into files and do all maintenance of event files that is due',
  input: Type.Object({}),
  run: async (ctx) => {
    const { clock } = ctx.deps;
    const data = await compactNow(ctx, (tx, rows) => announceEvents(tx, clock, rows));
    return { data, text: `${data.events} events compacted, ${data.jobs} maintenance jobs done.` };
  },
});

const LISTED = 20;

type Mode = { dryRun: boolean; made: boolean };

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return names.slice(0, LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function missingText({ unknownApps, unknownOrganizations }: RebuiltCatalogue, made: boolean) {
  if (unknownApps.length === 0) return [];
  return [
    `Apps that this database lacks: ${listed(unknownApps)}.`,
    unknownOrganizations.length > 0 && `Organizations: ${listed(unknownOrganizations)}.`,
    made
      ? 'They are created under their ids, named Recovered; shipped apps need new publishable keys.'
      : 'Their events are kept, and nobody can read them; --owner ADDRESS recreates these apps.',
  ];
}

function rebuiltText(data: RebuiltCatalogue, { dryRun, made }: Mode): string {
  const { found, added, rows, partly, retired, kept, aliases, erasedAgain, segments } = data;
  const changes = dryRun
    ? 'Nothing was changed; without --dry-run the catalogue would get'
    : 'Added to the catalogue';
  return [
    `${counted(found, 'event file', 'event files')} in the place, of which the catalogue had ${kept}.`,
    `${changes}: ${counted(added, 'file', 'files')} with ${counted(rows, 'event', 'events')}, ${counted(aliases, 'alias', 'aliases')}.`,
    partly.length > 0 &&
      `${partly.length} of them in part: the other events are in other files already.`,
    retired.length > 0 &&
      `${counted(retired.length, 'file', 'files')} of the catalogue were replaced by newer ones.`,
    segments > 0 && `${counted(segments, 'segment', 'segments')} of the log are in files already.`,
    erasedAgain > 0 &&
      `${erasedAgain} ids of erased people were in the files; maintenance removes them again.`,
    data.ofEarlierReleases > 0 &&
      `${data.ofEarlierReleases} files are of earlier releases and do not say what they replaced: people erased in the last ten minutes before the end may be back.`,
    ...missingText(data, made),
    !dryRun && 'Start the service now.',
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

export const eventsRebuildCommand = defineCommand({
  name: 'events rebuild-catalogue',
  summary: 'Rebuild the event catalogue from the event files, with the service stopped',
  input: Type.Object({
    add: Type.Optional(
      Type.Boolean({
        description: 'Into a catalogue that has files: add what came after the backup',
      }),
    ),
    inPlace: Type.Optional(
      Type.Boolean({
        description: 'Take EVENTS_URL over from the installation that wrote it, which is gone',
      }),
    ),
    owner: Type.Optional({
      ...Email,
      description:
        'Create organizations and apps that the database lacks; the account of this address owns them',
    }),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Only print what would be done; also while the service runs' }),
    ),
    limitMinutes: LimitMinutes,
  }),
  standsAlone: true,
  run: async (ctx, { limitMinutes, dryRun = false, ...options }) => {
    const data = await withinMinutes(limitMinutes, (reporting) =>
      rebuildEvents(ctx, { ...options, dryRun }, reporting),
    );
    return { data, text: rebuiltText(data, { dryRun, made: options.owner !== undefined }) };
  },
});
