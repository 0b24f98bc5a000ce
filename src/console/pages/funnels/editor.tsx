import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Confirmed } from '../../parts/confirm.tsx';
import { Field, Form } from '../../parts/form.tsx';
import * as icons from '../../parts/icons.ts';
import { api } from '../../state/api.ts';
import type { Funnel } from '../../state/funnels.ts';
import { whyNotEdit } from '../../state/session.ts';
import { into } from '../../state/signals.ts';
import { funnels } from '../../texts/funnels.ts';
import { type Draft, draftOf, MAX_STEPS, MIN_STEPS, moved, stepOf } from './draft.ts';
import { EditStep } from './edit-step.tsx';

const t = funnels.editor;

function StepActs(props: {
  index: number;
  count: number;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}) {
  const { index, count } = props;
  const act = (label: string, Icon: icons.Icon, isPossible: boolean, onClick: () => void) => (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={!isPossible}
      onClick={onClick}
    >
      <Icon aria-hidden class="small" />
    </button>
  );
  const number = index + 1;
  return (
    <div class="edit-acts">
      {act(t.up(number), icons.sortedUp, index > 0, () => props.onMove(-1))}
      {act(t.down(number), icons.sortedDown, number < count, () => props.onMove(1))}
      {act(t.remove(number), icons.close, count > MIN_STEPS, props.onRemove)}
    </div>
  );
}

type StepsProps = { appId: string; steps: readonly Draft[]; onChange: (steps: Draft[]) => void };

function StepList({ appId, steps, onChange }: StepsProps) {
  return (
    <div class="edit-steps">
      <h3 id="edit-steps">{t.stepsLabel}</h3>
      <ol aria-labelledby="edit-steps">
        {steps.map((step, index) => (
          <li key={step.key}>
            <span class="edit-number" aria-hidden="true">
              {index + 1}
            </span>
            <EditStep
              appId={appId}
              step={step}
              number={index + 1}
              onChange={(change) => onChange(steps.with(index, { ...step, ...change }))}
            />
            <StepActs
              index={index}
              count={steps.length}
              onMove={(by) => onChange(moved(steps, index, by))}
              onRemove={() => onChange(steps.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <Button kind="dashed" icon={icons.add} onClick={() => onChange([...steps, draftOf()])}>
          {t.add}
        </Button>
      )}
    </div>
  );
}

export function FunnelEditor(props: {
  appId: string;
  funnel: Funnel | undefined;
  onSaved: (saved: Funnel) => void;
  onDeleted: () => void;
  onCancel: () => void;
}) {
  const { appId, funnel } = props;
  const steps = useSignal<Draft[]>(
    funnel ? funnel.steps.map((step) => draftOf(step)) : [draftOf(), draftOf()],
  );
  const notAllowed = whyNotEdit.value;
  const save = async (fields: { get: (name: string) => string }) => {
    const missing = steps.value.findIndex(({ event }) => !event);
    if (missing >= 0) throw new Error(t.noEvent(missing + 1));
    const body = {
      name: fields.get('name'),
      steps: steps.value.map(stepOf),
      ...(fields.get('isDefault') && { isDefault: true }),
    };
    props.onSaved(
      funnel
        ? await api.updateFunnel({ id: appId, funnelId: funnel.id, body })
        : await api.createFunnel({ id: appId, body }),
    );
  };
  return (
    <>
      <Form
        button={funnel ? t.save : t.create}
        notAllowed={notAllowed}
        keep
        onCancel={props.onCancel}
        onSubmit={save}
      >
        <Field label={t.name} name="name" value={funnel?.name ?? ''} maxLength={80} />
        <StepList appId={appId} steps={steps.value} onChange={into(steps)} />
        <label>
          <input type="checkbox" name="isDefault" defaultChecked={funnel?.isDefault ?? false} />
          {t.isDefault}
        </label>
      </Form>
      {funnel && !funnel.isDefault && (
        <div class="edit-delete">
          <Confirmed
            button={t.delete}
            title={t.deleteTitle(funnel.name)}
            loss={t.deleteLoss}
            name={funnel.name}
            notAllowed={notAllowed}
            onConfirm={async () => {
              await api.deleteFunnel({ id: appId, funnelId: funnel.id });
              props.onDeleted();
            }}
          />
        </div>
      )}
    </>
  );
}
