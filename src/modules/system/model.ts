import { type Static, Type } from '@sinclair/typebox';
import { DateTime, Named, OneOf } from '../../shared/schema.ts';

export const SERVICE_NAME = 'mobile-control-plane';

export const Health = Named(
  'Health',
  { ok: Type.Boolean(), service: Type.String() },
  { examples: [{ ok: true, service: SERVICE_NAME }] },
);
export type Health = Static<typeof Health>;

const Dependency = Named('Dependency', {
  name: Type.String(),
  status: OneOf(['up', 'down']),
  /** What it means for callers while it is down. */
  detail: Type.String(),
});
export type Dependency = Static<typeof Dependency>;

export const Status = Named(
  'ServiceStatus',
  {
    service: Type.String(),
    ok: Type.Boolean({ description: 'True when every dependency answers.' }),
    checkedAt: DateTime,
    dependencies: Type.Array(Dependency),
  },
  {
    examples: [
      {
        service: SERVICE_NAME,
        ok: true,
        checkedAt: '2026-11-21T09:00:00.000Z',
        dependencies: [{ name: 'postgres', status: 'up', detail: 'Records are read and written.' }],
      },
    ],
  },
);
export type Status = Static<typeof Status>;
