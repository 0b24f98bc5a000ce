import { onlyRow } from '../../shared/assert.ts';
import { parser } from '../../shared/schema.ts';
import { toIso } from '../../shared/time.ts';
import type { Db } from '../../storage/postgres.ts';
import { OnboardingSurvey, type SurveyAnswers } from './model.ts';

type SurveyRow = { completedAt: Date };

const survey = parser(OnboardingSurvey, 'onboarding_surveys row');

const toSurvey = (row: SurveyRow): OnboardingSurvey =>
  survey.parse({ completed: true, ...row, completedAt: toIso(row.completedAt) });

/** Per person, not organization. */
export async function selectSurvey(db: Db, userId: string): Promise<OnboardingSurvey | null> {
  const [row] = await db<SurveyRow[]>`
    SELECT source, building, completed_at AS "completedAt"
    FROM onboarding_surveys WHERE user_id = ${userId}`;
  return row ? toSurvey(row) : null;
}

export async function upsertSurvey(
  db: Db,
  userId: string,
  answers: SurveyAnswers,
  now: Date,
): Promise<OnboardingSurvey> {
  const rows = await db<SurveyRow[]>`
    INSERT INTO onboarding_surveys AS survey (user_id, source, source_detail, building, completed_at)
    VALUES (${userId}, ${answers.source ?? null}, ${answers.sourceDetail ?? null},
      ${answers.building ?? null}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET source = coalesce(EXCLUDED.source, survey.source),
      source_detail = coalesce(EXCLUDED.source_detail, survey.source_detail),
      building = coalesce(EXCLUDED.building, survey.building)
    RETURNING source, building, completed_at AS "completedAt"`;
  return toSurvey(onlyRow(rows));
}
