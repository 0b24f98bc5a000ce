-- All zeros are what clients without an account sign: nobody's.
DELETE FROM purchase_links WHERE holder = 't:00000000-0000-0000-0000-000000000000';
UPDATE purchase_chains SET app_account_token = NULL
WHERE app_account_token = '00000000-0000-0000-0000-000000000000';
