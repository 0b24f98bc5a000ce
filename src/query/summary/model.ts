import { type Static, Type } from '@sinclair/typebox';
import { Nullable } from '../../shared/schema.ts';
import { InWindow } from '../selection/selection.ts';

const Count = Type.Integer({ minimum: 0 });

export const SummaryQuestion = Type.Object({
  ...InWindow.properties,
  limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
});
export type SummaryQuestion = Static<typeof SummaryQuestion>;

export const SummaryAnswer = Type.Object({
  people: Count,
  events: Count,
  firstAtUs: Nullable(Type.Integer()),
  lastAtUs: Nullable(Type.Integer()),
  names: Type.Array(Type.Object({ value: Type.String(), events: Count, people: Count })),
  platforms: Type.Array(Type.Object({ value: Type.String(), people: Count })),
  versions: Type.Array(Type.Object({ value: Type.String(), people: Count })),
});
export type SummaryAnswer = Static<typeof SummaryAnswer>;
