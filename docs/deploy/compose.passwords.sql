-- The passwords of the roles of roles.sql, for docker-compose.yml: read by psql from its environment, and never shown.
\getenv owner_password POSTGRES_PASSWORD
\getenv app_password WAYMARK_PASSWORD
ALTER ROLE waymark_owner PASSWORD :'owner_password';
ALTER ROLE waymark_app PASSWORD :'app_password';
