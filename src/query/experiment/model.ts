import { type Static, Type } from '@sinclair/typebox';
import { FunnelRules, GroupTally } from '../funnel/model.ts';

/** Written by the service itself; clients cannot send a name with `$`. Left out of summaries. */
export const EXPOSURE_EVENT = '$exposure';

const Count = Type.Integer({ minimum: 0 });

/** How the people of each arm did in a funnel; the rule is in `arms.ts`. Times are microseconds. */
export const ExperimentQuestion = Type.Composite([
  FunnelRules,
  Type.Object({ experimentId: Type.String(), exposedFromUs: Type.Integer() }),
]);
export type ExperimentQuestion = Static<typeof ExperimentQuestion>;

export const ExperimentAnswer = Type.Object({
  dataThroughMs: Type.Number(),
  /** People who saw several arms; they are in no arm. */
  mixedPeople: Count,
  arms: Type.Array(
    Type.Object({
      armId: Type.String(),
      /** People exposed to this arm alone. */
      people: Count,
      /** Those of them who entered the funnel; null when nobody did. */
      funnel: Type.Union([GroupTally, Type.Null()]),
    }),
  ),
});
export type ExperimentAnswer = Static<typeof ExperimentAnswer>;
