import type { FunnelAnswer } from '../../../../clients/api/src/index.ts';
import { duration, exactNumber, shortNumber } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { TimeChart } from '../../parts/chart/index.ts';
import { addDays } from '../../state/days.ts';
import { questions as t } from '../../texts/questions.ts';

const HEIGHT_PX = 260;
const START = '2000-01-01';

export function Times({ parts }: { parts: NonNullable<FunnelAnswer['distribution']> }) {
  return (
    <Card title={t.times} isRegion>
      <TimeChart
        title={t.times}
        csvName="times"
        height={HEIGHT_PX}
        kind="bar"
        days={parts.map((_, index) => addDays(START, index))}
        places={{
          head: t.timesHead,
          names: parts.map(({ toSeconds }) => `≤ ${duration(toSeconds)}`),
        }}
        series={[{ key: 'people', name: t.timesPeople, values: parts.map(({ people }) => people) }]}
        format={{ show: exactNumber, tick: shortNumber, isWhole: true }}
      />
    </Card>
  );
}
