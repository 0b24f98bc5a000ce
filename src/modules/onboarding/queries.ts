import type { Self } from '../../shared/principal.ts';
import type { Db } from '../../storage/postgres.ts';
import { rowParser } from '../../storage/row-parser.ts';
import { OnboardingSurvey, type SurveyAnswers } from './model.ts';

const toSurvey = rowParser(OnboardingSurvey, 'onboarding_surveys row');

const keyOf = ({ userId, orgId }: Self) => (orgId === null ? userId : `${orgId} ${userId}`);

export const selectSurvey = (db: Db, self: Self) =>
  toSurvey.first(db`
    SELECT true AS completed, source, building, completed_at
    FROM onboarding_surveys WHERE user_id = ${keyOf(self)}`);

export const upsertSurvey = (db: Db, self: Self, answers: SurveyAnswers, now: Date) =>
  toSurvey.only(db`
    INSERT INTO onboarding_surveys AS survey (user_id, org_id, source, source_detail, building,
      completed_at)
    VALUES (${keyOf(self)}, ${self.orgId}, ${answers.source ?? null}, ${answers.sourceDetail ?? null},
      ${answers.building ?? null}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET source = coalesce(EXCLUDED.source, survey.source),
      source_detail = coalesce(EXCLUDED.source_detail, survey.source_detail),
      building = coalesce(EXCLUDED.building, survey.building)
    RETURNING true AS completed, source, building, completed_at`);
