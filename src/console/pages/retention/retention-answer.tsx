import type { RetentionAnswer as Answer } from '../../../../clients/api/src/index.ts';
import { Card } from '../../parts/card.tsx';
import { RATES } from '../../parts/chart/formats.ts';
import { type ChartSeries, namedPlaces, TimeChart, Triangle } from '../../parts/chart/index.ts';
import { slotOf } from '../../parts/chart/slots.ts';
import * as icons from '../../parts/icons.ts';
import { EmptyCard } from '../../parts/states.tsx';
import { selectionWords } from '../../state/ask-words.ts';
import { fieldOf, type RetentionAsk } from '../../state/ask.ts';
import { valueWord } from '../../state/condition-words.ts';
import { questions } from '../../texts/questions.ts';
import { retention as t } from '../../texts/retention.ts';
import type { OnPick } from '../questions/behind.tsx';
import { afterName, cohortName, knownPeriods, periodName, rowsOf, sentence } from './report.ts';

const HEIGHT_PX = 280;

type Named = { name: string; answer: Answer; question: number; values: readonly string[] };

function linesOf({ starts, breakdown }: RetentionAsk, answers: readonly Answer[]): Named[] {
  const [first] = answers;
  if (breakdown && first?.breakdown) {
    return first.breakdown.map(({ value, ...figures }) => ({
      name: value === null ? questions.rest : valueWord(fieldOf(breakdown), value),
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

const cohortLines = (answer: Answer, periods: number): ChartSeries[] =>
  answer.cohorts.flatMap(({ from, periods: cells }, index): ChartSeries[] => {
    const values = cells.slice(0, periods).map((cell) => cell?.rate ?? null);
    if (values.every((value) => value === null)) return [];
    const name = cohortName(answer, from);
    return [{ key: `cohort ${index}`, name, values, slot: 'other', isQuiet: true }];
  });

function Curve(props: {
  lines: readonly Named[];
  onCell: (cohort: number, period: number) => void;
}) {
  const { lines, onCell } = props;
  const answers = lines.map(({ answer }) => answer);
  const [first, second] = answers;
  const periods = Math.max(0, ...answers.map(knownPeriods));
  if (!first || periods === 0 || answers.every(({ verdict }) => verdict !== 'ready')) return null;
  const numbers = Array.from({ length: periods }, (_, index) => index + 1);
  const named = namedPlaces(
    t.periods[first.interval],
    numbers.map((number) => periodName(first, number)),
  );
  const means = lines.map(({ name, answer: { mean } }, index): ChartSeries => {
    const cells = numbers.map((number) => mean[number - 1] ?? null);
    return {
      ...{ key: String(index), name, slot: slotOf(index) },
      values: cells.map((cell) => cell?.rate ?? null),
      low: cells.map((cell) => cell?.rateLow ?? null),
      high: cells.map((cell) => cell?.rateHigh ?? null),
    };
  });
  const open = (day: string, key = '') => {
    const [word, cohort] = key.split(' ');
    if (word === 'cohort') onCell(Number(cohort), named.days.indexOf(day) + 1);
  };
  return (
    <Card title={t.curve} {...(!second && { sub: t.curveSub })} isRegion>
      <TimeChart
        title={t.curve}
        csvName="retention-curve"
        height={HEIGHT_PX}
        {...named}
        series={second ? means : [...cohortLines(first, periods), ...means]}
        format={RATES}
        {...(!second && { onDay: open, actionOf: () => t.clickLine })}
      />
    </Card>
  );
}

function Group(props: {
  line: Named;
  title: string;
  isListed: boolean;
  onCell: (cohort: number, period: number) => void;
}) {
  const { line, title, onCell } = props;
  const { answer } = line;
  const { people, minimumPeople, forecast, verdict, cohort, interval } = answer;
  return (
    <>
      {verdict === 'too_few_people' && (
        <p class="notice">
          {forecast?.text ?? t.tooFew(people, minimumPeople)} {t.sizesOnly}
        </p>
      )}
      <Card title={title} sub={t.triangleSub(cohort, interval)}>
        <Triangle
          caption={title}
          csvName="retention"
          heads={{ cohort: t.heads[cohort], people: t.people }}
          columns={Array.from({ length: knownPeriods(answer) }, (_, at) =>
            periodName(answer, at + 1),
          )}
          rows={rowsOf(answer)}
          {...(props.isListed && {
            onCell: (key: string, column: number) => onCell(Number(key), column + 1),
            onRow: (key: string) => onCell(Number(key), 0),
          })}
        />
      </Card>
    </>
  );
}

export function RetentionAnswer(props: {
  ask: RetentionAsk;
  answers: readonly Answer[];
  onPick: OnPick;
}) {
  const { ask, answers, onPick } = props;
  const lines = linesOf(ask, answers);
  const [only, second] = lines;
  if (!only || answers.every(({ people }) => people === 0)) {
    return <EmptyCard icon={icons.retention} title={t.none} text={t.noneWhy} />;
  }
  const pickOf =
    ({ name, answer, question, values }: Named) =>
    (cohort: number, period: number) => {
      const of = cohortName(answer, answer.cohorts[cohort]?.from ?? '');
      const title = period > 0 ? t.behindPeriod(of, afterName(answer, period)) : t.behind(of);
      onPick({
        ...{ question, values, title: second ? `${name}: ${title}` : title },
        figure: { of: 'cohort', cohortIndex: cohort, period },
      });
    };
  const named = (selection: RetentionAsk['return'] | undefined) =>
    selection && Object.keys(selection).length > 0 ? selectionWords(selection) : '';
  const said = second
    ? null
    : sentence(only.answer, { starts: named(ask.starts[0]), returns: named(ask.return) });
  return (
    <>
      {said && only.answer.verdict === 'ready' && <p class="say">{said}</p>}
      {second && <Curve lines={lines} onCell={pickOf(only)} />}
      {lines.map((line, index) => (
        <Group
          key={index}
          line={line}
          title={second ? line.name : t.triangle}
          isListed={line.answer.verdict === 'ready' && (!ask.breakdown || line.values.length > 0)}
          onCell={pickOf(line)}
        />
      ))}
      {!second && <Curve lines={lines} onCell={pickOf(only)} />}
    </>
  );
}
