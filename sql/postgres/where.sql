-- A part of the table, by a condition of the user's.
-- $ sqldiag check postgresql://localhost/clinic hospital --qi sex,zip --require "k >= 5" --where "age >= 18 AND ward <> 'Obstetrics'"
-- Written by `make sql`; nothing reads it at run time.

-- profile of sex, zip
WITH facts AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    COUNT(*) AS n
  FROM (
    SELECT
      "sex" AS q1,
      "zip" AS q2
    FROM (
      SELECT
        "sex",
        "zip"
      FROM "public"."hospital"
      WHERE
        age >= 18 AND ward <> 'Obstetrics'
    ) AS matching
  ) AS rows_
  GROUP BY
    q1,
    q2
), crowds AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    n,
    n AS c
  FROM facts
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
FROM rated;
