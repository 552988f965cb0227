-- What every set of columns would take; the largest sets, in portions where that pays.
-- $ sqldiag subsets hospital.duckdb hospital --among age,sex,zip,admission_date,ward --require "k >= 5"
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 5 columns
CREATE TABLE sqldiag_rollups.main.sqldiag_1 AS
SELECT
  q1,
  q2,
  q3,
  q4,
  q5,
  COUNT(*) AS n
FROM (
  SELECT
    "age" AS q1,
    "sex" AS q2,
    "zip" AS q3,
    "admission_date" AS q4,
    "ward" AS q5
  FROM "main"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  q4,
  q5;

-- number the values of every column
CREATE TABLE sqldiag_rollups.main.sqldiag_2 AS
SELECT
  q1,
  q2,
  q3,
  q4,
  q5,
  g,
  n,
  m,
  CAST(ROW_NUMBER() OVER (
    PARTITION BY g, q1 IS NULL AND q2 IS NULL AND q3 IS NULL AND q4 IS NULL AND q5 IS NULL
  ) AS INT) AS code
FROM (
  SELECT
    q1,
    q2,
    q3,
    q4,
    q5,
    (
      1 - GROUPING(q1)
    ) * 1 + (
      1 - GROUPING(q2)
    ) * 2 + (
      1 - GROUPING(q3)
    ) * 3 + (
      1 - GROUPING(q4)
    ) * 4 + (
      1 - GROUPING(q5)
    ) * 5 AS g,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(*) AS m
  FROM sqldiag_rollups.main.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3),
      (q4),
      (q5)
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
  CAST(SUM(n) FILTER(WHERE
    NOT q4 IS NULL) AS BIGINT),
  CAST(SUM(n) FILTER(WHERE
    NOT q5 IS NULL) AS BIGINT),
  COUNT(q1),
  COUNT(q2),
  COUNT(q3),
  COUNT(q4),
  COUNT(q5),
  CAST(SUM(m) FILTER(WHERE
    g = 1) AS BIGINT),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 1),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 2),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 3),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 4),
  SUM(CAST(m AS DOUBLE) * LN(CAST(m AS DOUBLE))) FILTER(WHERE
    g = 5)
FROM sqldiag_rollups.main.sqldiag_2;

-- code the roll-up as small numbers
CREATE TABLE sqldiag_rollups.main.sqldiag_3 AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS BIGINT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS BIGINT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS BIGINT) * 16384 + CAST(COALESCE(d_q4.code, 0) - 1 AS BIGINT) * 2097152 + CAST(COALESCE(d_q5.code, 0) - 1 AS BIGINT) * 268435456 AS w0,
  CAST(r.n AS DOUBLE) AS n
FROM sqldiag_rollups.main.sqldiag_1 AS r
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q4
  ON r.q4 = d_q4.q4
LEFT JOIN sqldiag_rollups.main.sqldiag_2 AS d_q5
  ON r.q5 = d_q5.q5;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_1;

-- make room
DROP TABLE sqldiag_rollups.main.sqldiag_2;

-- 31 sets of 5 columns
WITH set3 AS MATERIALIZED (
  SELECT
    w0 & 16383 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 16383
), set5 AS MATERIALIZED (
  SELECT
    w0 & 2080895 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 2080895
), set9 AS MATERIALIZED (
  SELECT
    w0 & 266338431 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 266338431
), set17 AS MATERIALIZED (
  SELECT
    w0 & 34091303039 AS w0,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM sqldiag_rollups.main.sqldiag_3
  GROUP BY
    w0 & 34091303039
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
    CAST(31 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM sqldiag_rollups.main.sqldiag_3
  UNION ALL
  SELECT
    CAST(15 AS BIGINT) AS g,
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
      w0 & 268435455
  ) AS s
  UNION ALL
  SELECT
    CAST(23 AS BIGINT) AS g,
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
      w0 & 34093400063
  ) AS s
  UNION ALL
  SELECT
    CAST(27 AS BIGINT) AS g,
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
      w0 & 34357657599
  ) AS s
  UNION ALL
  SELECT
    CAST(29 AS BIGINT) AS g,
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
      w0 & 34359722111
  ) AS s
  UNION ALL
  SELECT
    CAST(30 AS BIGINT) AS g,
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
      w0 & 34359738240
  ) AS s
  UNION ALL
  SELECT
    CAST(7 AS BIGINT) AS g,
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
      w0 & 2097151
  ) AS s
  UNION ALL
  SELECT
    CAST(11 AS BIGINT) AS g,
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
      w0 & 266354687
  ) AS s
  UNION ALL
  SELECT
    CAST(19 AS BIGINT) AS g,
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
      w0 & 34091319295
  ) AS s
  UNION ALL
  SELECT
    CAST(13 AS BIGINT) AS g,
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
      w0 & 268419199
  ) AS s
  UNION ALL
  SELECT
    CAST(21 AS BIGINT) AS g,
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
      w0 & 34093383807
  ) AS s
  UNION ALL
  SELECT
    CAST(25 AS BIGINT) AS g,
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
      w0 & 34357641343
  ) AS s
  UNION ALL
  SELECT
    CAST(14 AS BIGINT) AS g,
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
      w0 & 268435328
  ) AS s
  UNION ALL
  SELECT
    CAST(22 AS BIGINT) AS g,
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
      w0 & 34093399936
  ) AS s
  UNION ALL
  SELECT
    CAST(26 AS BIGINT) AS g,
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
      w0 & 34357657472
  ) AS s
  UNION ALL
  SELECT
    CAST(28 AS BIGINT) AS g,
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
      w0 & 34359721984
  ) AS s
  UNION ALL
  SELECT
    CAST(3 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM set3
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
    CAST(9 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM set9
  UNION ALL
  SELECT
    CAST(17 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM set17
  UNION ALL
  SELECT
    CAST(6 AS BIGINT) AS g,
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
      w0 & 2097024
  ) AS s
  UNION ALL
  SELECT
    CAST(10 AS BIGINT) AS g,
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
      w0 & 266354560
  ) AS s
  UNION ALL
  SELECT
    CAST(18 AS BIGINT) AS g,
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
      w0 & 34091319168
  ) AS s
  UNION ALL
  SELECT
    CAST(12 AS BIGINT) AS g,
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
      w0 & 268419072
  ) AS s
  UNION ALL
  SELECT
    CAST(20 AS BIGINT) AS g,
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
      w0 & 34093383680
  ) AS s
  UNION ALL
  SELECT
    CAST(24 AS BIGINT) AS g,
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
      w0 & 34357641216
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
    FROM set3
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
    FROM set3
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
    FROM set5
    GROUP BY
      w0 & 2080768
  ) AS s
  UNION ALL
  SELECT
    CAST(8 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM set9
    GROUP BY
      w0 & 266338304
  ) AS s
  UNION ALL
  SELECT
    CAST(16 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS DOUBLE) AS n
    FROM set17
    GROUP BY
      w0 & 34091302912
  ) AS s
) AS counted;
