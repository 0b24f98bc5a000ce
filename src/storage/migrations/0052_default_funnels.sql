-- An app that has funnels has a default one; earlier releases could leave it without.
UPDATE funnels SET is_default = true
WHERE funnel_id IN (
  SELECT DISTINCT ON (app_id) funnel_id FROM funnels f
  WHERE NOT EXISTS (SELECT 1 FROM funnels d WHERE d.app_id = f.app_id AND d.is_default)
  ORDER BY app_id, created_at, funnel_id
);
