import { type Static, Type } from '@sinclair/typebox';
import { DateTime } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';

export const CountedFrom = Type.Object({
  countedFrom: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Events that were read for the figures, before conditions: of each file with events of the days, and of the log. Missing where the lake's engine counted.",
    }),
  ),
});
export type CountedFrom = Static<typeof CountedFrom>;

export const Provenance = Type.Object({ dataThrough: DateTime, ...CountedFrom.properties });

export const provenanceOf = ({
  dataThroughMs,
  countedFrom,
}: CountedFrom & { dataThroughMs: number }): Static<typeof Provenance> => ({
  dataThrough: toIso(new Date(dataThroughMs)),
  ...(countedFrom !== undefined && { countedFrom }),
});
