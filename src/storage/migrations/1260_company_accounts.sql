-- An account that a provider made is of that organization's issuer and subject: `email` is then no
-- address and keeps nobody out of theirs, `company_email` what the issuer says.
ALTER TABLE auth."user"
  ADD COLUMN company_org_id text REFERENCES auth.organization ("id") ON DELETE CASCADE,
  ADD COLUMN company_email text;
CREATE INDEX user_of_company ON auth."user" (company_org_id, "createdAt")
  WHERE company_org_id IS NOT NULL;

-- Those of before that nobody has signed in to otherwise.
UPDATE auth."user" u
SET company_org_id = l.org_id, company_email = u.email,
  email = 'company:' || encode(sha256(convert_to(l.org_id || chr(10) || l.issuer || chr(10) || l.subject, 'UTF8')), 'hex')
FROM public.identity_links l JOIN auth.organization o ON o.id = l.org_id
WHERE l.user_id = u.id AND NOT u."emailVerified"
  AND NOT EXISTS (SELECT 1 FROM auth.account a WHERE a."userId" = u.id)
  AND NOT EXISTS (SELECT 1 FROM public.identity_links other
    WHERE other.user_id = u.id AND (other.org_id, other.issuer, other.subject) > (l.org_id, l.issuer, l.subject))
  AND NOT EXISTS (SELECT 1 FROM auth.member m
    WHERE m."userId" = u.id AND m."organizationId" <> l.org_id);

-- By a session of the company: in the name of the organization, and of nobody's own number.
ALTER TABLE auth.invitation ADD COLUMN by_company boolean NOT NULL DEFAULT false;

-- Of a session of a company: `user_id` is then the organization and the account.
ALTER TABLE onboarding_surveys ADD COLUMN org_id text;
