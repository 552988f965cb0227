-- A job that checks k-anonymity.
-- Written by `make sql`; nothing reads it at run time.

BEGIN;

DO $sqldiag$
BEGIN
IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'sqldiag') THEN
CREATE SCHEMA "sqldiag";
END IF;
END
$sqldiag$;

DO $sqldiag$
BEGIN
IF to_regclass('"sqldiag".history_version') IS NULL THEN
CREATE TABLE "sqldiag".history_version (version INTEGER NOT NULL, since TIMESTAMP NOT NULL);
CREATE TABLE "sqldiag".results (
  run TEXT NOT NULL,
  name TEXT NOT NULL,
  taken_at TIMESTAMP NOT NULL,
  origin TEXT NOT NULL,
  policy TEXT NOT NULL,
  policy_hash TEXT NOT NULL,
  tool_version TEXT NOT NULL,
  connection TEXT NOT NULL,
  relation TEXT NOT NULL,
  engine TEXT,
  question TEXT NOT NULL,
  severity TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  quasi_identifiers TEXT,
  suppress DOUBLE PRECISION,
  row_count BIGINT,
  entity_count BIGINT,
  null_rows BIGINT,
  class_count BIGINT,
  singletons BIGINT,
  holds BOOLEAN,
  rows_to_suppress BIGINT,
  suppression_needed DOUBLE PRECISION,
  remaining_rows BIGINT,
  statements INTEGER,
  base_scans INTEGER,
  seconds DOUBLE PRECISION,
  PRIMARY KEY (run, name)
);
CREATE TABLE "sqldiag".verdicts (
  run TEXT NOT NULL,
  name TEXT NOT NULL,
  position INTEGER NOT NULL,
  requirement TEXT NOT NULL,
  measure TEXT NOT NULL,
  value DOUBLE PRECISION NOT NULL,
  value_suppressed DOUBLE PRECISION,
  holds BOOLEAN NOT NULL,
  rows_to_suppress BIGINT NOT NULL,
  suppression_needed DOUBLE PRECISION NOT NULL,
  remaining_rows BIGINT NOT NULL,
  PRIMARY KEY (run, name, position)
);
INSERT INTO "sqldiag".history_version VALUES (1, now() AT TIME ZONE 'UTC');
END IF;
END
$sqldiag$;

DROP FUNCTION IF EXISTS "sqldiag".check_hospital();

CREATE OR REPLACE FUNCTION "sqldiag".check_hospital()
RETURNS TABLE (part INTEGER, x1 DOUBLE PRECISION, x2 DOUBLE PRECISION, x3 DOUBLE PRECISION, x4 DOUBLE PRECISION, x5 DOUBLE PRECISION, x6 DOUBLE PRECISION, x7 DOUBLE PRECISION)
LANGUAGE sql STABLE SECURITY INVOKER
SET search_path = pg_catalog, "public", pg_temp
SET standard_conforming_strings = on
SET work_mem = '64MB'
SET jit = off
AS $sqldiag$
WITH facts AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3
    FROM "public"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3
), crowds AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    n,
    n AS c
  FROM facts
), classes AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    n,
    c AS people
  FROM crowds
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1
  FROM classes
), rated AS NOT MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS miss0
  FROM valued
)
SELECT
  0 AS part,
  CAST(COUNT(*) AS DOUBLE PRECISION) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE PRECISION) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE PRECISION) AS x3,
  CAST(SUM(n) AS DOUBLE PRECISION) AS x4,
  CAST(SUM(CAST(n AS DOUBLE PRECISION) * (
    n - 1
  )) AS DOUBLE PRECISION) AS x5,
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x6,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0), 0) AS DOUBLE PRECISION) AS x7
FROM rated
$sqldiag$;

CREATE OR REPLACE FUNCTION "sqldiag".run_hospital()
RETURNS TEXT
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path = pg_catalog, "public", pg_temp
SET standard_conforming_strings = on
AS $sqldiag$
DECLARE
  run_id TEXT := replace(gen_random_uuid()::text, '-', '');
  started TIMESTAMP WITH TIME ZONE := clock_timestamp();
  verdict TEXT;
BEGIN
  WITH lines AS MATERIALIZED (
    SELECT * FROM "sqldiag".check_hospital()
  ), found AS (
    SELECT
      CAST(MAX(x4) FILTER (WHERE part = 0) AS BIGINT) AS rows,
      CAST(MAX(x1) FILTER (WHERE part = 0) AS BIGINT) AS classes,
      CAST(MAX(x2) FILTER (WHERE part = 0) AS BIGINT) AS singletons,
      CAST(MAX(x3) FILTER (WHERE part = 0) AS BIGINT) AS null_rows,
      CAST(NULL AS BIGINT) AS entities,
      CAST(MAX(x7) FILTER (WHERE part = 0) AS BIGINT) AS need0,
      MAX(x6) FILTER (WHERE part = 0) AS value0,
      CAST(NULL AS DOUBLE PRECISION) AS level0,
      CAST(MAX(x7) FILTER (WHERE part = 0) AS BIGINT) AS need
    FROM lines
  ), judged AS (
    SELECT *, CAST(div(CAST(rows AS NUMERIC) * 0, 1) AS BIGINT) AS allowed FROM found
  ), result AS (
    INSERT INTO "sqldiag".results
      (run, name, taken_at, origin, policy, policy_hash, tool_version, connection, relation, engine, question, severity, status, error, quasi_identifiers, suppress, row_count, entity_count, null_rows, class_count, singletons, holds, rows_to_suppress, suppression_needed, remaining_rows, statements, base_scans, seconds)
    SELECT
      run_id,
      'hospital',
      started AT TIME ZONE 'UTC',
      'job',
      'clinic',
      '0123456789abcdef',
      '0',
      'prod',
      'hospital',
      'postgres',
      '97d8d0d6f1761edf',
      'fail',
      CASE WHEN rows IS NULL THEN 'error' WHEN need <= allowed THEN 'holds' ELSE 'fails' END,
      CASE WHEN rows IS NULL THEN 'hospital has no rows: nothing to diagnose' END,
      '["age", "sex", "zip"]',
      CAST(NULL AS DOUBLE PRECISION),
      rows,
      entities,
      null_rows,
      classes,
      singletons,
      need <= allowed,
      need,
      CAST(need AS DOUBLE PRECISION) / rows,
      rows - need,
      1,
      1,
      CAST(EXTRACT(EPOCH FROM clock_timestamp() - started) AS DOUBLE PRECISION)
    FROM judged
    RETURNING status
  ), verdicts AS (
    INSERT INTO "sqldiag".verdicts
      (run, name, position, requirement, measure, value, value_suppressed, holds, rows_to_suppress, suppression_needed, remaining_rows)
    SELECT
      run_id,
      'hospital',
      0,
      'k >= 5',
      'k',
      value0,
      level0,
      need0 <= allowed,
      need0,
      CAST(need0 AS DOUBLE PRECISION) / rows,
      rows - need0
    FROM judged
    WHERE rows IS NOT NULL
  )
  SELECT status INTO verdict FROM result;
  RETURN verdict;
EXCEPTION WHEN QUERY_CANCELED OR OTHERS THEN
  INSERT INTO "sqldiag".results
    (run, name, taken_at, origin, policy, policy_hash, tool_version, connection, relation, engine, question, severity, status, error, quasi_identifiers, suppress, row_count, entity_count, null_rows, class_count, singletons, holds, rows_to_suppress, suppression_needed, remaining_rows, statements, base_scans, seconds)
  SELECT
    run_id,
    'hospital',
    started AT TIME ZONE 'UTC',
    'job',
    'clinic',
    '0123456789abcdef',
    '0',
    'prod',
    'hospital',
    'postgres',
    '97d8d0d6f1761edf',
    'fail',
    'error',
    'the check failed in the database: error ' || SQLSTATE,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    CAST(EXTRACT(EPOCH FROM clock_timestamp() - started) AS DOUBLE PRECISION);
  RETURN 'error';
END
$sqldiag$;

COMMENT ON FUNCTION "sqldiag".check_hospital() IS 'sqldiag: the statement behind hospital';

COMMENT ON FUNCTION "sqldiag".run_hospital() IS 'sqldiag {"job": "hospital", "policy": "clinic", "connection": "prod", "policy_hash": "0123456789abcdef", "schedule": "0 3 * * *", "cron": "sqldiag clinic: hospital", "fingerprint": "06cb4401393f188b"}';

DO $sqldiag$
BEGIN
IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_cron') THEN
PERFORM cron.schedule('sqldiag clinic: hospital', '0 3 * * *', 'SELECT "sqldiag".run_hospital()');
ELSE
RAISE NOTICE 'pg_cron is not in this database: nothing is scheduled';
END IF;
END
$sqldiag$;

COMMIT;
