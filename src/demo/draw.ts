import type { Operations } from '../../clients/api/src/index.ts';

type FunnelReport = Operations['getFunnelReport']['output'];
type StepFigures = FunnelReport['steps'][number];

const BAR_WIDTH = 28;

const percent = (rate: number | null): string =>
  rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;

function duration(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

function bar(rate: number | null): string {
  const filled = Math.round((rate ?? 0) * BAR_WIDTH);
  return '█'.repeat(filled).padEnd(BAR_WIDTH, '░');
}

function notes(step: StepFigures): string {
  if (step.verdict === 'entry') return '';
  const low = percent(step.rateFromPreviousLow).replace(' %', '');
  const range = `${percent(step.rateFromPrevious)} of the step before (${low}–${percent(step.rateFromPreviousHigh)})`;
  const time = duration(step.medianSecondsFromPrevious);
  const verdict = step.verdict === 'healthy' ? '' : `, ${step.verdict?.replace('_', ' ')}`;
  return `${range}${time && `, after ${time}`}${verdict}`;
}

export function drawFunnel(report: FunnelReport): string {
  const title = `${report.name}: ${report.people} people in ${report.window.days} days`;
  if (report.verdict !== 'ready') return `${title} (too few to draw a result)`;
  const width = Math.max(...report.steps.map((step) => step.label.length));
  const lines = report.steps.map((step) => {
    const people = String(step.people ?? 0).padStart(6);
    const share = percent(step.rateFromStart).padStart(7);
    return `  ${step.index} ${step.label.padEnd(width)} ${people} ${bar(step.rateFromStart)} ${share}  ${notes(step)}`.trimEnd();
  });
  const { overall } = report;
  const end = `  In all ${percent(overall.rate)} got to the end, half of them within ${duration(overall.medianSeconds)}.`;
  return [title, '', ...lines, '', end].join('\n');
}
