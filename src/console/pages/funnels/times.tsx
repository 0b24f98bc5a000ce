import type { FunnelAnswer } from '../../../../clients/api/src/index.ts';
import { duration } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { COUNTS } from '../../parts/chart/formats.ts';
import { namedPlaces, TimeChart } from '../../parts/chart/index.ts';
import { questions as t } from '../../texts/questions.ts';

const HEIGHT_PX = 260;

export function Times({ parts }: { parts: NonNullable<FunnelAnswer['distribution']> }) {
  return (
    <Card title={t.times} isRegion>
      <TimeChart
        title={t.times}
        csvName="times"
        height={HEIGHT_PX}
        kind="bar"
        {...namedPlaces(
          t.timesHead,
          parts.map(({ toSeconds }) => `≤ ${duration(toSeconds)}`),
        )}
        series={[{ key: 'people', name: t.timesPeople, values: parts.map(({ people }) => people) }]}
        format={COUNTS}
      />
    </Card>
  );
}
