-- For every value that a class has, the share of rows to suppress.
-- $ sqldiag measure hospital.duckdb hospital --qi age,sex --measure k --measure "entropy_l(diagnosis)" --curve
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex
WITH facts AS NOT MATERIALIZED (
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
    FROM "main"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    s1
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s1 AS v,
    n,
    c
  FROM counted_s1
), classes AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    CAST(SUM(c) AS BIGINT) AS a1,
    SUM(c * LN(CAST(c AS DOUBLE))) AS a2
  FROM cells_s1
  GROUP BY
    q1,
    q2
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL AS has_null,
    people AS raw1,
    CASE WHEN a1 > 0 THEN EXP(LN(CAST(a1 AS DOUBLE)) - a2 / a1) ELSE 0 END AS raw2
  FROM classes
), rounded AS MATERIALIZED (
  SELECT
    *,
    raw1 AS v1,
    CASE
      WHEN raw2 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw2 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw2 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw2) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw2) / LN(CAST(10 AS DOUBLE))))
      ELSE raw2
    END AS v2
  FROM valued
)
SELECT
  0 AS part,
  CAST(COUNT(*) AS DOUBLE) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE) AS x3,
  CAST(SUM(n) AS DOUBLE) AS x4,
  CAST(SUM(CAST(n AS DOUBLE) * (
    n - 1
  )) AS DOUBLE) AS x5,
  CAST(MIN(v1) AS DOUBLE) AS x6,
  CAST(MIN(v2) AS DOUBLE) AS x7
FROM rounded
UNION ALL
SELECT
  1 AS part,
  CAST(v1 AS DOUBLE) AS x1,
  CAST(COUNT(*) AS DOUBLE) AS x2,
  CAST(SUM(n) AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7
FROM rounded
GROUP BY
  v1
UNION ALL
SELECT
  2 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7
FROM (
  SELECT
    people
  FROM rounded
  ORDER BY
    v1 NULLS FIRST,
    people DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  3 AS part,
  CAST(v2 AS DOUBLE) AS x1,
  CAST(COUNT(*) AS DOUBLE) AS x2,
  CAST(SUM(n) AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7
FROM rounded
GROUP BY
  v2
UNION ALL
SELECT
  4 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a1 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7
FROM (
  SELECT
    people,
    a1
  FROM rounded
  ORDER BY
    v2 NULLS FIRST,
    people DESC,
    a1 DESC
  LIMIT 1
) AS worst;
