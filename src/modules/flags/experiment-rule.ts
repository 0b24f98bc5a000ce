import { armAssigner, type ServedExperiment } from '../experiments/index.ts';
import type { Answer, Pick, Write } from './answers.ts';
import { type Asker, NOBODY } from './draws.ts';

/** The answer of a person's arm; of the shipped one for everybody, in which nobody is exposed. */
export function armPick(
  experiment: ServedExperiment,
  variations: Readonly<Record<string, string>>,
  write: Write,
): Pick {
  const { id: experimentId, arms, shippedArmId } = experiment;
  if (shippedArmId !== null) {
    const variant = variations[shippedArmId];
    return variant === undefined ? NOBODY : write(variant, 'TARGETING_MATCH');
  }
  const places: { assigned?: number; byHand?: number }[] = [];
  const answers: Answer[] = [];
  for (const { id: armId } of arms) {
    const variant = variations[armId];
    if (variant === undefined) {
      places.push({});
      continue;
    }
    const shown = (overridden: boolean) =>
      answers.push(write(variant, 'SPLIT', { experimentId, armId, overridden })) - 1;
    places.push({ assigned: shown(false), byHand: shown(true) });
  }
  const give = armAssigner(experiment);
  const place = (asker: Asker) => {
    const { arm, byHand } = give(asker);
    const given = byHand ? places[arm]?.byHand : places[arm]?.assigned;
    return given ?? answers.length;
  };
  return { answers, place };
}
