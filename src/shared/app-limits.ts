import { AppError } from './errors.ts';

export function checkLimit(present: number, max: number, things: string): void {
  if (present < max) return;
  throw new AppError('conflict', `An app has at most ${max} ${things}.`, {
    hint: 'Delete one first.',
  });
}

type NamedThing = { id: string; name: string };

export function checkName(present: readonly NamedThing[], named: NamedThing, thing: string): void {
  if (!present.some(({ id, name }) => id !== named.id && name === named.name)) return;
  throw new AppError('conflict', `Another ${thing} of this app has this name.`, {
    hint: 'Choose another name.',
  });
}
