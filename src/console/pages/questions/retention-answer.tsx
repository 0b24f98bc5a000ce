import type { RetentionAnswer as Answer } from '../../../../clients/api/src/index.ts';
import { rate, roundRate } from '../../format.ts';
import { Card } from '../../parts/card.tsx';
import { TimeChart, Triangle } from '../../parts/chart/index.ts';
import * as icons from '../../parts/icons.ts';
import { Empty } from '../../parts/states.tsx';
import { fieldOf, type RetentionAsk } from '../../state/ask.ts';
import { selectionWords } from '../../state/ask-words.ts';
import { valueWord } from '../../state/condition-words.ts';
import { addDays } from '../../state/days.ts';
import { questions as t } from '../../texts/questions.ts';
import { afterName, cohortName, knownPeriods, periodName, rowsOf } from '../retention/report.ts';
import type { OnPick } from './behind.tsx';

const SLOTS = [1, 2, 3, 4, 5, 6] as const;
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

type Named = { name: string; answer: Answer; question: number; values: readonly string[] };

function linesOf({ starts, breakdown }: RetentionAsk, answers: readonly Answer[]): Named[] {
  const [first] = answers;
  if (breakdown && first?.breakdown) {
    return first.breakdown.map(({ value, ...figures }) => ({
      name: value === null ? t.rest : valueWord(fieldOf(breakdown), value),
      answer: { ...first, ...figures },
      question: 0,
      values: value === null ? [] : [value],
    }));
  }
  const isSingle = answers.length === 1;
  return answers.map((answer, index) => ({
    name: isSingle ? t.mean : selectionWords(starts[index] ?? {}),
    ...{ answer, question: index, values: [] },
  }));
}

export function RetentionAnswer(props: {
  ask: RetentionAsk;
  answers: readonly Answer[];
  onPick: OnPick;
}) {
  const { ask, answers, onPick } = props;
  const lines = linesOf(ask, answers);
  const isSingle = answers.length === 1 && !answers[0]?.breakdown;
  if (answers.every(({ people }) => people === 0)) {
    return (
      <section class="card">
        <Empty icon={icons.retention} title={t.none} text={t.noneText} />
      </section>
    );
  }
  return (
    <>
      <Curve answers={lines.map(({ answer }) => answer)} names={lines.map(({ name }) => name)} />
      {lines.map(({ name, answer, question, values }, index) => {
        const title = isSingle ? t.triangle : name;
        const isListed = answer.verdict === 'ready' && (!ask.breakdown || values.length > 0);
        const pick = (cohortIndex: number, period: number) =>
          onPick({
            ...{ question, values },
            figure: { of: 'cohort', cohortIndex, period },
            title: [
              ...(isSingle ? [] : [name]),
              cohortName(answer, answer.cohorts[cohortIndex]?.from ?? ''),
              ...(period > 0 ? [afterName(answer, period)] : []),
            ].join(', '),
          });
        const periods = knownPeriods(answer);
        return (
          <Card key={index} title={title}>
            <Triangle
              caption={title}
              csvName="retention"
              heads={{ cohort: t.cohortHead, people: t.people }}
              columns={Array.from({ length: periods }, (_, at) => periodName(answer, at + 1))}
              rows={rowsOf(answer)}
              {...(isListed && {
                onCell: (key: string, column: number) => pick(Number(key), column + 1),
                onRow: (key: string) => pick(Number(key), 0),
              })}
            />
          </Card>
        );
      })}
    </>
  );
}
