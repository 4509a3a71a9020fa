-- Two roles for Waymark, in its database, by an administrator: psql "$ADMIN_URL/waymark" -f roles.sql
-- Then give each a password: psql "$ADMIN_URL/waymark" -c '\password waymark_owner' -c '\password waymark_app'

-- Owns the tables, and is used by `waymark migrate` alone.
CREATE ROLE waymark_owner LOGIN;
-- Used by the services, the studio and every other command: reads and writes rows, and can change no table.
CREATE ROLE waymark_app LOGIN;

GRANT CONNECT, CREATE, TEMPORARY ON DATABASE waymark TO waymark_owner;
GRANT CONNECT ON DATABASE waymark TO waymark_app;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO waymark_owner;
GRANT USAGE ON SCHEMA public TO waymark_app;
-- Of every table that a migration makes, now and in later releases.
ALTER DEFAULT PRIVILEGES FOR ROLE waymark_owner IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO waymark_app;
ALTER DEFAULT PRIVILEGES FOR ROLE waymark_owner IN SCHEMA public GRANT USAGE ON SEQUENCES TO waymark_app;
-- So that `waymark endpoint list` can name a transaction of another role that holds endpoints back.
GRANT pg_read_all_stats TO waymark_app;
