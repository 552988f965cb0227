-- The level of a set, and its ten smallest classes with their values.
-- $ sqldiag measure postgresql://localhost/clinic hospital --qi age,sex,zip --examples 10
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
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
), valued AS MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1
  FROM classes
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
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x6
FROM valued
UNION ALL
SELECT
  1 AS part,
  CAST(people AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6
FROM (
  SELECT
    people
  FROM valued
  ORDER BY
    raw1 NULLS FIRST,
    people DESC NULLS LAST
  LIMIT 1
) AS worst;

-- the 10 smallest classes of age, sex, zip
SELECT
  q1,
  q2,
  q3,
  people,
  n
FROM (
  SELECT
    q1,
    q2,
    q3,
    COUNT(*) AS people,
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
  ORDER BY
    people NULLS FIRST,
    n NULLS FIRST,
    q1,
    q2,
    q3
  LIMIT 10
) AS smallest
ORDER BY
  people NULLS FIRST,
  n NULLS FIRST,
  smallest.q1,
  smallest.q2,
  smallest.q3;
