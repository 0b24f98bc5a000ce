import type { Flag } from '../../../../clients/api/src/index.ts';
import { TableCard } from '../../parts/list-card.tsx';
import { useExperiments } from '../../state/experiments.ts';
import { experiments } from '../../texts/experiments.ts';
import { flags as t } from '../../texts/flags.ts';

export function Experiments({ flag }: { flag: Flag }) {
  const ids = new Set(flag.rules.flatMap(({ experiment = [] }) => experiment));
  const all = useExperiments(flag.appId, ids.size > 0).value.data ?? [];
  const rows = all.filter(({ id }) => ids.has(id));
  if (rows.length === 0) return null;
  return (
    <TableCard
      title={t.experiments}
      rows={rows}
      keyOf={({ id }) => id}
      rowHref={({ id, appId }) => `/apps/${appId}/experiments/${id}`}
      columns={[
        { label: t.experiment, show: ({ name }) => name, narrow: true },
        {
          label: t.state,
          show: ({ status }) => (
            <span class={status === 'running' ? 'chip accent' : 'chip'}>
              {experiments.statuses[status]}
            </span>
          ),
          plain: ({ status }) => status,
          narrow: true,
        },
        {
          label: experiments.layer,
          show: ({ layer }) =>
            layer
              ? experiments.inLayer(layer.name, layer.fromPercent, layer.toPercent)
              : t.everybodyIn,
        },
      ]}
    />
  );
}
