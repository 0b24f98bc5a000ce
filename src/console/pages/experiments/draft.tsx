import { Field, type Fields, Form } from '../../parts/form.tsx';
import { mayEdit } from '../../state/session.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { texts } from '../../texts/index.ts';
import { type ArmDraft, useArms } from './arms.tsx';
import { useMeasured } from './measured.tsx';
import type { Experiment, Onboarding } from './queries.ts';

export type Draft = {
  name: string;
  arms: ArmDraft[];
  measurement: ReturnType<ReturnType<typeof useMeasured>['read']>;
};

export function DraftForm(props: {
  appId: string;
  experiment?: Experiment;
  onboardings: readonly Onboarding[];
  onSave: (draft: Draft) => Promise<unknown>;
}) {
  const { appId, experiment, onboardings } = props;
  const arms = useArms(appId, experiment?.arms ?? [], onboardings);
  const measured = useMeasured(appId, experiment?.measurement ?? {});
  const save = async (fields: Fields) =>
    props.onSave({
      name: fields.get('name'),
      arms: await arms.read(fields),
      measurement: measured.read(fields),
    });
  return (
    <Form
      button={experiment ? t.save : t.create}
      onSubmit={save}
      notAllowed={!mayEdit.value && texts.errors.editorsOnly}
      keep
    >
      <Field
        label={t.name}
        name="name"
        value={experiment?.name ?? ''}
        maxLength={80}
        autocomplete="off"
      />
      {arms.fields}
      {measured.fields}
    </Form>
  );
}
