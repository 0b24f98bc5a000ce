import { armOf, type ServedExperiment } from '../experiments/index.ts';
import { type Keep, NOBODY, type Pick } from './answers.ts';

/** The answer of a person's arm; of the shipped one for everybody, in which nobody is exposed. */
export function armPick(
  experiment: ServedExperiment,
  variations: Readonly<Record<string, string>>,
  keep: Keep,
): Pick {
  const { id: experimentId, arms, shippedArmId } = experiment;
  if (shippedArmId !== null) {
    const variant = variations[shippedArmId];
    return variant === undefined ? () => NOBODY : keep(variant, 'TARGETING_MATCH');
  }
  const answers = arms.map(({ id: armId }) => {
    const variant = variations[armId];
    if (variant === undefined) return { assigned: NOBODY, byHand: NOBODY };
    const shown = (overridden: boolean) =>
      keep(variant, 'SPLIT', { experimentId, armId, overridden });
    return { assigned: shown(false), byHand: shown(true) };
  });
  const give = armOf(experiment);
  return (person) => {
    const { arm, byHand } = give(person);
    const answer = answers[arm];
    if (!answer) return NOBODY;
    return byHand ? answer.byHand : answer.assigned;
  };
}
