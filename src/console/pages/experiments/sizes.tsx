import { rate, signedRate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { api } from '../../state/api.ts';
import { useApi } from '../../state/use-api.ts';
import { experiments as t } from '../../texts/experiments.ts';
import type { Experiment } from './queries.ts';

export function SizesOf({ experiment }: { experiment: Experiment }) {
  const { appId, id } = experiment;
  const sizes = useApi(api.getExperimentSizes, { id: appId, experimentId: id });
  return (
    <Loaded query={sizes}>
      {(found) => (
        <>
          <p>
            {found.rate === null
              ? t.sizesFew(found.people, found.daysUntilRate)
              : t.sizesFrom(
                  found.people,
                  found.lookedAtDays,
                  rate(found.rate),
                  Math.round(found.peopleADay),
                )}
          </p>
          {found.rate !== null && (
            <Table
              caption={t.sizes}
              rows={found.sizes}
              keyOf={({ lift }) => String(lift)}
              columns={[
                { label: t.difference, show: ({ lift }) => signedRate(lift) },
                { label: t.people, figure: ({ people }) => people },
                { label: t.time, figure: ({ days }) => days, format: t.days },
              ]}
            />
          )}
          <p class="quiet">{t.sizesMeaning}</p>
        </>
      )}
    </Loaded>
  );
}

export const Sizes = (props: { experiment: Experiment }) => (
  <Card title={t.sizes} class="sizes">
    <SizesOf {...props} />
  </Card>
);
