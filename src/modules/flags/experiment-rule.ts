import { armAssigner, type ServedExperiment } from '../experiments/index.ts';
import type { Pick, Write } from './answers.ts';

/** The shipped arm exposes nobody. */
export function armPick(
  experiment: ServedExperiment,
  variations: Readonly<Record<string, string>>,
  write: Write,
): Pick {
  const { id: experimentId, arms, shippedArmId } = experiment;
  if (shippedArmId !== null) {
    const variant = variations[shippedArmId];
    const answer = variant === undefined ? null : write(variant, 'TARGETING_MATCH');
    return () => answer;
  }
  const answers = arms.map(({ id: armId }) => {
    const variant = variations[armId];
    if (variant === undefined) return null;
    const show = (overridden: boolean) =>
      write(variant, 'SPLIT', { experimentId, armId, overridden });
    return { assigned: show(false), byHand: show(true) };
  });
  const assign = armAssigner(experiment);
  return (person) => {
    const { arm, byHand } = assign(person);
    const answer = answers[arm];
    if (!answer) return null;
    return byHand ? answer.byHand : answer.assigned;
  };
}
