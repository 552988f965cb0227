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

-- dictionary of age
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_2 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q1 AS v
  FROM pg_temp.sqldiag_1
  WHERE
    NOT q1 IS NULL
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- dictionary of sex
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_3 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q2 AS v
  FROM pg_temp.sqldiag_1
  WHERE
    NOT q2 IS NULL
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- dictionary of zip
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_4 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q3 AS v
  FROM pg_temp.sqldiag_1
  WHERE
    NOT q3 IS NULL
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- dictionary of ward
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_5 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    q4 AS v
  FROM pg_temp.sqldiag_1
  WHERE
    NOT q4 IS NULL
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- count the rows of the roll-up
SELECT
  CAST(SUM(n) AS BIGINT),
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL OR q4 IS NULL THEN n ELSE 0 END) AS BIGINT),
  0,
  COUNT(*) - COUNT(q1),
  COUNT(*) - COUNT(q2),
  COUNT(*) - COUNT(q3),
  COUNT(*) - COUNT(q4)
FROM pg_temp.sqldiag_1;

-- code the roll-up as small numbers
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_6 ON COMMIT DROP AS
SELECT
  CAST(COALESCE(d_q1.code, 0) AS BIGINT) * 1 + CAST(COALESCE(d_q2.code, 0) AS BIGINT) * 128 + CAST(COALESCE(d_q3.code, 0) AS BIGINT) * 16384 + CAST(COALESCE(d_q4.code, 0) AS BIGINT) * 2097152 AS w0,
  CAST(r.n AS INT) AS n
FROM pg_temp.sqldiag_1 AS r
LEFT JOIN pg_temp.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.v
LEFT JOIN pg_temp.sqldiag_3 AS d_q2
  ON r.q2 = d_q2.v
LEFT JOIN pg_temp.sqldiag_4 AS d_q3
  ON r.q3 = d_q3.v
LEFT JOIN pg_temp.sqldiag_5 AS d_q4
  ON r.q4 = d_q4.v;
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

-- 1 set of 1 column
WITH groups AS NOT MATERIALIZED (
  SELECT
    CAST(1 AS BIGINT) AS g,
    w0 & 127 AS w0,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_6
  GROUP BY
    w0 & 127
), crowds AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    n,
    n AS c
  FROM groups
), classes AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
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
  CAST(COUNT(*) AS DOUBLE PRECISION) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE PRECISION) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE PRECISION) AS x3,
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x4,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    miss0), 0) AS DOUBLE PRECISION) AS x5
FROM rated
GROUP BY
  g;
