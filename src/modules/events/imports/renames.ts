import { AppError } from '../../../shared/errors.ts';
import { EVENT_NAME_PATTERN } from '../model.ts';

export type Renames = ReadonlyMap<string, string>;

/** `["Session Begin=app_opened"]`. Throws `invalid_input`. */
export function parseRenames(pairs: readonly string[]): Renames {
  const pattern = new RegExp(EVENT_NAME_PATTERN);
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      const [from, to] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      if (at < 1 || from === '' || !pattern.test(to)) {
        throw new AppError('invalid_input', `"${pair}" is no new name of an event.`, {
          hint: 'Write FROM=TO, such as --rename "Session Begin=app_opened,sign_up=signup_completed"; TO is a lowercase letter, then lowercase letters, digits or underscores.',
        });
      }
      return [from, to] as const;
    }),
  );
}

export function renamed(renames: Renames, sentName: string, name: unknown): unknown {
  const byStored = typeof name === 'string' ? renames.get(name) : undefined;
  return renames.get(sentName) ?? byStored ?? name;
}
