import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { rate } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm.tsx';
import { FormDialog, useOpening } from '../../parts/form-dialog.tsx';
import { Menu, type MenuItem } from '../../parts/menu.tsx';
import { api } from '../../state/api.ts';
import { whyNotEdit } from '../../state/session.ts';
import { turn } from '../../state/signals.ts';
import { experiments as t } from '../../texts/experiments.ts';
import { type Experiment, isOfFlags, type Report } from './queries.ts';
import { SizesOf } from './sizes.tsx';

type Props = { experiment: Experiment; report: Report | undefined };

type Act = {
  key: string;
  title: string;
  loss: string;
  name: string;
  says?: { text: string; isWarning: boolean } | undefined;
  isDanger?: boolean;
  run: () => Promise<unknown>;
};

function Start({ experiment }: Pick<Props, 'experiment'>) {
  const { appId, id, arms, layer } = experiment;
  const body = { status: 'running' } as const;
  const all = arms.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <FormDialog
      button={t.start}
      title={t.startAsks(experiment.name)}
      submit={t.start}
      opening={useOpening()}
      notAllowed={whyNotEdit.value}
      send={() => api.updateExperiment({ id: appId, experimentId: id, body })}
    >
      <p>
        {layer ? t.startsPart(layer.name, layer.fromPercent, layer.toPercent) : t.startsAll}{' '}
        {arms.map(({ name, weight }) => t.startsArm(rate(weight / all), name)).join(', ')}.
      </p>
      <p>{t.fixed}</p>
      <SizesOf experiment={experiment} />
    </FormDialog>
  );
}

function shipActs({ experiment, report }: Props): Act[] {
  const { appId, id, arms, status, shipped } = experiment;
  if (status === 'draft' || shipped) return [];
  const answer = report?.answer;
  return arms.map((arm) => {
    const isAhead = answer?.verdict === 'ahead' && answer.armId === arm.id;
    return {
      key: arm.id,
      title: t.ship(arm.name),
      loss: isOfFlags(experiment) ? t.shipLossOfFlags : t.shipLoss,
      name: arm.name,
      says: answer && {
        text: isAhead ? answer.text : t.shipAgainst(answer.text, arm.name),
        isWarning: !isAhead,
      },
      run: () => api.shipExperimentArm({ id: appId, experimentId: id, body: { armId: arm.id } }),
    };
  });
}

function useActs(props: Props): { ships: Act[]; others: Act[] } {
  const { route } = useLocation();
  const { experiment, report } = props;
  const { appId, id, name, status, shipped } = experiment;
  const stop: Act = {
    key: 'stop',
    title: t.stop,
    loss: isOfFlags(experiment) ? t.stopLossOfFlags : t.stopLoss,
    name,
    says: report?.answer && {
      text: report.answer.text,
      isWarning: report.answer.verdict === 'not_decided',
    },
    isDanger: true,
    run: () => api.updateExperiment({ id: appId, experimentId: id, body: { status: 'stopped' } }),
  };
  const remove: Act = {
    key: 'delete',
    title: t.remove,
    loss: t.removeLoss,
    name,
    isDanger: true,
    run: async () => {
      await api.deleteExperiment({ id: appId, experimentId: id });
      route(`/apps/${appId}/experiments`);
    },
  };
  return {
    ships: shipActs(props),
    others: [
      ...(status === 'running' ? [stop] : []),
      ...(status !== 'running' && !shipped ? [remove] : []),
    ],
  };
}

/** Shipping is one button once it is decided. */
export function Acts(props: Props) {
  const { experiment, report } = props;
  const open = useSignal<Act | null>(null);
  const act = open.value;
  const { ships, others } = useActs(props);
  const leader = report?.answer?.verdict === 'ahead' ? report.answer.armId : null;
  const primary = ships.find(({ key }) => key === leader);
  const items = [...ships.filter((one) => one !== primary), ...others].map(
    (one, index): MenuItem => ({
      key: one.key,
      label: one.title,
      startsGroup: index > 0 && index === ships.length - (primary ? 1 : 0),
      onSelect: turn<Act | null>(open, one),
      disabledWhy: whyNotEdit.value,
    }),
  );
  return (
    <>
      {experiment.status === 'draft' && <Start experiment={experiment} />}
      {items.length > 0 && (
        <Menu
          label={t.moreActs}
          placement="bottom-end"
          button={{ text: t.moreActs, opens: true }}
          items={items}
        />
      )}
      {primary && (
        <Button
          kind="primary"
          onClick={turn<Act | null>(open, primary)}
          disabledWhy={whyNotEdit.value}
        >
          {t.shipLeader}
        </Button>
      )}
      <ConfirmDialog
        title={act?.title ?? ''}
        button={act?.title ?? ''}
        loss={act?.loss ?? ''}
        name={act?.name ?? ''}
        isDanger={act?.isDanger ?? false}
        above={
          act?.says && (
            <p class={act.says.isWarning ? 'notice warn' : 'notice good'}>{act.says.text}</p>
          )
        }
        isOpen={act !== null}
        onConfirm={() => act?.run() ?? Promise.resolve()}
        onClose={turn(open, null)}
      />
    </>
  );
}
