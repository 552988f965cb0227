-- Two sensitive columns, where each joins the quasi-identifiers of the other.
-- $ sqldiag measure postgresql://localhost/clinic hospital --qi age,sex --measure "distinct_l(diagnosis)" --measure "distinct_l(ward)" --require "k >= 5" --require "distinct_l(diagnosis) >= 2" --sensitive diagnosis,ward --strict-sensitive
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    s2,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "diagnosis" AS s1,
      "ward" AS s2
    FROM "public"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    s1,
    s2
), facts_q1_q2 AS (
  SELECT
    q1,
    q2,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    q1,
    q2
), crowds AS (
  SELECT
    q1,
    q2,
    n,
    n AS c
  FROM facts_q1_q2
), classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    n,
    c AS people
  FROM crowds
), valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL THEN n ELSE 0 END AS null_rows
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
), facts_q1_q2_s2_s1 AS (
  SELECT
    q1,
    q2,
    s2,
    s1,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    q1,
    q2,
    s2,
    s1
), counted_s1_s1 AS (
  SELECT
    q1,
    q2,
    s2,
    s1,
    n,
    n AS c
  FROM facts_q1_q2_s2_s1
), cells_s1_s1 AS (
  SELECT
    q1,
    q2,
    s2,
    s1 AS v,
    n,
    c
  FROM counted_s1_s1
), s1_classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    s2,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    COUNT(*) AS a1
  FROM cells_s1_s1
  GROUP BY
    q1,
    q2,
    s2
), s1_valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL THEN n ELSE 0 END AS null_rows,
    a1 AS raw1
  FROM s1_classes
), s1_rounded AS (
  SELECT
    *,
    raw1 AS v1
  FROM s1_valued
), s1_rated AS MATERIALIZED (
  SELECT
    *,
    (
      a1
    ) * 1 < (
      1
    ) * 2 AS m1,
    people AS d1_0,
    a1 AS d1_1
  FROM s1_rounded
), counted_s2_s2 AS (
  SELECT
    q1,
    q2,
    s1,
    s2,
    n,
    n AS c
  FROM facts
), cells_s2_s2 AS (
  SELECT
    q1,
    q2,
    s1,
    s2 AS v,
    n,
    c
  FROM counted_s2_s2
), s2_classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    COUNT(*) AS a1
  FROM cells_s2_s2
  GROUP BY
    q1,
    q2,
    s1
), s2_valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL THEN n ELSE 0 END AS null_rows,
    a1 AS raw2
  FROM s2_classes
), s2_rounded AS (
  SELECT
    *,
    raw2 AS v2
  FROM s2_valued
), s2_rated AS MATERIALIZED (
  SELECT
    *,
    people AS d2_0,
    a1 AS d2_1
  FROM s2_rounded
), handed_down AS (
  SELECT
    q1,
    q2,
    s1,
    s2,
    n,
    0 AS m0,
    0 AS m1
  FROM facts
  UNION ALL
  SELECT
    q1,
    q2,
    NULL AS s1,
    NULL AS s2,
    0 AS n,
    CASE WHEN m0 THEN 1 ELSE 0 END AS m0,
    0 AS m1
  FROM rated
  UNION ALL
  SELECT
    q1,
    q2,
    NULL AS s1,
    s2,
    0 AS n,
    0 AS m0,
    CASE WHEN m1 THEN 1 ELSE 0 END AS m1
  FROM s1_rated
), told AS (
  SELECT
    n,
    MAX(m0) OVER (PARTITION BY q1, q2) AS m0,
    MAX(m1) OVER (PARTITION BY q1, q2, s2) AS m1
  FROM handed_down
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
  CAST(MIN(v1) AS DOUBLE PRECISION) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  1 AS part
FROM s1_rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 1 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM s1_rated
        ) AS DECIMAL(38, 0)) * 0
        THEN v1
      END
    ),
    MAX(v1)
  ) AS DOUBLE PRECISION) AS value,
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
  FROM s1_rated
  GROUP BY
    v1
) AS reached
UNION ALL
SELECT
  *,
  3 AS part
FROM (
  SELECT
    CAST(v1 AS DOUBLE PRECISION) AS value,
    d1_0 AS c1,
    d1_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM s1_rated
  ORDER BY
    v1 NULLS FIRST,
    n DESC NULLS LAST
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MIN(v2) AS DOUBLE PRECISION) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  4 AS part
FROM s2_rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 1 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM s2_rated
        ) AS DECIMAL(38, 0)) * 0
        THEN v2
      END
    ),
    MAX(v2)
  ) AS DOUBLE PRECISION) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  5 AS part
FROM (
  SELECT
    v2,
    CAST(SUM(SUM(n)) OVER (ORDER BY v2 NULLS FIRST) AS BIGINT) AS gone
  FROM s2_rated
  GROUP BY
    v2
) AS reached
UNION ALL
SELECT
  *,
  6 AS part
FROM (
  SELECT
    CAST(v2 AS DOUBLE PRECISION) AS value,
    d2_0 AS c1,
    d2_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM s2_rated
  ORDER BY
    v2 NULLS FIRST,
    n DESC NULLS LAST
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(NULL AS DOUBLE PRECISION) AS value,
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
  CAST(NULL AS DOUBLE PRECISION) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  8 AS part
FROM s1_rated
WHERE
  m1
UNION ALL
SELECT
  CAST(NULL AS DOUBLE PRECISION) AS value,
  COALESCE(CAST(SUM(n) AS BIGINT), 0) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  9 AS part
FROM told
WHERE
  m0 > 0 OR m1 > 0;
