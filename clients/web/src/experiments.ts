import { createAsk, withFields } from './ask.ts';
import type { AskOptions, Assignment } from './ask-types.ts';

export type { AskError, AskOptions, Assignment } from './ask-types.ts';

export interface Experiments {
  /**
   * What this person should see, by `client.anonymousId()`; null where the service gave no answer
   * in time: show the onboarding that the app shipped with. Being asked is the exposure. Never
   * rejects.
   */
  assignment(anonymousId: string | null): Promise<Assignment | null>;
}

/** Asks `GET /v1/experiments` by plain `fetch`, in browsers and in React Native. Never throws. */
export function createExperiments(options: AskOptions): Experiments {
  const ask = createAsk(options);
  return {
    assignment: async (anonymousId) => {
      if (!anonymousId) return null;
      const answer = await ask('/v1/experiments', { anonymousId });
      return withFields<Assignment>(answer, 'onboarding', 'arm') ? answer : null;
    },
  };
}
