import type { RetentionAnswer as Answer } from '../../../../clients/api/src/index.ts';
import { rate, roundRate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { TimeChart, Triangle } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import type { RetentionAsk } from '../../state/ask.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { addDays } from '../../state/days.ts';
import { questions as t } from '../../texts/questions.ts';
import { knownPeriods, periodName, rowsOf } from '../retention/report.ts';

const SLOTS = [1, 2] as const;
const HEIGHT_PX = 300;
const START = '2000-01-01';

function Curve({ answers, names }: { answers: readonly Answer[]; names: readonly string[] }) {
  const [first] = answers;
  const periods = Math.max(0, ...answers.map(knownPeriods));
  if (!first || periods === 0) return null;
  const numbers = Array.from({ length: periods }, (_, index) => index + 1);
  return (
    <Card title={t.curve} isRegion>
      <TimeChart
        title={t.curve}
        csvName="retention"
        height={HEIGHT_PX}
        days={numbers.map((number) => addDays(START, number))}
        places={{ head: t.period, names: numbers.map((number) => periodName(first, number)) }}
        series={answers.map(({ mean }, index) => {
          const cells = numbers.map((number) => mean[number - 1] ?? null);
          return {
            key: String(index),
            name: names[index] ?? '',
            slot: SLOTS[index] ?? 'other',
            values: cells.map((cell) => cell?.rate ?? null),
            low: cells.map((cell) => cell?.rateLow ?? null),
            high: cells.map((cell) => cell?.rateHigh ?? null),
          };
        })}
        format={{ show: rate, tick: roundRate }}
      />
    </Card>
  );
}

export function RetentionAnswer(props: { ask: RetentionAsk; answers: readonly Answer[] }) {
  const { ask, answers } = props;
  const isSingle = answers.length === 1;
  const names = ask.starts.map((start) => (isSingle ? t.mean : selectionWords(start)));
  if (answers.every(({ people }) => people === 0)) {
    return (
      <section class="card">
        <Empty icon={icons.retention} title={t.none} text={t.noneText} />
      </section>
    );
  }
  return (
    <>
      <Curve answers={answers} names={names} />
      {answers.map((answer, index) => {
        const title = isSingle ? t.triangle : (names[index] ?? t.triangle);
        const periods = knownPeriods(answer);
        return (
          <Card key={title} title={title}>
            <Triangle
              caption={title}
              csvName="retention"
              heads={{ cohort: t.cohortHead, people: t.people }}
              columns={Array.from({ length: periods }, (_, at) => periodName(answer, at + 1))}
              rows={rowsOf(answer)}
            />
          </Card>
        );
      })}
    </>
  );
}
