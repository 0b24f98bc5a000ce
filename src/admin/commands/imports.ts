import { Type } from '@sinclair/typebox';
import type { UndoneImport } from '../../event-store/keep.ts';
import { type UndoneFile, undoImportOfFile } from '../../modules/events/imports/undo-file.ts';
import {
  IMPORT_FORMATS,
  importEventsFile,
  parseRenames,
  previewEventsFile,
} from '../../modules/events/index.ts';
import { importPurchasesFile } from '../../modules/purchases/index.ts';
import { OneOf } from '../../shared/schema.ts';
import { counted } from '../../shared/text.ts';
import { parseTimezone } from '../../shared/timezone.ts';
import { defineCommand, type Outcome } from '../command.ts';
import { LimitMinutes, withinMinutes } from '../progress.ts';
import { table } from '../table.ts';
import { terminal } from '../terminal.ts';

type Preview = Awaited<ReturnType<typeof previewEventsFile>>;
type Imported = Awaited<ReturnType<typeof importEventsFile>>;

const SHOWN = 40;
const RENAME = '(refused: give it a name by --rename)';

const section = (title: string, headings: string[], rows: string[][]): string[] =>
  rows.length === 0 ? [] : ['', title, table(headings, rows.slice(0, SHOWN))];

const listRefusals = ({ refusals }: Pick<Imported, 'refusals'>): string[] =>
  section(
    'Refused:',
    ['LINES', 'REASON', 'FOR EXAMPLE'],
    refusals.map((one) => [String(one.lines), one.reason, one.examples.join(', ')]),
  );

const countedPeople = (people: number | null) =>
  people === null ? 'too many to count' : String(people);

function previewed(data: Preview): Outcome {
  const { format, lines, events, leftOut, people, firstAt, lastAt } = data;
  const text = [
    `${events} events of ${lines} lines would be stored (${format}); ${leftOut} lines of the other product's own would be left out. Nothing was stored.`,
    ...(data.wasThere ? ['This file was imported before: importing it again does nothing.'] : []),
    `People: ${countedPeople(people)}. From ${firstAt ?? '–'} to ${lastAt ?? '–'}.`,
    ...section(
      'Names:',
      ['EVENTS', 'STORED AS', 'IN THE EXPORT'],
      data.names.map((one) => [String(one.events), one.name ?? RENAME, one.sentName]),
    ),
    ...section(
      'Platforms:',
      ['PEOPLE', 'PLATFORM'],
      data.platforms.map((one) => [countedPeople(one.people), one.platform ?? '–']),
    ),
    ...section(
      'Versions:',
      ['PEOPLE', 'VERSION'],
      data.versions.map((one) => [countedPeople(one.people), one.appVersion ?? '–']),
    ),
    ...section(
      'Countries:',
      ['PEOPLE', 'COUNTRY'],
      data.countries.map((one) => [countedPeople(one.people), one.country ?? '–']),
    ),
    ...listRefusals(data),
  ];
  return { data, text: text.join('\n') };
}

function imported(data: Imported): Outcome {
  const { lines, events, leftOut, wasThere } = data;
  const text = [
    wasThere
      ? `This file was imported before: ${events} events. Nothing was done.`
      : `${events} events of ${lines} lines; ${leftOut} of the other product's own were left out.`,
    ...(data.importId === null
      ? []
      : [`It is import ${data.importId}; --undo with this id or the file takes it back.`]),
    ...listRefusals(data),
  ];
  return { data, text: text.join('\n') };
}

const describeEvents = ({ events, people }: UndoneImport) =>
  `${counted(events, 'event', 'events')} of ${counted(people, 'person', 'people')}`;

function undoneDetails(data: UndoneImport): string[] {
  const { events, kept, parted, firstAt, lastAt } = data;
  return [
    ...(events > 0 ? [`From ${firstAt} to ${lastAt}.`] : []),
    ...(kept > 0
      ? [
          `${counted(kept, 'imported event stays', 'imported events stay')}: the app or another import brought them too.`,
        ]
      : []),
    ...(parted > 0
      ? [
          `${counted(parted, 'device', 'devices')} that only the import joined to a user part again.`,
        ]
      : []),
    ...section(
      'Names:',
      ['EVENTS', 'NAME'],
      data.names.map((one) => [String(one.events), one.name]),
    ),
  ];
}

const toUndo = (data: UndoneImport) =>
  [`${describeEvents(data)} will be removed.`, ...undoneDetails(data)].join('\n');

function undone(data: UndoneFile, dryRun: boolean): Outcome {
  const text = dryRun
    ? [`${describeEvents(data)} would be removed. Nothing was changed.`, ...undoneDetails(data)]
    : [`Import ${data.importId} is undone: ${describeEvents(data)} were removed.`];
  return { data, text: text.join('\n') };
}

export const importEventsCommand = defineCommand({
  name: 'import events',
  summary: 'Import events into an app, from another product or in our own form',
  input: Type.Object({
    file: Type.String({
      description: 'JSON lines or CSV, also as .gz or .zip; to undo it also the id of its import',
    }),
    app: Type.String({ description: 'Id of the app' }),
    format: Type.Optional(OneOf(IMPORT_FORMATS, { description: IMPORT_FORMATS.join(', ') })),
    rename: Type.Optional(
      Type.Array(Type.String(), { description: 'FROM=TO,…: new names of events' }),
    ),
    timeZone: Type.Optional(
      Type.String({ description: 'Zone of times without one, such as America/Los_Angeles' }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Print names, platforms, versions, people; store nothing' }),
    ),
    undo: Type.Optional(
      Type.Boolean({
        description: 'Take the import back; with --dry-run print what would be removed',
      }),
    ),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['file'],
  audited: 'act',
  run: async (ctx, { file, app, rename = [], dryRun = false, undo, limitMinutes, ...given }) => {
    if (undo) {
      return withinMinutes(limitMinutes, async ({ report, signal }) => {
        const announce = (data: UndoneImport) => {
          if (!dryRun) terminal.err(toUndo(data));
        };
        const input = { appId: app, path: file, dryRun, announce, report, signal };
        return undone(await undoImportOfFile(ctx, input), dryRun);
      });
    }
    const timeZone = given.timeZone && parseTimezone(given.timeZone, '--time-zone');
    const input = {
      ...{ appId: app, path: file, format: given.format, timeZone },
      renames: parseRenames(rename),
    };
    return withinMinutes(limitMinutes, async (reporting) =>
      dryRun
        ? previewed(await previewEventsFile(ctx, { ...input, ...reporting }))
        : imported(await importEventsFile(ctx, { ...input, ...reporting })),
    );
  },
});

const LEFT_OUT = [
  ['anonymous', 'belong to nobody who signed in'],
  ['invalid', 'are no purchase'],
  ['other_store', 'are of another store'],
  ['sandbox', 'are of the sandbox'],
] as const;

export const importPurchasesCommand = defineCommand({
  name: 'import purchases',
  summary: 'Import purchases into an app, from RevenueCat or with two columns',
  input: Type.Object({
    file: Type.String({ description: 'CSV, also as .gz or .zip' }),
    app: Type.String({ description: 'Id of the app' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Count them; import nothing' })),
    limitMinutes: LimitMinutes,
  }),
  positionals: ['file'],
  audited: 'rows',
  run: async (ctx, { file, app, dryRun, limitMinutes }) => {
    const data = await withinMinutes(limitMinutes, ({ signal }) =>
      importPurchasesFile(ctx, { appId: app, path: file, dryRun, signal }),
    );
    const { rows, purchases, leftOut, importIds } = data;
    const left = LEFT_OUT.flatMap(([reason, words]) => {
      const count = leftOut[reason] ?? 0;
      return count > 0 ? [`${count} rows ${words} and were left out.`] : [];
    });
    const text = [
      `${purchases} purchases of ${rows} rows${dryRun ? '; nothing was imported' : ''}.`,
      ...left,
      ...(importIds.length > 0
        ? ['They are verified with the store one after the other; how far each part is:']
        : []),
      ...importIds.map((id) => `GET /v1/apps/${app}/purchases/import/${id}`),
    ];
    return { data, text: text.join('\n') };
  },
});
