-- Which sets of columns are safe? The roll-up, its codes, and the first sets looked at.
-- $ sqldiag borders hospital.duckdb hospital --among age,sex,zip,ward --require "k >= 5"
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 4 columns
CREATE TABLE sqldiag_rollups.main.sqldiag_1 AS
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

-- number the values of every column
CREATE TABLE sqldiag_rollups.main.sqldiag_2 AS
SELECT
  q1,
  q2,
  q3,
  q4,
  CAST(ROW_NUMBER() OVER (PARTITION BY g) AS INT) AS code
FROM (
  SELECT
    q1,
    q2,
    q3,
    q4,
    GROUPING(q1, q2, q3, q4) AS g
  FROM sqldiag_rollups.main.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3),
      (q4)
    )
) AS known
WHERE
  NOT q1 IS NULL OR NOT q2 IS NULL OR NOT q3 IS NULL OR NOT q4 IS NULL;

-- count the rows of the roll-up
SELECT
  CAST(SUM(n) AS BIGINT),
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL OR q4 IS NULL THEN n ELSE 0 END) AS BIGINT),
  0,
  COUNT(*) - COUNT(q1),
  COUNT(*) - COUNT(q2),
  COUNT(*) - COUNT(q3),
  COUNT(*) - COUNT(q4),
  (
    SELECT
      COUNT(q1)
    FROM sqldiag_rollups.main.sqldiag_2
  ),
  (
    SELECT
      COUNT(q2)
    FROM sqldiag_rollups.main.sqldiag_2
  ),
  (
    SELECT
      COUNT(q3)
    FROM sqldiag_rollups.main.sqldiag_2
  ),
  (
    SELECT
      COUNT(q4)
    FROM sqldiag_rollups.main.sqldiag_2
  )
FROM sqldiag_rollups.main.sqldiag_1;

-- code the roll-up as small numbers
CREATE TABLE sqldiag_rollups.main.sqldiag_3 AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS INT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS INT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS INT) * 16384 + CAST(COALESCE(d_q4.code, 0) - 1 AS INT) * 2097152 AS w0,
  CAST(r.n AS DOUBLE) AS n
FROM sqldiag_rollups.main.sqldiag_1 AS r
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q4
  ON r.q4 = d_q4.q4;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_1;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_2;

-- 1 set of 1 column
SELECT
  0 AS part,
  g,
  CAST(COALESCE(x1, 0) AS DOUBLE) AS x1,
  CAST(COALESCE(x2, 0) AS DOUBLE) AS x2,
  CAST(COALESCE(x3, 0) AS DOUBLE) AS x3,
  CAST(COALESCE(x4, 0) AS DOUBLE) AS x4,
  CAST(COALESCE(x5, 0) AS DOUBLE) AS x5
FROM (
  SELECT
    CAST(1 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE
      n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE
      n < 5) AS x5
  FROM (
    SELECT
      w0 & 127 AS w0,
      CAST(SUM(n) AS DOUBLE) AS n
    FROM sqldiag_rollups.main.sqldiag_3
    GROUP BY
      w0 & 127
  ) AS s
) AS counted;
