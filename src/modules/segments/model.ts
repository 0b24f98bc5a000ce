import { type Static, Type } from '@sinclair/typebox';
import { Conditions } from '../../query/selection/conditions.ts';
import { Provenance } from '../../query/selection/provenance.ts';
import { Author } from '../../shared/author.ts';
import { EnvironmentParameter } from '../../shared/environment.ts';
import { SavedInApp } from '../../shared/saved.ts';
import { DateTime, Day, Named, Nullable, OneOf, QueryInteger } from '../../shared/schema.ts';
import { Name } from '../../shared/text.ts';

export const SEGMENTS_PER_APP_MAX = 100;
const MAX_CLAUSES = 12;
const MAX_DAYS = 3_650;
const MAX_TIMES = 1_000_000;
export const DEFAULT_PAGE = 100;
export const SAMPLE = 20;

const STRICT = { additionalProperties: false };
const Id = Type.String({ maxLength: 64 });
const ProductId = Name(1, 200);

const Selected = Type.Object(
  {
    events: Type.Optional(
      Type.Array(Type.String({ maxLength: 64, pattern: '^[a-z][a-z0-9_]*$' }), {
        minItems: 1,
        maxItems: 6,
        description: 'Any event of clients when left out.',
      }),
    ),
    where: Type.Optional(Conditions),
  },
  { ...STRICT, title: 'SelectedEvents' },
);

const WithinDays = Type.Integer({
  minimum: 1,
  maximum: MAX_DAYS,
  description: 'So many times 24 hours before the moment that is asked about.',
});
const Period = {
  withinDays: Type.Optional(WithinDays),
  since: Type.Optional({
    ...Day,
    description: "From the beginning of that day in the app's timezone.",
  }),
  before: Type.Optional({ ...Day, description: 'Before that day began.' }),
};
const Times = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TIMES }));

const DidClause = Type.Object(
  {
    did: Selected,
    atLeast: Times,
    atMost: Times,
    exactly: Times,
    ...Period,
  },
  {
    ...STRICT,
    title: 'DidClause',
    description: 'At least once when no number is said; ever when no period is.',
  },
);
export type DidClause = Static<typeof DidClause>;

const DidNotClause = Type.Object(
  { didNot: Selected, ...Period },
  { ...STRICT, title: 'DidNotClause' },
);

const FirstSeenClause = Type.Object(
  {
    firstSeen: Type.Object(
      {
        before: Type.Optional({ ...Day, description: 'Before that day began.' }),
        after: Type.Optional({ ...Day, description: 'On that day or later.' }),
        withinDays: Type.Optional(WithinDays),
      },
      { ...STRICT, title: 'FirstSeenPeriod', minProperties: 1 },
    ),
  },
  { ...STRICT, title: 'FirstSeenClause', description: 'When the first event of clients was.' },
);

const ArmClause = Type.Object(
  { experiment: Id, arm: Id, is: Type.Optional(Type.Boolean()) },
  {
    ...STRICT,
    title: 'ArmClause',
    description:
      'Exposed to this arm alone and not by hand, as in the report of the experiment; `is` false for everybody else.',
  },
);

const OfProduct = {
  productId: Type.Optional(ProductId),
  entitlement: Type.Optional(
    Type.String({ maxLength: 64, description: 'A named entitlement of the app.' }),
  ),
};

const EntitledClause = Type.Object(
  { entitled: Type.Boolean(), ...OfProduct },
  {
    ...STRICT,
    title: 'EntitledClause',
    description: 'By a real purchase or a grant, to any product, to this one or by this name.',
  },
);

const PayingClause = Type.Object(
  { paying: Type.Boolean(), ...OfProduct },
  {
    ...STRICT,
    title: 'PayingClause',
    description:
      "Entitled by a period that this person paid for, or in its grace period. Trials, free periods, grants and the family's purchases are not paid.",
  },
);
export type OfPurchasesClause = Static<typeof EntitledClause> | Static<typeof PayingClause>;

const SegmentClause = Type.Object(
  { segment: Id, is: Type.Optional(Type.Boolean()) },
  { ...STRICT, title: 'MembershipClause' },
);

export const RuleClause = Type.Union(
  [
    DidClause,
    DidNotClause,
    FirstSeenClause,
    ArmClause,
    EntitledClause,
    PayingClause,
    SegmentClause,
  ],
  {
    title: 'SegmentClause',
    rule: 'must be a clause: did, didNot, firstSeen, experiment, entitled, paying or segment',
  },
);
export type RuleClause = Static<typeof RuleClause>;

const Clauses = Type.Array(RuleClause, { minItems: 1, maxItems: MAX_CLAUSES });
export const SegmentRule = Type.Union(
  [
    Type.Object({ all: Clauses }, { ...STRICT, title: 'AllClauses' }),
    Type.Object({ any: Clauses }, { ...STRICT, title: 'AnyClause' }),
  ],
  {
    title: 'SegmentRule',
    rule: 'must be clauses as all or any',
    description:
      'Clauses about one person, all or any of which must hold. Only people with an event of clients are in a segment.',
  },
);
export type SegmentRule = Static<typeof SegmentRule>;

const EXAMPLE = {
  name: 'Saw the paywall twice and did not buy',
  rule: {
    all: [
      { did: { events: ['paywall_viewed'] }, atLeast: 2, withinDays: 30 },
      { didNot: { events: ['purchase_completed'] } },
      { entitled: false },
    ],
  },
};

export const SegmentName = Name(1, 80);

export const Segment = SavedInApp('Segment', {
  name: SegmentName,
  rule: SegmentRule,
  author: Author,
});
export type Segment = Static<typeof Segment>;

export const NewSegment = Named(
  'NewSegment',
  { name: SegmentName, rule: SegmentRule },
  { examples: [EXAMPLE] },
);
export type NewSegment = Static<typeof NewSegment>;

export const SegmentChange = Type.Partial(NewSegment, {
  title: 'SegmentChange',
  minProperties: 1,
  examples: [{ name: 'Paywall twice, no purchase' }],
});
export type SegmentChange = Static<typeof SegmentChange>;

const SegmentUse = Type.Object({
  kind: OneOf(['segment', 'question', 'flag']),
  id: Type.String(),
  name: Type.String(),
});
export type SegmentUse = Static<typeof SegmentUse>;

export const SegmentUses = Named('SegmentUses', { uses: Type.Array(SegmentUse) });
export type SegmentUses = Static<typeof SegmentUses>;

export const SegmentCountQuery = Type.Object({ environment: EnvironmentParameter });
export type SegmentCountQuery = Static<typeof SegmentCountQuery>;

export const SegmentPeopleQuery = Type.Object({
  environment: EnvironmentParameter,
  cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
  limit: Type.Optional(QueryInteger(1, 1_000, { whenLeftOut: DEFAULT_PAGE })),
});
export type SegmentPeopleQuery = Static<typeof SegmentPeopleQuery>;

const Counted = {
  people: Type.Integer({ minimum: 0, description: 'Everybody in the segment now.' }),
  asOf: DateTime,
  ...Provenance.properties,
};

export const SegmentCount = Named('SegmentCount', Counted);
export type SegmentCount = Static<typeof SegmentCount>;

export const PeopleOfSegment = Named('PeopleOfSegment', {
  people: Type.Array(Type.Object({ personId: Type.String() }), { description: 'By id.' }),
  total: Type.Integer({ minimum: 0, description: 'Everybody in the segment now.' }),
  nextCursor: Nullable(Type.String()),
});
export type PeopleOfSegment = Static<typeof PeopleOfSegment>;

export const PreviewSegmentBody = Named(
  'PreviewSegmentBody',
  { rule: SegmentRule, environment: EnvironmentParameter },
  { examples: [{ rule: EXAMPLE.rule }] },
);
export type PreviewSegmentBody = Static<typeof PreviewSegmentBody>;

export const SegmentPreview = Named('SegmentPreview', {
  ...Counted,
  sample: Type.Array(Type.Object({ personId: Type.String() }), {
    description: `The first ${SAMPLE} by id.`,
  }),
});
export type SegmentPreview = Static<typeof SegmentPreview>;
