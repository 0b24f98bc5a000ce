import { type TProperties, Type } from '@sinclair/typebox';
import { DateTime, Named } from './schema.ts';

export const Saved = <T extends TProperties>(title: string, fields: T) =>
  Named(title, { id: Type.String(), ...fields, createdAt: DateTime, updatedAt: DateTime });

export const SavedInApp = <T extends TProperties>(title: string, fields: T) =>
  Saved(title, { appId: Type.String(), ...fields });
