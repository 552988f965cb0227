-- A part of the table, by a condition of the user's.
-- $ sqldiag check postgresql://localhost/clinic hospital --qi sex,zip --require "k >= 5" --where "age >= 18 AND ward <> 'Obstetrics'"
-- Written by `make sql`; nothing reads it at run time.

-- profile of sex, zip
SELECT
  CAST(n AS DOUBLE PRECISION) AS value,
  COUNT(*) AS c1,
  CAST(SUM(n) AS BIGINT) AS c2,
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL THEN n ELSE 0 END) AS BIGINT) AS c3,
  COUNT(CASE WHEN n = 1 THEN 1 END) AS c4,
  CAST(SUM(n * (
    n - 1
  )) AS DECIMAL(38, 0)) AS c5,
  0 AS part
FROM (
  SELECT
    q1,
    q2,
    COUNT(*) AS n
  FROM (
    SELECT
      "sex" AS q1,
      "zip" AS q2
    FROM "public"."hospital"
    WHERE
      age >= 18 AND ward <> 'Obstetrics'
  ) AS rows_
  GROUP BY
    q1,
    q2
) AS classes
GROUP BY
  n;
