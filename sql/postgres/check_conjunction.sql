-- Several requirements at once: a class is missed when it misses any of them.
-- $ sqldiag check postgresql://localhost/clinic hospital --qi age,sex,zip --require "k >= 5" --require "distinct_l(diagnosis) >= 3" --require "alpha(diagnosis, 'HIV') <= 0.4" --suppress 1%
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
WITH facts AS NOT MATERIALIZED (
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
    FROM "public"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    s1
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
), classes AS NOT MATERIALIZED (
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
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1,
    a1 AS raw2,
    CAST(a2 AS DOUBLE PRECISION) / (
      GREATEST(people, 1)
    ) AS raw3
  FROM classes
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
    (
      a2
    ) * 5 > (
      GREATEST(people, 1)
    ) * 2 AS miss2
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
  CAST(MIN(raw2) AS DOUBLE PRECISION) AS x7,
  CAST(MAX(raw3) AS DOUBLE PRECISION) AS x8,
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
        THEN raw1
      END
    ),
    MAX(raw1)
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
    raw1,
    SUM(SUM(n)) OVER (ORDER BY raw1 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    raw1
) AS reached
UNION ALL
SELECT
  3 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN raw2
      END
    ),
    MAX(raw2)
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
    raw2,
    SUM(SUM(n)) OVER (ORDER BY raw2 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    raw2
) AS reached
UNION ALL
SELECT
  4 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN raw3
      END
    ),
    MIN(raw3)
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
    raw3,
    SUM(SUM(n)) OVER (ORDER BY raw3 DESC NULLS LAST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rated
  GROUP BY
    raw3
) AS reached;
