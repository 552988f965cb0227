-- Which sets of columns are safe? The roll-up, its codes, and the first sets looked at.
-- $ sqldiag borders hospital.duckdb hospital --among age,sex,zip,ward --require "k >= 5"
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 4 columns
CREATE TEMPORARY TABLE sqldiag_1 AS
SELECT
  q1,
  q2,
  q3,
  q4,
  COUNT(*) AS n
FROM (
  SELECT
    "age" AS q1,
    "sex" AS q2,
    "zip" AS q3,
    "ward" AS q4
  FROM "main"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  q4;

-- dictionary of age
CREATE TEMPORARY TABLE sqldiag_2 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q1 AS v
  FROM temp.sqldiag_1
  WHERE
    NOT q1 IS NULL
) AS known;

-- dictionary of sex
CREATE TEMPORARY TABLE sqldiag_3 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q2 AS v
  FROM temp.sqldiag_1
  WHERE
    NOT q2 IS NULL
) AS known;

-- dictionary of zip
CREATE TEMPORARY TABLE sqldiag_4 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q3 AS v
  FROM temp.sqldiag_1
  WHERE
    NOT q3 IS NULL
) AS known;

-- dictionary of ward
CREATE TEMPORARY TABLE sqldiag_5 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q4 AS v
  FROM temp.sqldiag_1
  WHERE
    NOT q4 IS NULL
) AS known;

-- count the rows of the roll-up
SELECT
  CAST(SUM(n) AS BIGINT),
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL OR q4 IS NULL THEN n ELSE 0 END) AS BIGINT),
  0,
  COUNT(*) - COUNT(q1),
  COUNT(*) - COUNT(q2),
  COUNT(*) - COUNT(q3),
  COUNT(*) - COUNT(q4)
FROM temp.sqldiag_1;

-- code the roll-up as small numbers
CREATE TEMPORARY TABLE sqldiag_6 AS
SELECT
  CAST(COALESCE(d_q1.code, 0) AS UTINYINT) AS q1,
  CAST(COALESCE(d_q2.code, 0) AS UTINYINT) AS q2,
  CAST(COALESCE(d_q3.code, 0) AS UTINYINT) AS q3,
  CAST(COALESCE(d_q4.code, 0) AS UTINYINT) AS q4,
  CAST(r.n AS DOUBLE) AS n
FROM temp.sqldiag_1 AS r
LEFT JOIN temp.sqldiag_2 AS d_q1
  ON r.q1 IS NOT DISTINCT FROM d_q1.v
LEFT JOIN temp.sqldiag_3 AS d_q2
  ON r.q2 IS NOT DISTINCT FROM d_q2.v
LEFT JOIN temp.sqldiag_4 AS d_q3
  ON r.q3 IS NOT DISTINCT FROM d_q3.v
LEFT JOIN temp.sqldiag_5 AS d_q4
  ON r.q4 IS NOT DISTINCT FROM d_q4.v;

-- make room
DROP TABLE temp.sqldiag_1;

-- 1 set of 1 column
WITH groups AS NOT MATERIALIZED (
  SELECT
    (
      1 - GROUPING(q1)
    ) * CAST(1 AS BIGINT) AS g,
    q1,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM temp.sqldiag_6
  GROUP BY
    GROUPING SETS (
      (q1)
    )
), crowds AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    n,
    n AS c
  FROM groups
), classes AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    n,
    c AS people
  FROM crowds
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    FALSE AS has_null,
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
  g,
  CAST(COUNT(*) AS DOUBLE) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE) AS x3,
  CAST(MIN(raw1) AS DOUBLE) AS x4,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0), 0) AS DOUBLE) AS x5
FROM rated
GROUP BY
  g;
