-- Several requirements at once: a class is missed when it misses any of them.
-- $ sqldiag check hospital.duckdb hospital --qi age,sex,zip --require "k >= 5" --require "distinct_l(diagnosis) >= 3" --require "alpha(diagnosis, 'HIV') <= 0.4" --suppress 1%
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3,
      "diagnosis" AS s1
    FROM "main"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    s1
), counted_s1 AS (
  SELECT
    q1,
    q2,
    q3,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS (
  SELECT
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
), classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    COUNT(*) AS a1,
    MAX(CASE WHEN v = 'HIV' THEN c ELSE 0 END) AS a2
  FROM cells_s1
  GROUP BY
    q1,
    q2,
    q3
), valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL THEN n ELSE 0 END AS null_rows,
    a1 AS raw1,
    CAST(a2 AS DOUBLE) / (
      GREATEST(people, 1)
    ) AS raw2
  FROM classes
), rounded AS (
  SELECT
    *,
    raw1 AS v1,
    raw2 AS v2
  FROM valued
), rated AS MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS m0,
    (
      a1
    ) * 1 < (
      1
    ) * 3 AS m1,
    (
      a2
    ) * 5 > (
      GREATEST(people, 1)
    ) * 2 AS m2,
    people AS d1_0,
    a1 AS d1_1,
    people AS d2_0,
    a2 AS d2_1
  FROM rounded
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
  CAST(MIN(v1) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  1 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v1
      END
    ),
    MAX(v1)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  2 AS part
FROM (
  SELECT
    v1,
    CAST(SUM(SUM(n)) OVER (ORDER BY v1 NULLS FIRST) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v1
) AS reached
UNION ALL
SELECT
  *,
  3 AS part
FROM (
  SELECT
    CAST(v1 AS DOUBLE) AS value,
    d1_0 AS c1,
    d1_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v1 NULLS FIRST,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v2) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  4 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v2
      END
    ),
    MIN(v2)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  5 AS part
FROM (
  SELECT
    v2,
    CAST(SUM(SUM(n)) OVER (ORDER BY v2 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v2
) AS reached
UNION ALL
SELECT
  *,
  6 AS part
FROM (
  SELECT
    CAST(v2 AS DOUBLE) AS value,
    d2_0 AS c1,
    d2_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v2 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(NULL AS DOUBLE) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  7 AS part
FROM rated
WHERE
  m0
UNION ALL
SELECT
  CAST(NULL AS DOUBLE) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  8 AS part
FROM rated
WHERE
  m1
UNION ALL
SELECT
  CAST(NULL AS DOUBLE) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  9 AS part
FROM rated
WHERE
  m2
UNION ALL
SELECT
  CAST(NULL AS DOUBLE) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  10 AS part
FROM rated
WHERE
  m0 OR m1 OR m2;
