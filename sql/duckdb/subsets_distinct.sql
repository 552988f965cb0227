-- The diversity of every pair of columns, counting patients.
-- $ sqldiag subsets hospital.duckdb hospital --among age,sex,zip --measure "distinct_l(diagnosis)" --entity patient_id --max-size 2
-- Written by `make sql`; nothing reads it at run time.

-- roll up hospital by all 3 columns
CREATE TEMPORARY TABLE sqldiag_1 AS
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
  FROM "main"."hospital"
) AS rows_
GROUP BY
  q1,
  q2,
  q3,
  s1,
  e;

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

-- dictionary of diagnosis
CREATE TEMPORARY TABLE sqldiag_5 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER (ORDER BY v) AS INT) AS code
FROM (
  SELECT DISTINCT
    s1 AS v
  FROM temp.sqldiag_1
) AS known;

-- dictionary of patient_id
CREATE TEMPORARY TABLE sqldiag_6 AS
SELECT
  v,
  CAST(ROW_NUMBER() OVER () AS INT) AS code
FROM (
  SELECT DISTINCT
    e AS v
  FROM temp.sqldiag_1
  WHERE
    NOT e IS NULL
) AS known;

-- count the rows of the roll-up
SELECT
  CAST(SUM(n) AS BIGINT),
  CAST(SUM(CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL THEN n ELSE 0 END) AS BIGINT),
  COUNT(DISTINCT e),
  COUNT(*) - COUNT(q1),
  COUNT(*) - COUNT(q2),
  COUNT(*) - COUNT(q3)
FROM temp.sqldiag_1;

-- code the roll-up as small numbers
CREATE TEMPORARY TABLE sqldiag_7 AS
SELECT
  CAST(COALESCE(d_q1.code, 0) AS UTINYINT) AS q1,
  CAST(COALESCE(d_q2.code, 0) AS UTINYINT) AS q2,
  CAST(COALESCE(d_q3.code, 0) AS UTINYINT) AS q3,
  COALESCE(
    d_s1.code,
    (
      SELECT
        code
      FROM temp.sqldiag_5
      WHERE
        v IS NOT DISTINCT FROM NULL
    )
  ) AS s1,
  d_e.code AS e,
  CAST(r.n AS DOUBLE) AS n
FROM temp.sqldiag_1 AS r
LEFT JOIN temp.sqldiag_2 AS d_q1
  ON r.q1 IS NOT DISTINCT FROM d_q1.v
LEFT JOIN temp.sqldiag_3 AS d_q2
  ON r.q2 IS NOT DISTINCT FROM d_q2.v
LEFT JOIN temp.sqldiag_4 AS d_q3
  ON r.q3 IS NOT DISTINCT FROM d_q3.v
LEFT JOIN temp.sqldiag_5 AS d_s1
  ON r.s1 IS NOT DISTINCT FROM d_s1.v
LEFT JOIN temp.sqldiag_6 AS d_e
  ON r.e IS NOT DISTINCT FROM d_e.v;

-- make room
DROP TABLE temp.sqldiag_1;

-- 3 sets of 3 columns
WITH groups_s1_e AS NOT MATERIALIZED (
  SELECT
    (
      1 - GROUPING(q1)
    ) * CAST(1 AS BIGINT) + (
      1 - GROUPING(q2)
    ) * CAST(2 AS BIGINT) + (
      1 - GROUPING(q3)
    ) * CAST(4 AS BIGINT) AS g,
    q1,
    q2,
    q3,
    s1,
    e,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM temp.sqldiag_7
  GROUP BY
    GROUPING SETS (
      (q1, s1, e),
      (q2, s1, e),
      (q3, s1, e)
    )
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    q2,
    q3,
    s1,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM groups_s1_e
  GROUP BY
    g,
    q1,
    q2,
    q3,
    s1
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
  WHERE
    c > 0
), groups_e AS NOT MATERIALIZED (
  SELECT
    (
      1 - GROUPING(q1)
    ) * CAST(1 AS BIGINT) + (
      1 - GROUPING(q2)
    ) * CAST(2 AS BIGINT) + (
      1 - GROUPING(q3)
    ) * CAST(4 AS BIGINT) AS g,
    q1,
    q2,
    q3,
    e,
    CAST(SUM(n) AS DOUBLE) AS n
  FROM temp.sqldiag_7
  GROUP BY
    GROUPING SETS (
      (q1, e),
      (q2, e),
      (q3, e)
    )
), crowds AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    COUNT(e) AS c
  FROM groups_e
  GROUP BY
    g,
    q1,
    q2,
    q3
), branches AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    q2,
    q3,
    n,
    c AS people,
    CAST(NULL AS BIGINT) AS a1
  FROM crowds
  UNION ALL
  SELECT
    g,
    q1,
    q2,
    q3,
    CAST(NULL AS BIGINT) AS n,
    CAST(NULL AS BIGINT) AS people,
    COUNT(*) AS a1
  FROM cells_s1
  GROUP BY
    g,
    q1,
    q2,
    q3
), classes AS NOT MATERIALIZED (
  SELECT
    g,
    q1,
    q2,
    q3,
    MAX(n) AS n,
    MAX(people) AS people,
    COALESCE(MAX(a1), 0) AS a1
  FROM branches
  GROUP BY
    g,
    q1,
    q2,
    q3
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
  CAST(COUNT(*) AS DOUBLE) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x2,
  CAST(COALESCE(SUM(n) FILTER(WHERE
    has_null), 0) AS DOUBLE) AS x3,
  CAST(MIN(raw1) AS DOUBLE) AS x4
FROM valued
GROUP BY
  g;
