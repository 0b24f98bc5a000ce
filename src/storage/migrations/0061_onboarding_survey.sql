-- The survey that a person answers once; answering again replaces the answers.
CREATE TABLE onboarding_surveys (
  user_id text PRIMARY KEY,
  source text,
  source_detail text,
  building text,
  completed_at timestamptz NOT NULL
);
