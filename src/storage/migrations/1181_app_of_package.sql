-- The app of an organization for which purchases of a package of Google Play are connected.
CREATE FUNCTION app_of_package(org text, package text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT a.app_id FROM play_connections c
  JOIN apps a ON a.app_id = c.app_id AND a.org_id = c.org_id AND a.deleted_at IS NULL
  WHERE c.org_id = org AND c.package_name = package
  ORDER BY a.created_at, a.app_id LIMIT 1
$$;
