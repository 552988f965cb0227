-- The level of a set, and its ten smallest classes with their values.
-- $ sqldiag measure postgresql://localhost/clinic hospital --qi age,sex,zip --examples 10
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
SELECT
  CAST(n AS DOUBLE PRECISION) AS value,
  COUNT(*) AS c1,
  CAST(SUM(n) AS BIGINT) AS c2,
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL THEN n ELSE 0 END) AS BIGINT) AS c3,
  COUNT(CASE WHEN n = 1 THEN 1 END) AS c4,
  CAST(SUM(n * (
    n - 1
  )) AS DECIMAL(38, 0)) AS c5,
  0 AS part
FROM (
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
) AS classes
GROUP BY
  n;

-- the 10 smallest classes of age, sex, zip
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
  q1 NULLS FIRST,
  q2 NULLS FIRST,
  q3 NULLS FIRST
LIMIT 10;
