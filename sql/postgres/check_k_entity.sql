-- The same for crowds of patients, who have several admissions each.
-- $ sqldiag check postgresql://localhost/clinic hospital --qi age,sex,zip --require "k >= 5" --entity patient_id
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    e,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3,
      "patient_id" AS e
    FROM "public"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    e
), crowds AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM facts
  GROUP BY
    q1,
    q2,
    q3
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
), whole_e AS NOT MATERIALIZED (
  SELECT
    e,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    e
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
  CAST(COUNT(e) AS DOUBLE PRECISION) AS x1,
  CAST(NULL AS DOUBLE PRECISION) AS x2,
  CAST(NULL AS DOUBLE PRECISION) AS x3,
  CAST(NULL AS DOUBLE PRECISION) AS x4,
  CAST(NULL AS DOUBLE PRECISION) AS x5,
  CAST(NULL AS DOUBLE PRECISION) AS x6,
  CAST(NULL AS DOUBLE PRECISION) AS x7
FROM whole_e;
