import { type Static, Type } from '@sinclair/typebox';
import { Author } from '../../shared/author.ts';
import {
  DateTime,
  Day,
  Named,
  Nullable,
  OneOf,
  QueryInteger,
  WindowDay,
} from '../../shared/schema.ts';
import { Name } from '../../shared/text.ts';

export const MAX_NOTES_PER_APP = 1_000;
export const MAX_MARKS = 500;
export const MAX_WINDOW_DAYS = 400;
export const DEFAULT_WINDOW_DAYS = 28;
/** Bounds against mistakes of the caller. */
export const FIRST_DAY = '2000-01-01';
export const LAST_DAY = '2999-12-31';

/** Least daily people and share of a version in use. */
export const SEEN_PEOPLE = 3;
export const SEEN_SHARE = 0.05;

export const MARK_KINDS = [
  'version',
  'release',
  'experiment_started',
  'experiment_stopped',
  'price',
  'note',
] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

const Price = Type.Object({
  productId: Type.String(),
  productName: Type.String(),
  country: Type.String({ description: 'The first of the countries by code; ISO 3166-1 alpha-2.' }),
  currency: Type.String(),
  fromMinor: Type.Integer(),
  toMinor: Type.Integer(),
  countries: Type.Integer({ minimum: 1, description: 'In how many the price changed.' }),
});

export const Mark = Named('Mark', {
  kind: OneOf(MARK_KINDS),
  day: Type.String({
    format: 'date',
    description:
      "Of the app's timezone; of a price the store's Pacific day, which is never cut anew.",
  }),
  at: Nullable(DateTime),
  text: Type.String({ description: 'One line for people.' }),
  id: Nullable(Type.String({ description: 'Of a note; nothing else can be deleted.' })),
  author: Nullable(Author),
  appVersion: Type.Optional(Type.String()),
  experimentId: Type.Optional(Type.String()),
  price: Type.Optional(Price),
});
export type Mark = Static<typeof Mark>;

export const MarksQuery = Type.Object({
  days: Type.Optional(
    QueryInteger(1, MAX_WINDOW_DAYS, {
      description: 'Local days that end with today. Not together with from and to.',
      whenLeftOut: DEFAULT_WINDOW_DAYS,
    }),
  ),
  from: Type.Optional(WindowDay),
  to: Type.Optional({ ...WindowDay, description: 'The day is included.' }),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, description: "IANA name; the app's timezone when left out." }),
  ),
});
export type MarksQuery = Static<typeof MarksQuery>;

export const Marks = Named('Marks', {
  from: Day,
  to: Day,
  timezone: Type.String(),
  marks: Type.Array(Mark, { description: `In the order of their days; at most ${MAX_MARKS}.` }),
  omitted: Type.Integer({ minimum: 0, description: 'Older ones of the window that are left out.' }),
});
export type Marks = Static<typeof Marks>;

export const NewMark = Named(
  'NewMark',
  {
    day: Type.String({ format: 'date', description: `${FIRST_DAY} to ${LAST_DAY}.` }),
    text: Name(1, 200),
  },
  { examples: [{ day: '2026-11-20', text: 'Featured in the store' }] },
);
export type NewMark = Static<typeof NewMark>;
