import type { SegmentRule } from '../../../clients/api/src/index.ts';
import {
  allOrAny,
  either,
  boolean,
  type Check,
  number,
  optional,
  readJson,
  selection,
  shape,
  text,
} from './checks.ts';

const period = { withinDays: optional(number), since: optional(text), before: optional(text) };
const times = { atLeast: optional(number), atMost: optional(number), exactly: optional(number) };
const ofProduct = { productId: optional(text), entitlement: optional(text) };

const firstSeen = shape({
  withinDays: optional(number),
  after: optional(text),
  before: optional(text),
});
const isSaid: Check = (value) => firstSeen(value) && JSON.stringify(value) !== '{}';

const rule = allOrAny(
  either(
    shape({ did: selection, ...times, ...period }),
    shape({ didNot: selection, ...period }),
    shape({ firstSeen: isSaid }),
    shape({ experiment: text, arm: text, is: optional(boolean) }),
    shape({ entitled: boolean, ...ofProduct }),
    shape({ paying: boolean, ...ofProduct }),
    shape({ segment: text, is: optional(boolean) }),
  ),
);
const isRule = (value: unknown): value is SegmentRule => rule(value);

export const readRule = (json: string | undefined): SegmentRule | undefined =>
  readJson(json, isRule);
