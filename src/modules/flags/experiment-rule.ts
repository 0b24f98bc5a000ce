import { armAssigner, type ServedExperiment } from '../experiments/index.ts';
import type { Pick, Write } from './answers.ts';

/** The answer of a person's arm; of the shipped one for everybody, in which nobody is exposed. */
export function armPick(
  experiment: ServedExperiment,
  variations: Readonly<Record<string, string>>,
  write: Write,
): Pick {
  const { id: experimentId, arms, shippedArmId } = experiment;
  if (shippedArmId !== null) {
    const variant = variations[shippedArmId];
    return variant === undefined ? () => null : write(variant, 'TARGETING_MATCH');
  }
  const answers = arms.map(({ id: armId }) => {
    const variant = variations[armId];
    if (variant === undefined) return { assigned: null, byHand: null };
    const shown = (overridden: boolean) =>
      write(variant, 'SPLIT', { experimentId, armId, overridden });
    return { assigned: shown(false), byHand: shown(true) };
  });
  const give = armAssigner(experiment);
  return (person) => {
    const { arm, byHand } = give(person);
    const answer = answers[arm];
    if (!answer) return null;
    return byHand ? answer.byHand : answer.assigned;
  };
}
