-- Several requirements of a part of the table, crowds of patients, some rows suppressed.
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
RETURNS TABLE (part INTEGER, x1 DOUBLE PRECISION, x2 DOUBLE PRECISION, x3 DOUBLE PRECISION, x4 DOUBLE PRECISION, x5 DOUBLE PRECISION, x6 DOUBLE PRECISION, x7 DOUBLE PRECISION, x8 DOUBLE PRECISION, x9 DOUBLE PRECISION, x10 DOUBLE PRECISION, x11 DOUBLE PRECISION)
LANGUAGE sql STABLE SECURITY INVOKER
SET search_path = pg_catalog, "public", pg_temp
SET standard_conforming_strings = on
SET work_mem = '64MB'
SET jit = off
AS $sqldiag$
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    e,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3,
      "diagnosis" AS s1,
      "patient_id" AS e
    FROM (
      SELECT
        "age",
        "sex",
        "zip",
        "diagnosis",
        "patient_id"
      FROM "public"."hospital"
      WHERE
        ward <> 'Obstetrics'
    ) AS matching
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    s1,
    e
), whole_s1_e AS NOT MATERIALIZED (
  SELECT
    s1,
    e,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    s1,
    e
), ranked_s1 AS NOT MATERIALIZED (
  SELECT
    s1 AS v,
    c AS t,
    ROW_NUMBER() OVER (ORDER BY s1) AS code,
    CAST(SUM(c) OVER () AS BIGINT) AS total,
    COUNT(*) OVER () AS domain,
    CAST(SUM(c) OVER (ORDER BY s1) AS BIGINT) AS reach
  FROM (
    SELECT
      s1,
      CAST(SUM(n) AS BIGINT) AS n,
      COUNT(e) AS c
    FROM whole_s1_e
    GROUP BY
      s1
  ) AS counted
  WHERE
    c > 0
), histogram_s1 AS MATERIALIZED (
  SELECT
    *,
    CAST(SUM(reach) OVER (ORDER BY code NULLS FIRST) AS BIGINT) AS area
  FROM ranked_s1
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM facts
  GROUP BY
    q1,
    q2,
    q3,
    s1
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
  WHERE
    c > 0
), joined_s1 AS NOT MATERIALIZED (
  SELECT
    cell.*,
    COALESCE(
      known.t,
      (
        SELECT
          t
        FROM histogram_s1
        WHERE
          v IS NOT DISTINCT FROM NULL
      )
    ) AS t,
    COALESCE(
      known.code,
      (
        SELECT
          code
        FROM histogram_s1
        WHERE
          v IS NOT DISTINCT FROM NULL
      )
    ) AS code,
    CAST(SUM(cell.c) OVER (PARTITION BY cell.q1, cell.q2, cell.q3) AS BIGINT) AS size
  FROM cells_s1 AS cell
  LEFT JOIN histogram_s1 AS known
    ON cell.v = known.v
), shares_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    CAST(c AS DOUBLE PRECISION) / size AS p,
    CAST(t AS DOUBLE PRECISION) / (
      SELECT
        MAX(total)
      FROM histogram_s1
    ) AS q
  FROM joined_s1
), groups_e AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    e,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    q1,
    q2,
    q3,
    e
), crowds AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM groups_e
  GROUP BY
    q1,
    q2,
    q3
), branches AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    n,
    c AS people,
    CAST(NULL AS BIGINT) AS a1,
    CAST(NULL AS BIGINT) AS a2,
    CAST(NULL AS DOUBLE PRECISION) AS a3,
    CAST(NULL AS BIGINT) AS a4
  FROM crowds
  UNION ALL
  SELECT
    q1,
    q2,
    q3,
    CAST(NULL AS BIGINT) AS n,
    CAST(NULL AS BIGINT) AS people,
    COUNT(*) AS a1,
    CAST(SUM(c) AS BIGINT) AS a2,
    SUM(ABS(p - q)) AS a3,
    CAST(SUM(t) AS BIGINT) AS a4
  FROM shares_s1
  GROUP BY
    q1,
    q2,
    q3
), classes AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    MAX(n) AS n,
    MAX(people) AS people,
    COALESCE(MAX(a1), 0) AS a1,
    COALESCE(MAX(a2), 0) AS a2,
    COALESCE(MAX(a3), 0) AS a3,
    COALESCE(MAX(a4), 0) AS a4
  FROM branches
  GROUP BY
    q1,
    q2,
    q3
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1,
    a1 AS raw2,
    CASE
      WHEN a2 > 0
      THEN CAST((
        a3 + (
          (
            SELECT
              MAX(total)
            FROM histogram_s1
          ) - a4
        ) / CAST((
          SELECT
            MAX(total)
          FROM histogram_s1
        ) AS DOUBLE PRECISION)
      ) AS DOUBLE PRECISION) / 2
      ELSE 0
    END AS raw3
  FROM classes
), rounded AS NOT MATERIALIZED (
  SELECT
    *,
    raw1 AS v1,
    raw2 AS v2,
    CASE
      WHEN raw3 < 1e-12
      THEN CAST(0 AS DOUBLE PRECISION)
      WHEN raw3 < CAST('Infinity' AS DOUBLE PRECISION)
      THEN CAST(ROUND(
        raw3 * POWER(
          CAST(10 AS DOUBLE PRECISION),
          11 - FLOOR(CAST(LN(raw3) AS DOUBLE PRECISION) / LN(CAST(10 AS DOUBLE PRECISION)))
        )
      ) AS DOUBLE PRECISION) / POWER(
        CAST(10 AS DOUBLE PRECISION),
        11 - FLOOR(CAST(LN(raw3) AS DOUBLE PRECISION) / LN(CAST(10 AS DOUBLE PRECISION)))
      )
      ELSE raw3
    END AS v3
  FROM valued
), rated AS MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS miss0,
    (
      a1
    ) * 1 < (
      1
    ) * 3 AS miss1,
    v3 > CAST('0.4000000004' AS DOUBLE PRECISION) AS miss2
  FROM rounded
), whole_e AS NOT MATERIALIZED (
  SELECT
    e,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    e
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
  CAST(MIN(v1) AS DOUBLE PRECISION) AS x6,
  CAST(MIN(v2) AS DOUBLE PRECISION) AS x7,
  CAST(MAX(v3) AS DOUBLE PRECISION) AS x8,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0), 0) AS DOUBLE PRECISION) AS x9,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss1), 0) AS DOUBLE PRECISION) AS x10,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss2), 0) AS DOUBLE PRECISION) AS x11
FROM rated
UNION ALL
SELECT
  1 AS part,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0 OR miss1 OR miss2), 0) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7,
  CAST(NULL AS DOUBLE PRECISION) AS x8,
  CAST(NULL AS DOUBLE PRECISION) AS x9,
  CAST(NULL AS DOUBLE PRECISION) AS x10,
  CAST(NULL AS DOUBLE PRECISION) AS x11
FROM rated
UNION ALL
SELECT
  2 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v1
      END
    ),
    MAX(v1)
  ) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7,
  CAST(NULL AS DOUBLE PRECISION) AS x8,
  CAST(NULL AS DOUBLE PRECISION) AS x9,
  CAST(NULL AS DOUBLE PRECISION) AS x10,
  CAST(NULL AS DOUBLE PRECISION) AS x11
FROM (
  SELECT
    v1,
    SUM(SUM(n)) OVER (ORDER BY v1 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    v1
) AS reached
UNION ALL
SELECT
  3 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v2
      END
    ),
    MAX(v2)
  ) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7,
  CAST(NULL AS DOUBLE PRECISION) AS x8,
  CAST(NULL AS DOUBLE PRECISION) AS x9,
  CAST(NULL AS DOUBLE PRECISION) AS x10,
  CAST(NULL AS DOUBLE PRECISION) AS x11
FROM (
  SELECT
    v2,
    SUM(SUM(n)) OVER (ORDER BY v2 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    v2
) AS reached
UNION ALL
SELECT
  4 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v3
      END
    ),
    MIN(v3)
  ) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7,
  CAST(NULL AS DOUBLE PRECISION) AS x8,
  CAST(NULL AS DOUBLE PRECISION) AS x9,
  CAST(NULL AS DOUBLE PRECISION) AS x10,
  CAST(NULL AS DOUBLE PRECISION) AS x11
FROM (
  SELECT
    v3,
    SUM(SUM(n)) OVER (ORDER BY v3 DESC NULLS LAST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    v3
) AS reached
UNION ALL
SELECT
  5 AS part,
  CAST(COUNT(e) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7,
  CAST(NULL AS DOUBLE PRECISION) AS x8,
  CAST(NULL AS DOUBLE PRECISION) AS x9,
  CAST(NULL AS DOUBLE PRECISION) AS x10,
  CAST(NULL AS DOUBLE PRECISION) AS x11
FROM whole_e
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
      CAST(MAX(x1) FILTER (WHERE part = 5) AS BIGINT) AS entities,
      CAST(MAX(x9) FILTER (WHERE part = 0) AS BIGINT) AS need0,
      MAX(x6) FILTER (WHERE part = 0) AS value0,
      MAX(x1) FILTER (WHERE part = 2) AS level0,
      CAST(MAX(x10) FILTER (WHERE part = 0) AS BIGINT) AS need1,
      MAX(x7) FILTER (WHERE part = 0) AS value1,
      MAX(x1) FILTER (WHERE part = 3) AS level1,
      CAST(MAX(x11) FILTER (WHERE part = 0) AS BIGINT) AS need2,
      MAX(x8) FILTER (WHERE part = 0) AS value2,
      MAX(x1) FILTER (WHERE part = 4) AS level2,
      CAST(MAX(x1) FILTER (WHERE part = 1) AS BIGINT) AS need
    FROM lines
  ), judged AS (
    SELECT *, CAST(div(CAST(rows AS NUMERIC) * 1, 100) AS BIGINT) AS allowed FROM found
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
      '05cc29636c26ce26',
      'warn',
      CASE WHEN rows IS NULL THEN 'error' WHEN need <= allowed THEN 'holds' ELSE 'warns' END,
      CASE WHEN rows IS NULL THEN 'hospital has no rows: nothing to diagnose' END,
      '["age", "sex", "zip"]',
      CAST('0.01' AS DOUBLE PRECISION),
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
    UNION ALL
    SELECT
      run_id,
      'hospital',
      1,
      'distinct_l(diagnosis) >= 3',
      'distinct_l(diagnosis)',
      value1,
      level1,
      need1 <= allowed,
      need1,
      CAST(need1 AS DOUBLE PRECISION) / rows,
      rows - need1
    FROM judged
    WHERE rows IS NOT NULL
    UNION ALL
    SELECT
      run_id,
      'hospital',
      2,
      't_closeness(diagnosis) <= 0.4',
      't_closeness(diagnosis)',
      value2,
      level2,
      need2 <= allowed,
      need2,
      CAST(need2 AS DOUBLE PRECISION) / rows,
      rows - need2
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
    '05cc29636c26ce26',
    'warn',
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

COMMENT ON FUNCTION "sqldiag".run_hospital() IS 'sqldiag {"job": "hospital", "policy": "clinic", "connection": "prod", "policy_hash": "0123456789abcdef", "schedule": "0 3 * * *", "cron": "sqldiag clinic: hospital", "fingerprint": "d9129ae648c9f0b3"}';

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
