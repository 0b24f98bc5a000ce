import { type Static, Type } from '@sinclair/typebox';
import { AssertionError } from './assert.ts';
import type { Actor } from './principal.ts';
import { OneOf } from './schema.ts';

export const Author = Type.Object({ kind: OneOf(['user', 'orgKey']), id: Type.String() });
export type Author = Static<typeof Author>;

export function toAuthor(actor: Actor): Author {
  if (actor.kind === 'user') return { kind: 'user', id: actor.userId };
  if (actor.kind === 'orgKey') return { kind: 'orgKey', id: actor.keyId };
  throw new AssertionError('Routes of an app serve members and organization keys only.');
}
