import { useSignal } from '@preact/signals';
import { Choice, Field, type Fields, Form } from '../../parts/form.tsx';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type ArmDraft, useArms } from './arms.tsx';
import { type Layer, LayerFields, readLayer } from './layer.tsx';
import { useMeasured } from './measured.tsx';
import { type Experiment, isOfFlags, type Onboarding } from './queries.ts';

const DIFFERS = [
  ['onboarding', t.differs.onboarding],
  ['flags', t.differs.flags],
] as const;

export type Draft = {
  name: string;
  arms: ArmDraft[];
  layer: Layer | null;
  measurement: ReturnType<ReturnType<typeof useMeasured>['read']>;
};

export function DraftForm(props: {
  appId: string;
  experiment?: Experiment;
  onboardings: readonly Onboarding[];
  onSave: (draft: Draft) => Promise<unknown>;
}) {
  const { appId, experiment, onboardings } = props;
  const differ = useSignal<keyof typeof t.differs>('onboarding');
  const ofFlags = experiment ? isOfFlags(experiment) : differ.value === 'flags';
  const arms = useArms(appId, { arms: experiment?.arms ?? [], ofFlags, onboardings });
  const measured = useMeasured(appId, experiment?.measurement ?? {});
  const save = async (fields: Fields) =>
    props.onSave({
      name: fields.get('name'),
      arms: await arms.read(fields),
      layer: ofFlags ? readLayer(fields) : null,
      measurement: measured.read(fields),
    });
  return (
    <Form
      button={experiment ? t.save : t.create}
      onSubmit={save}
      notAllowed={whyNotEdit.value}
      keep
    >
      <Field label={t.name} name="name" value={experiment?.name ?? ''} maxLength={80} />
      {!experiment && (
        <Choice
          label={t.differ}
          name="differ"
          options={DIFFERS}
          value={differ.value}
          onChange={into(differ)}
        />
      )}
      {arms.fields}
      {ofFlags && <LayerFields appId={appId} experiment={experiment} />}
      {measured.fields}
    </Form>
  );
}
