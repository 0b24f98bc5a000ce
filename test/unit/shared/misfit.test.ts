import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { describeValueError } from '../../../src/shared/misfit.ts';
import { OneOf } from '../../../src/shared/schema.ts';

const STRICT = { additionalProperties: false };
const Leaf = Type.Union([
  Type.Object({ op: OneOf(['is']), value: Type.String() }, STRICT),
  Type.Object({ op: OneOf(['isSet']) }, STRICT),
  Type.Object({ days: Type.Integer({ minimum: 1 }) }, STRICT),
]);
const list = Type.Array(Leaf, { minItems: 1 });
const rule = TypeCompiler.Compile(
  Type.Object({
    rule: Type.Union([Type.Object({ all: list }, STRICT), Type.Object({ any: list }, STRICT)]),
  }),
);

test.each([
  [{ any: [] }, 'rule.any: must be an array of at least 1'],
  [{ any: [{ days: 0 }] }, 'rule.any[0].days: must be a whole number of at least 1'],
  [{ all: [{ op: 'is' }] }, 'rule.all[0].value: is required; it must be a string'],
  [{ all: [{ op: 'is', value: 5 }] }, 'rule.all[0].value: must be a string'],
  [{ all: [{ op: 'isSet', value: 'x' }] }, 'rule.all[0].value: is not a field of this request'],
  [{ all: [{ op: 'isSet' }], any: [] }, 'rule.any: is not a field of this request'],
])('a misfit of a union is that of the variant meant: %j', (value, said) => {
  expect(describeValueError('body', rule.Errors({ rule: value }).First())).toBe(said);
});
