import { expect, test } from 'bun:test';
import { errorSentence } from '../../../src/console/state/error-sentence.ts';

const said = (hint: string, code = 'invalid_input') =>
  errorSentence({ code, message: 'The request is not valid.', hint });

test('a field and its rule are one sentence', () => {
  expect(said('password: is among the first that anybody tries; choose another')).toEqual({
    message: 'The password is among the first that anybody tries; choose another.',
    hint: undefined,
  });
  expect(said('vendorNumber: must be digits').message).toBe('The vendor number must be digits.');
  expect(said('slug: must not be empty').message).toBe('The short name must not be empty.');
});

test('what is no rule of a field stays as it is', () => {
  expect(said('Ask an owner.').hint).toBe('Ask an owner.');
  expect(said('name, or slug is needed').message).toBe('The request is not valid.');
  expect(said('password: is wrong', 'conflict').hint).toBe('password: is wrong');
});
