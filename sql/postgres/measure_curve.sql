-- For every value that a class has, the share of rows to suppress.
-- $ sqldiag measure postgresql://localhost/clinic hospital --qi age,sex --measure k --measure "entropy_l(diagnosis)" --curve
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "diagnosis" AS s1
    FROM "public"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    s1
), counted_s1 AS (
  SELECT
    q1,
    q2,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS (
  SELECT
    q1,
    q2,
    s1 AS v,
    n,
    c
  FROM counted_s1
), classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    CAST(SUM(c) AS BIGINT) AS a1,
    SUM(c * LN(CAST(c AS DOUBLE PRECISION))) AS a2
  FROM cells_s1
  GROUP BY
    q1,
    q2
), valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL THEN n ELSE 0 END AS null_rows,
    CASE
      WHEN a1 > 0
      THEN EXP(LN(CAST(a1 AS DOUBLE PRECISION)) - CAST(a2 AS DOUBLE PRECISION) / a1)
      ELSE 0
    END AS raw1
  FROM classes
), rounded AS (
  SELECT
    *,
    CASE
      WHEN raw1 < 1e-12
      THEN CAST(0 AS DOUBLE PRECISION)
      WHEN raw1 < CAST('Infinity' AS DOUBLE PRECISION)
      THEN CAST(ROUND(
        raw1 * POWER(
          CAST(10 AS DOUBLE PRECISION),
          11 - FLOOR(CAST(LN(raw1) AS DOUBLE PRECISION) / LN(CAST(10 AS DOUBLE PRECISION)))
        )
      ) AS DOUBLE PRECISION) / POWER(
        CAST(10 AS DOUBLE PRECISION),
        11 - FLOOR(CAST(LN(raw1) AS DOUBLE PRECISION) / LN(CAST(10 AS DOUBLE PRECISION)))
      )
      ELSE raw1
    END AS v1
  FROM valued
), rated AS MATERIALIZED (
  SELECT
    *,
    people AS d1_0,
    a1 AS d1_1
  FROM rounded
)
SELECT
  CAST(people AS DOUBLE PRECISION) AS value,
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
  CAST(v1 AS DOUBLE PRECISION) AS value,
  COUNT(*) AS c1,
  CAST(SUM(n) AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  1 AS part
FROM rated
GROUP BY
  v1
UNION ALL
SELECT
  *,
  2 AS part
FROM (
  SELECT
    CAST(v1 AS DOUBLE PRECISION) AS value,
    d1_0 AS c1,
    d1_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v1 NULLS FIRST,
    n DESC NULLS LAST
  LIMIT 1
) AS example;
