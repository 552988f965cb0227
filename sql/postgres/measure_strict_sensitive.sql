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
), groups AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    q1,
    q2
), crowds AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    n,
    n AS c
  FROM groups
), classes AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    n,
    c AS people
  FROM crowds
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL AS has_null,
    people AS raw1
  FROM classes
), rated AS MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS miss0
  FROM valued
), counted_s1_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s2,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s2,
    s1 AS v,
    n,
    c
  FROM counted_s1_s1
), s1_classes AS NOT MATERIALIZED (
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
), s1_valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL AS has_null,
    a1 AS raw1
  FROM s1_classes
), s1_rated AS MATERIALIZED (
  SELECT
    *,
    (
      a1
    ) * 1 < (
      1
    ) * 2 AS miss1
  FROM s1_valued
), counted_s2_s2 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    s2,
    n,
    n AS c
  FROM facts
), cells_s2_s2 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    s1,
    s2 AS v,
    n,
    c
  FROM counted_s2_s2
), s2_classes AS NOT MATERIALIZED (
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
), s2_valued AS MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL AS has_null,
    a1 AS raw1
  FROM s2_classes
), told_joint AS NOT MATERIALIZED (
  SELECT
    n,
    MAX(miss0) OVER (PARTITION BY q1, q2) AS miss0,
    MAX(miss1) OVER (PARTITION BY q1, q2, s2) AS miss1
  FROM (
    SELECT
      q1,
      q2,
      s1,
      s2,
      n,
      0 AS miss0,
      0 AS miss1
    FROM facts
    UNION ALL
    SELECT
      q1,
      q2,
      NULL AS s1,
      NULL AS s2,
      0 AS n,
      CASE WHEN miss0 THEN 1 ELSE 0 END AS miss0,
      0 AS miss1
    FROM rated
    UNION ALL
    SELECT
      q1,
      q2,
      NULL AS s1,
      s2,
      0 AS n,
      0 AS miss0,
      CASE WHEN miss1 THEN 1 ELSE 0 END AS miss1
    FROM s1_rated
  ) AS handed
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
UNION ALL
SELECT
  1 AS part,
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x1,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss1), 0) AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM s1_rated
UNION ALL
SELECT
  2 AS part,
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM s2_valued
UNION ALL
SELECT
  3 AS part,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0 > 0 OR miss1 > 0), 0) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM told_joint
UNION ALL
SELECT
  4 AS part,
  CAST(people AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM (
  SELECT
    people
  FROM rated
  ORDER BY
    raw1 NULLS FIRST,
    people DESC NULLS LAST
  LIMIT 1
) AS worst
UNION ALL
SELECT
  5 AS part,
  CAST(people AS DOUBLE PRECISION) AS x1,
  CAST(a1 AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM (
  SELECT
    people,
    a1
  FROM s1_rated
  ORDER BY
    raw1 NULLS FIRST,
    people DESC NULLS LAST,
    a1 DESC NULLS LAST
  LIMIT 1
) AS worst
UNION ALL
SELECT
  6 AS part,
  CAST(people AS DOUBLE PRECISION) AS x1,
  CAST(a1 AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM (
  SELECT
    people,
    a1
  FROM s2_valued
  ORDER BY
    raw1 NULLS FIRST,
    people DESC NULLS LAST,
    a1 DESC NULLS LAST
  LIMIT 1
) AS worst;
