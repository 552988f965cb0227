-- Which sets of columns are safe? The roll-up, its codes, and the first sets looked at.
-- $ sqldiag borders postgresql://localhost/clinic hospital --among age,sex,zip,ward --require "k >= 5"
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 4 columns
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_1 ON COMMIT DROP AS
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
  FROM "public"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  q4;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- number the values of every column
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_2 ON COMMIT DROP AS
SELECT
  q1,
  q2,
  q3,
  q4,
  g,
  n,
  m,
  CAST(ROW_NUMBER() OVER (PARTITION BY g, q1 IS NULL AND q2 IS NULL AND q3 IS NULL AND q4 IS NULL) AS INT) AS code
FROM (
  SELECT
    q1,
    q2,
    q3,
    q4,
    (
      1 - GROUPING(q1)
    ) * 1 + (
      1 - GROUPING(q2)
    ) * 2 + (
      1 - GROUPING(q3)
    ) * 3 + (
      1 - GROUPING(q4)
    ) * 4 AS g,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(*) AS m
  FROM pg_temp.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3),
      (q4)
    )
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- count rows and values
SELECT
  CAST(SUM(n) FILTER(WHERE
    g = 1) AS BIGINT),
  0,
  CAST(SUM(n) FILTER(WHERE
    NOT q1 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q2 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q3 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q4 IS NULL) AS BIGINT),
  COUNT(q1),
  COUNT(q2),
  COUNT(q3),
  COUNT(q4),
  CAST(SUM(m) FILTER(WHERE
    g = 1) AS BIGINT),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 1),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 2),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 3),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 4)
FROM pg_temp.sqldiag_2;

-- code the roll-up as small numbers
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_3 ON COMMIT DROP AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS INT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS INT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS INT) * 16384 + CAST(COALESCE(d_q4.code, 0) - 1 AS INT) * 2097152 AS w0,
  CAST(r.n AS INT) AS n
FROM pg_temp.sqldiag_1 AS r
LEFT JOIN pg_temp.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN pg_temp.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN pg_temp.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3
LEFT JOIN pg_temp.sqldiag_2 AS d_q4
  ON r.q4 = d_q4.q4;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- make room
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
DROP TABLE pg_temp.sqldiag_1;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- make room
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
DROP TABLE pg_temp.sqldiag_2;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- 1 set of 1 column
SELECT
  0 AS part,
  g,
  CAST(COALESCE(x1, 0) AS DOUBLE PRECISION) AS x1,
  CAST(COALESCE(x2, 0) AS DOUBLE PRECISION) AS x2,
  CAST(COALESCE(x3, 0) AS DOUBLE PRECISION) AS x3,
  CAST(COALESCE(x4, 0) AS DOUBLE PRECISION) AS x4,
  CAST(COALESCE(x5, 0) AS DOUBLE PRECISION) AS x5
FROM (
  SELECT
    CAST(1 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS INT) AS n
    FROM pg_temp.sqldiag_3
    GROUP BY
      w0 & 127
  ) AS s
) AS counted;
