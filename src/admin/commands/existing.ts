import { Type } from '@sinclair/typebox';

/** For commands that give something to whoever has the account of an address. */
export const EXISTING = Type.Optional(
  Type.Boolean({
    description: 'Also where the account has not proved that the address is its own',
  }),
);
