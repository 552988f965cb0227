-- What every set of columns would take; the largest sets, in portions where that pays.
-- $ sqldiag subsets postgresql://localhost/clinic hospital --among age,sex,zip,admission_date,ward --require "k >= 5"
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 5 columns
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_1 ON COMMIT DROP AS
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
  FROM "public"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  q4,
  q5;
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
  FROM pg_temp.sqldiag_1
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3),
      (q4),
      (q5)
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
  CAST(SUM(n) FILTER(WHERE
    NOT q5 IS NULL) AS BIGINT),
  COUNT(q1),
  COUNT(q2),
  COUNT(q3),
  COUNT(q4),
  COUNT(q5),
  CAST(SUM(m) FILTER(WHERE
    g = 1) AS BIGINT),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 1),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 2),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 3),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 4),
  SUM(CAST(m AS DOUBLE PRECISION) * LN(CAST(m AS DOUBLE PRECISION))) FILTER(WHERE
    g = 5)
FROM pg_temp.sqldiag_2;

-- code the roll-up as small numbers
RELEASE SAVEPOINT sqldiag_reads;
SAVEPOINT sqldiag_stores;
CREATE TEMPORARY TABLE sqldiag_3 ON COMMIT DROP AS
SELECT
  CAST(COALESCE(d_q1.code, 0) - 1 AS BIGINT) * 1 + CAST(COALESCE(d_q2.code, 0) - 1 AS BIGINT) * 128 + CAST(COALESCE(d_q3.code, 0) - 1 AS BIGINT) * 16384 + CAST(COALESCE(d_q4.code, 0) - 1 AS BIGINT) * 2097152 + CAST(COALESCE(d_q5.code, 0) - 1 AS BIGINT) * 268435456 AS w0,
  CAST(r.n AS INT) AS n
FROM pg_temp.sqldiag_1 AS r
LEFT JOIN pg_temp.sqldiag_2 AS d_q1
  ON r.q1 = d_q1.q1
LEFT JOIN pg_temp.sqldiag_2 AS d_q2
  ON r.q2 = d_q2.q2
LEFT JOIN pg_temp.sqldiag_2 AS d_q3
  ON r.q3 = d_q3.q3
LEFT JOIN pg_temp.sqldiag_2 AS d_q4
  ON r.q4 = d_q4.q4
LEFT JOIN pg_temp.sqldiag_2 AS d_q5
  ON r.q5 = d_q5.q5;
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

-- 16 sets of 5 columns
SELECT
  0 AS part,
  g,
  CAST(COALESCE(SUM(x1), 0) AS DOUBLE PRECISION) AS x1,
  CAST(COALESCE(SUM(x2), 0) AS DOUBLE PRECISION) AS x2,
  CAST(COALESCE(SUM(x3), 0) AS DOUBLE PRECISION) AS x3,
  CAST(COALESCE(MIN(x4), 0) AS DOUBLE PRECISION) AS x4,
  CAST(COALESCE(SUM(x5), 0) AS DOUBLE PRECISION) AS x5
FROM (VALUES
  (0, 50),
  (50, 100)) AS portion(low, high)
CROSS JOIN LATERAL (
  WITH facts AS MATERIALIZED (
    SELECT
      w0,
      n
    FROM pg_temp.sqldiag_3
    WHERE
      (
        w0 & 127
      ) >= low AND (
        w0 & 127
      ) < high
  ), set3 AS MATERIALIZED (
    SELECT
      w0 & 16383 AS w0,
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 16383
  )
  SELECT
    CAST(31 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 34359722111
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
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
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 34357641343
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
  FROM (
    SELECT
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 2080895
  ) AS s
  UNION ALL
  SELECT
    CAST(9 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 266338431
  ) AS s
  UNION ALL
  SELECT
    CAST(17 AS BIGINT) AS g,
    0 AS x1,
    COUNT(*) AS x2,
    COUNT(*) FILTER(WHERE n = 1) AS x3,
    MIN(n) AS x4,
    SUM(n) FILTER(WHERE n < 5) AS x5
  FROM (
    SELECT
      CAST(SUM(n) AS INT) AS n
    FROM facts
    GROUP BY
      w0 & 34091303039
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
      CAST(SUM(n) AS INT) AS n
    FROM set3
    GROUP BY
      w0 & 127
  ) AS s
) AS counted
GROUP BY
  g;
