-- Does everybody stand in a crowd of five?
-- $ sqldiag check hospital.duckdb hospital --qi age,sex,zip --require "k >= 5"
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
    FROM "main"."hospital"
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
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1
  FROM classes
), rated AS NOT MATERIALIZED (
  SELECT
    *,
    (
      people
    ) * 1 < (
      1
    ) * 5 AS miss0
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
  CAST(MIN(raw1) AS DOUBLE) AS x6,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0), 0) AS DOUBLE) AS x7
FROM rated;
