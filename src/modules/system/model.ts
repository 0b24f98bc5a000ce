import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, Nullable, OneOf } from '../../shared/schema.ts';

export const SERVICE_NAME = 'mobile-control-plane';

export const Health = Named('Health', { ok: Type.Boolean(), service: Type.String() });
export type Health = Static<typeof Health>;

const Dependency = Named('Dependency', {
  name: Type.String(),
  status: OneOf(['up', 'down']),
  detail: Type.String(),
});
export type Dependency = Static<typeof Dependency>;

const Backups = Named('ServiceBackups', {
  scheduled: Type.Boolean({
    description: 'False where the operator has set no place for them (`BACKUP_TO`).',
  }),
  everyHours: Nullable(Type.Number({ description: 'Null where none are scheduled.' })),
  lastVerifiedAt: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'When the last backup began that was made whole, read again and compared with its manifest: what was acknowledged before is in it. Null before the first.',
    }),
  ),
  lastAttemptAt: Nullable(
    Type.String({ format: 'date-time', description: 'When the newest attempt began.' }),
  ),
  lastAttempt: Nullable(
    OneOf(['running', 'good', 'failed'], {
      description:
        '`running` also says one whose process has gone; the next attempt takes its place.',
    }),
  ),
});

const PropertyColumns = Named('ServicePropertyColumns', {
  bytes: Type.Integer({ description: 'What columns of properties take, of all apps.' }),
  budgetBytes: Type.Integer({ description: 'What they may take (`EVENTS_COLUMNS_MB`).' }),
  properties: Type.Integer({
    description: 'Properties of apps that have columns, or are about to.',
  }),
});

const OrphanFiles = Named('ServiceOrphanFiles', {
  files: Type.Integer({
    description:
      'Event files over an hour old that the catalogue does not name: left by a crash, or forgotten by a database that went back in time. They are removed after 30 days, or as many as backups are kept, if more.',
  }),
  bytes: Type.Integer({ description: 'Their size.' }),
  countedAt: DateTime,
});

const WorkKind = Named('ServiceWorkKind', {
  kind: Type.String({ description: 'A step of workflows, as the worker names it.' }),
  lastSucceededAt: Nullable(DateTime),
  failingSince: Nullable(DateTime),
  waitsFor: Nullable(Type.String({ description: 'Null unless it fails, for whomever.' })),
});

export const Status = Named('ServiceStatus', {
  service: Type.String(),
  ok: Type.Boolean({ description: 'True when every dependency answers.' }),
  checkedAt: DateTime,
  dependencies: Type.Array(Dependency),
  release: Type.String({ description: 'The version that runs.' }),
  diskFreeBytes: Nullable(
    Type.Integer({
      description: 'Of the disk of DATA_DIR on this host; null when it cannot be read.',
    }),
  ),
  temporalUiUrl: Nullable(
    Type.String({
      description: 'Where workflows can be watched; null unless the operator set it.',
    }),
  ),
  backups: Nullable(Backups),
  propertyColumns: Nullable(PropertyColumns),
  orphanFiles: Nullable(OrphanFiles),
  work: Nullable(Type.Array(WorkKind)),
});
export type Status = Static<typeof Status>;

const DoctorCheck = Named('DoctorCheck', {
  name: Type.String(),
  question: Type.String(),
  status: OneOf(['good', 'warning', 'error', 'skipped'], {
    description: '`error` where something breaks; `skipped` where nothing is set up.',
  }),
  found: Nullable(Type.String()),
  cure: Nullable(Type.String({ description: 'The remedy; null unless something is wrong.' })),
});
export type DoctorCheck = Static<typeof DoctorCheck>;

const Arrival = Named('DoctorArrival', {
  forwardedFor: Nullable(Type.String({ description: '`X-Forwarded-For` of this request.' })),
  lostCookie: Type.Boolean({
    description: 'True for a request of `bun run doctor` whose cookie did not arrive.',
  }),
});
export type Arrival = Static<typeof Arrival>;

export const DoctorReport = Named('DoctorReport', {
  ok: Type.Boolean({ description: 'True without an error.' }),
  checkedAt: DateTime,
  arrival: Nullable(Arrival),
  checks: Type.Array(DoctorCheck),
});
export type DoctorReport = Static<typeof DoctorReport>;
