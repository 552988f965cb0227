-- The diversity of every pair of columns, counting patients.
-- $ sqldiag subsets postgresql://localhost/clinic hospital --among age,sex,zip --measure "distinct_l(diagnosis)" --entity patient_id --max-size 2
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 3 columns
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_1 ON COMMIT DROP AS
SELECT
  q1,
  q2,
  q3,
  s1,
  e,
  COUNT(*) AS n
FROM (
  SELECT
    "age" AS q1,
    "sex" AS q2,
    "zip" AS q3,
    "diagnosis" AS s1,
    "patient_id" AS e
  FROM "public"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  s1,
  e;
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
  g,
  n,
  m,
  CAST(ROW_NUMBER() OVER (PARTITION BY g, q1 IS NULL AND q2 IS NULL AND q3 IS NULL) AS INT) AS code
FROM (
  SELECT
    q1,
    q2,
    q3,
    (
      1 - GROUPING(q1)
    ) * 1 + (
      1 - GROUPING(q2)
    ) * 2 + (
      1 - GROUPING(q3)
    ) * 3 AS g,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(*) AS m
  FROM pg_temp.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3)
    )
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- number the values of diagnosis
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_3 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER (ORDER BY v) AS INT) AS code
FROM (
  SELECT DISTINCT
    s1 AS v
  FROM pg_temp.sqldiag_1
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- number the values of patient_id
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_4 ON COMMIT DROP AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    e AS v
  FROM pg_temp.sqldiag_1
  WHERE
    NOT e IS NULL
) AS known;
RELEASE SAVEPOINT sqldiag_stores;
SAVEPOINT sqldiag_reads;
SET TRANSACTION READ ONLY;

-- count rows and values
SELECT
  CAST(SUM(n) FILTER(WHERE
    g = 1) AS BIGINT),
  (
    SELECT
      COUNT(DISTINCT e)
    FROM pg_temp.sqldiag_1
  ),
  CAST(SUM(n) FILTER(WHERE
    NOT q1 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q2 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q3 IS NULL) AS BIGINT),
  COUNT(q1),
  COUNT(q2),
  COUNT(q3),
  CAST(SUM(m) FILTER(WHERE
    g = 1) AS BIGINT),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 1),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 2),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 3)
FROM pg_temp.sqldiag_2;

-- code the roll-up as small numbers
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_5 ON COMMIT DROP AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS INT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS INT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS INT) * 16384 AS w0,
  COALESCE(
    d_s1.code,
    (
      SELECT
        code
      FROM pg_temp.sqldiag_3
      WHERE
        v IS NOT DISTINCT FROM NULL
    )
  ) AS s1,
  d_e.code AS e,
  CAST(r.n AS INT) AS n
FROM pg_temp.sqldiag_1 AS r
LEFT JOIN pg_temp.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN pg_temp.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN pg_temp.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3
LEFT JOIN pg_temp.sqldiag_3 AS d_s1
  ON r.s1 = d_s1.v
LEFT JOIN pg_temp.sqldiag_4 AS d_e
  ON r.e = d_e.v;
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

-- 3 sets of 3 columns
WITH groups_s1_e AS NOT MATERIALIZED (
  SELECT
    CAST(1 AS BIGINT) AS g,
    w0 & 127 AS w0,
    s1,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 127,
    s1,
    e
  UNION ALL
  SELECT
    CAST(2 AS BIGINT) AS g,
    w0 & 16256 AS w0,
    s1,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 16256,
    s1,
    e
  UNION ALL
  SELECT
    CAST(4 AS BIGINT) AS g,
    w0 & 2080768 AS w0,
    s1,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 2080768,
    s1,
    e
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    s1,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM groups_s1_e
  GROUP BY
    g,
    w0,
    s1
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    s1 AS v,
    n,
    c
  FROM counted_s1
  WHERE
    c > 0
), groups_e AS NOT MATERIALIZED (
  SELECT
    CAST(1 AS BIGINT) AS g,
    w0 & 127 AS w0,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 127,
    e
  UNION ALL
  SELECT
    CAST(2 AS BIGINT) AS g,
    w0 & 16256 AS w0,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 16256,
    e
  UNION ALL
  SELECT
    CAST(4 AS BIGINT) AS g,
    w0 & 2080768 AS w0,
    e,
    CAST(SUM(n) AS INT) AS n
  FROM pg_temp.sqldiag_5
  GROUP BY
    w0 & 2080768,
    e
), crowds AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM groups_e
  GROUP BY
    g,
    w0
), branches AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    n,
    c AS people,
    CAST(NULL AS BIGINT) AS a1
  FROM crowds
  UNION ALL
  SELECT
    g,
    w0,
    CAST(NULL AS BIGINT) AS n,
    CAST(NULL AS BIGINT) AS people,
    COUNT(*) AS a1
  FROM cells_s1
  GROUP BY
    g,
    w0
), classes AS NOT MATERIALIZED (
  SELECT
    g,
    w0,
    MAX(n) AS n,
    MAX(people) AS people,
    COALESCE(MAX(a1), 0) AS a1
  FROM branches
  GROUP BY
    g,
    w0
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    FALSE AS has_null,
    a1 AS raw1
  FROM classes
)
SELECT
  0 AS part,
  g,
  CAST(COUNT(*) AS DOUBLE PRECISION) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE PRECISION) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE PRECISION) AS x3,
  CAST(MIN(raw1) AS DOUBLE PRECISION) AS x4
FROM valued
GROUP BY
  g;
