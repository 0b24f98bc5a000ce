import { type TProperties, Type } from '@sinclair/typebox';
import { DateTime, Named } from './schema.ts';

const AT = '2026-11-21T09:00:00.000Z';
export const APP_ID_EXAMPLE = 'app_01kajw5fr2fgqt7v3s6z8x9a0b';
export const AUTHOR_EXAMPLE = { kind: 'user', id: 'usr_01kajw5fr2fgqt7v3s6z8x9a0b' };

export const Saved = <T extends TProperties>(title: string, fields: T, example: object) =>
  Named(
    title,
    { id: Type.String(), ...fields, createdAt: DateTime, updatedAt: DateTime },
    { examples: [{ createdAt: AT, updatedAt: AT, ...example }] },
  );

export const SavedInApp = <T extends TProperties>(title: string, fields: T, example: object) =>
  Saved(title, { appId: Type.String(), ...fields }, { appId: APP_ID_EXAMPLE, ...example });
