-- What each column adds: the set without it and it alone, all from one roll-up.
-- $ sqldiag measure hospital.duckdb hospital --qi age,sex,zip --require "k >= 5" --contributions
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 3 columns
CREATE TABLE sqldiag_rollups.main.sqldiag_1 AS
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
  q3;

-- number the values of every column
CREATE TABLE sqldiag_rollups.main.sqldiag_2 AS
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
  FROM sqldiag_rollups.main.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3)
    )
) AS known;

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
  COUNT(q1),
  COUNT(q2),
  COUNT(q3),
  CAST(SUM(m) FILTER(WHERE
    g = 1) AS BIGINT),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 1),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 2),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 3)
FROM sqldiag_rollups.main.sqldiag_2;

-- code the roll-up as small numbers
CREATE TABLE sqldiag_rollups.main.sqldiag_3 AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS INT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS INT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS INT) * 16384 AS w0,
  CAST(r.n AS DOUBLE) AS n
FROM sqldiag_rollups.main.sqldiag_1 AS r
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_1;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_2;

-- profile of age, sex, zip
WITH groups AS NOT MATERIALIZED (
  SELECT
    w0,
    CAST(SUM(n) AS BIGINT) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0
), crowds AS NOT MATERIALIZED (
  SELECT
    w0,
    n,
    n AS c
  FROM groups
), classes AS NOT MATERIALIZED (
  SELECT
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
), rated AS MATERIALIZED (
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
FROM rated
UNION ALL
SELECT
  1 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7
FROM (
  SELECT
    people
  FROM rated
  ORDER BY
    raw1 NULLS FIRST,
    people DESC
  LIMIT 1
) AS worst;

-- 6 sets of 3 columns
WITH set6 AS MATERIALIZED (
  SELECT
    w0 & 2097024 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 2097024
), set5 AS MATERIALIZED (
  SELECT
    w0 & 2080895 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 2080895
)
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
    CAST(6 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM set6
  UNION ALL
  SELECT
    CAST(5 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM set5
  UNION ALL
  SELECT
    CAST(3 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM sqldiag_rollups.main.sqldiag_3
    GROUP BY
      w0 & 16383
  ) AS s
  UNION ALL
  SELECT
    CAST(1 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM set5
    GROUP BY
      w0 & 127
  ) AS s
  UNION ALL
  SELECT
    CAST(2 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM set6
    GROUP BY
      w0 & 16256
  ) AS s
  UNION ALL
  SELECT
    CAST(4 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM set6
    GROUP BY
      w0 & 2080768
  ) AS s
) AS counted;
