-- The same for crowds of patients, who have several admissions each.
-- $ sqldiag check hospital.duckdb hospital --qi age,sex,zip --require "k >= 5" --entity patient_id
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    e,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3,
      "patient_id" AS e
    FROM "main"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    e
), crowds AS (
  SELECT
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM facts
  GROUP BY
    q1,
    q2,
    q3
), classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    n,
    c AS people
  FROM crowds
), valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL THEN n ELSE 0 END AS null_rows
  FROM classes
), rounded AS (
  SELECT
    *
  FROM valued
), rated AS MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS m0
  FROM rounded
), facts_e AS (
  SELECT
    e,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    e
)
SELECT
  CAST(people AS DOUBLE) AS value,
  COUNT(*) AS c1,
  CAST(SUM(n) AS BIGINT) AS c2,
  CAST(SUM(null_rows) AS BIGINT) AS c3,
  COUNT(CASE WHEN n = 1 THEN 1 END) AS c4,
  CAST(SUM(n * (
    n - 1
  )) AS DECIMAL(38, 0)) AS c5,
  0 AS part
FROM rated
GROUP BY
  people
UNION ALL
SELECT
  CAST(NULL AS DOUBLE) AS value,
  COUNT(e) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  1 AS part
FROM facts_e;
