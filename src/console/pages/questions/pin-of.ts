import type { Question } from '../../../../clients/api/src/index.ts';
import { api } from '../../state/api.ts';
import { type Frame, questionsOf } from '../../state/ask.ts';
import type { PinnedView } from '../../state/pins.ts';
import { rangeOf } from '../../state/ranges.ts';
import { askFrom } from './from-page.ts';
import { PERIODS } from './settings.ts';

const AS = { trends: 'trend', funnels: 'funnel', retention: 'retention' } as const;
const ENVIRONMENTS = ['production', 'development', 'all'] as const;

function frameOf(parameters: Record<string, string>, isRetention: boolean): Frame | undefined {
  const range = rangeOf(parameters);
  const usual = isRetention ? 'week' : 'day';
  const intervals = ['hour', 'day', 'week', 'month'] as const;
  const interval = intervals.find((one) => one === parameters.interval) ?? usual;
  const environment = ENVIRONMENTS.find((one) => one === parameters.environment) ?? 'production';
  const frame = { environment, interval, periods: PERIODS[interval] };
  if (range.kind === 'dates') return { ...frame, window: { from: range.from, to: range.to } };
  const { preset } = range;
  return typeof preset === 'number' ? { ...frame, window: { days: preset } } : undefined;
}

/** Undefined for a view that no single question asks. */
async function questionOf(
  appId: string,
  { page, query }: PinnedView,
): Promise<Question | undefined> {
  if (page === 'questions') return undefined;
  const parameters = { ...Object.fromEntries(new URLSearchParams(query)), as: AS[page] };
  const { chart = 'people', only } = parameters as Record<string, string | undefined>;
  const frame = frameOf(parameters, page === 'retention');
  if (!frame || only || chart !== 'people') return undefined;
  const funnels = page === 'funnels' ? await api.listFunnels({ id: appId }) : undefined;
  const ask = askFrom(parameters, funnels);
  const [question, second] = ask ? questionsOf(ask, frame) : [];
  return second ? undefined : question;
}

/** The pin of a question that is saved for it, else of the view. */
export async function pinOf(appId: string, view: PinnedView): Promise<PinnedView> {
  const question = await questionOf(appId, view);
  if (!question) return view;
  const { id } = await api.saveQuestion({ id: appId, body: { name: view.title, question } });
  return { title: view.title, page: 'questions', query: `saved=${id}` };
}
