-- The part of Citus that Waymark calls, on one plain PostgreSQL. Where Citus refuses a table, so does this, with the same
-- words as far as they are known. Rows stay where they are.
SET allow_system_table_mods = on;

INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
SELECT 2000000001, 'citus', oid, 'pg_catalog'::regnamespace, false, 'rehearsed' FROM pg_roles WHERE rolname = current_user;

CREATE TABLE pg_catalog.pg_dist_node (nodename text, nodeport int, shouldhaveshards boolean, PRIMARY KEY (nodename, nodeport));
CREATE TABLE pg_catalog.pg_dist_colocation (colocationid int PRIMARY KEY, shardcount int NOT NULL, keytype regtype NOT NULL);
-- partmethod: h for tables that are spread by a hash, n for those that are whole on each server.
CREATE TABLE pg_catalog.pg_dist_partition (
  logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, partkey text, colocationid int, repmodel "char" NOT NULL
);
GRANT SELECT ON pg_catalog.pg_dist_node, pg_catalog.pg_dist_colocation, pg_catalog.pg_dist_partition TO PUBLIC;

RESET allow_system_table_mods;

CREATE FUNCTION citus_set_coordinator_host(host text, port int DEFAULT 5432) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pg_dist_node VALUES (host, port, false) ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION citus_add_node(nodename text, nodeport int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO pg_dist_node VALUES (nodename, nodeport, true)
$$;

CREATE FUNCTION citus_set_node_property(host text, port int, property text, value boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF property <> 'shouldhaveshards' THEN RAISE 'only the ''shouldhaveshards'' property can be set using this function'; END IF;
  UPDATE pg_dist_node SET shouldhaveshards = value WHERE nodename = host AND nodeport = port;
  IF NOT FOUND THEN RAISE 'node at "%:%" does not exist', host, port; END IF;
END $$;

CREATE FUNCTION citus_refuse_again(relation regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = relation) THEN
    RAISE 'table "%" is already distributed', relation USING ERRCODE = 'invalid_table_definition';
  END IF;
END $$;

CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE other regclass;
BEGIN
  PERFORM citus_refuse_again(table_name);
  IF NOT EXISTS (SELECT FROM pg_dist_node) THEN RAISE 'no worker nodes are available for placing shards'; END IF;
  SELECT confrelid INTO other FROM pg_constraint
    WHERE contype = 'f' AND conrelid = table_name AND confrelid <> table_name
      AND confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'n');
  IF other IS NOT NULL THEN
    RAISE 'referenced table "%" must be a distributed table or a reference table', other USING ERRCODE = 'invalid_table_definition';
  END IF;
  INSERT INTO pg_dist_partition VALUES (table_name, 'n', NULL, 0, 't');
END $$;

CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text DEFAULT 'default')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  key pg_attribute;
  beside pg_dist_colocation;
  found text;
BEGIN
  PERFORM citus_refuse_again(table_name);
  IF NOT EXISTS (SELECT FROM pg_dist_node WHERE shouldhaveshards) THEN RAISE 'couldn''t find any worker nodes'; END IF;
  SELECT * INTO key FROM pg_attribute WHERE attrelid = table_name AND attname = distribution_column AND NOT attisdropped;
  IF key IS NULL THEN
    RAISE 'column "%" of relation "%" does not exist', distribution_column, table_name USING ERRCODE = 'undefined_column';
  END IF;

  SELECT indexrelid::regclass INTO found FROM pg_index WHERE indrelid = table_name AND indisunique AND NOT (key.attnum = ANY (indkey));
  IF found IS NOT NULL THEN
    RAISE 'cannot create constraint on "%"', table_name
      USING ERRCODE = 'invalid_table_definition', DETAIL = 'The unique index ' || found || ' does not contain ' || distribution_column;
  END IF;
  SELECT tgname INTO found FROM pg_trigger WHERE tgrelid = table_name AND NOT tgisinternal;
  IF found IS NOT NULL THEN
    RAISE 'cannot distribute relation "%" because it has triggers', table_name USING ERRCODE = 'feature_not_supported';
  END IF;
  SELECT attname INTO found FROM pg_attribute WHERE attrelid = table_name AND attidentity <> '';
  IF found IS NOT NULL THEN
    RAISE 'cannot distribute "%" with the identity column "%"', table_name, found USING ERRCODE = 'feature_not_supported';
  END IF;
  SELECT conname INTO found FROM pg_constraint WHERE contype = 'f' AND (conrelid = table_name OR confrelid = table_name);
  IF found IS NOT NULL THEN
    RAISE 'cannot create foreign key constraint "%"', found USING ERRCODE = 'feature_not_supported';
  END IF;

  IF colocate_with = 'none' THEN
    INSERT INTO pg_dist_colocation
      SELECT coalesce(max(colocationid), 0) + 1, coalesce(nullif(current_setting('citus.shard_count', true), '')::int, 32), key.atttypid
      FROM pg_dist_colocation
      RETURNING * INTO beside;
  ELSE
    SELECT c.* INTO beside FROM pg_dist_colocation c JOIN pg_dist_partition p USING (colocationid)
      WHERE p.logicalrelid = colocate_with::regclass AND p.partmethod = 'h';
    IF beside IS NULL THEN RAISE 'relation % is not distributed', colocate_with USING ERRCODE = 'wrong_object_type'; END IF;
    IF beside.keytype <> key.atttypid THEN
      RAISE 'cannot colocate tables % and %', colocate_with, table_name USING DETAIL = 'Distribution column types don''t match';
    END IF;
  END IF;
  INSERT INTO pg_dist_partition VALUES (table_name, 'h', distribution_column, beside.colocationid, 's');
END $$;

CREATE FUNCTION truncate_local_data_after_distributing_table(function_name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = function_name) THEN
    RAISE 'supplied parameter is not a distributed relation' USING ERRCODE = 'wrong_object_type';
  END IF;
END $$;
