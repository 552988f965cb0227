-- Every measure of one sensitive column, from one reading of the table.
-- $ sqldiag measure hospital.duckdb hospital --qi age,sex,zip --sensitive diagnosis --suppress 1%
-- Written by `make sql`; nothing reads it at run time.

-- profile of age, sex, zip
WITH facts AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    COUNT(*) AS n
  FROM (
    SELECT
      "age" AS q1,
      "sex" AS q2,
      "zip" AS q3,
      "diagnosis" AS s1
    FROM "main"."hospital"
  ) AS rows_
  GROUP BY
    q1,
    q2,
    q3,
    s1
), facts_s1 AS (
  SELECT
    s1,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    s1
), values_s1 AS (
  SELECT
    s1,
    n,
    n AS c
  FROM facts_s1
), ranked_s1 AS (
  SELECT
    s1 AS v,
    c AS t,
    ROW_NUMBER() OVER (ORDER BY s1) AS code,
    CAST(SUM(c) OVER () AS BIGINT) AS total,
    COUNT(*) OVER () AS domain,
    CAST(SUM(c) OVER (ORDER BY s1) AS BIGINT) AS reach
  FROM values_s1
  WHERE
    c > 0
), histogram_s1 AS MATERIALIZED (
  SELECT
    *,
    CAST(SUM(reach) OVER (ORDER BY code NULLS FIRST) AS BIGINT) AS area
  FROM ranked_s1
), counted_s1 AS (
  SELECT
    q1,
    q2,
    q3,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS (
  SELECT
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
), tails_s1 AS (
  SELECT
    *,
    MAX(c) OVER (PARTITION BY q1, q2, q3) AS largest,
    CAST(SUM(c) OVER (
      PARTITION BY q1, q2, q3
      ORDER BY c NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS BIGINT) AS tail
  FROM cells_s1
), joined_s1 AS (
  SELECT
    cell.*,
    COALESCE(known.t, (
      SELECT
        t
      FROM histogram_s1
      WHERE
        v IS NULL
    )) AS t,
    COALESCE(known.code, (
      SELECT
        code
      FROM histogram_s1
      WHERE
        v IS NULL
    )) AS code,
    CAST(SUM(cell.c) OVER (PARTITION BY cell.q1, cell.q2, cell.q3) AS BIGINT) AS size
  FROM tails_s1 AS cell
  LEFT JOIN histogram_s1 AS known
    ON cell.v = known.v
), shares_s1 AS (
  SELECT
    *,
    CAST(c AS DOUBLE) / size AS p,
    CAST(t AS DOUBLE) / (
      SELECT
        MAX(total)
      FROM histogram_s1
    ) AS q
  FROM joined_s1
), placed_s1 AS (
  SELECT
    *,
    CAST(SUM(c) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS DOUBLE) / size AS height,
    LEAD(code) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS next_code,
    LAG(code) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS last_code
  FROM shares_s1
), merged_s1 AS (
  SELECT
    q1,
    q2,
    q3,
    v,
    n,
    c,
    largest,
    tail,
    t,
    p,
    q,
    code,
    next_code,
    last_code,
    height,
    1 AS is_cell
  FROM placed_s1
  UNION ALL
  SELECT
    NULL AS q1,
    NULL AS q2,
    NULL AS q3,
    NULL AS v,
    NULL AS n,
    NULL AS c,
    NULL AS largest,
    NULL AS tail,
    NULL AS t,
    NULL AS p,
    NULL AS q,
    code,
    NULL AS next_code,
    NULL AS last_code,
    CAST(reach AS DOUBLE) / total AS height,
    0 AS is_cell
  FROM histogram_s1
), passed_s1 AS (
  SELECT
    *,
    MAX(CASE WHEN is_cell = 0 THEN code ELSE 0 END) OVER (
      ORDER BY height NULLS FIRST, is_cell NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS passed
  FROM merged_s1
), stretch_s1 AS (
  SELECT
    *,
    COALESCE(next_code - 1, (
      SELECT
        MAX(domain)
      FROM histogram_s1
    )) AS until
  FROM passed_s1
  WHERE
    is_cell = 1
), turned_s1 AS (
  SELECT
    *,
    LEAST(GREATEST(passed, code - 1), until) AS turn
  FROM stretch_s1
), work_s1 AS (
  SELECT
    cell.*,
    height * (
      turn - code + 1
    ) - CAST(COALESCE(turning.area, 0) - COALESCE(before.area, 0) AS DOUBLE) / (
      SELECT
        MAX(total)
      FROM histogram_s1
    ) + CAST(COALESCE(ending.area, 0) - COALESCE(turning.area, 0) AS DOUBLE) / (
      SELECT
        MAX(total)
      FROM histogram_s1
    ) - height * (
      until - turn
    ) + CASE
      WHEN last_code IS NULL
      THEN CAST(COALESCE(before.area, 0) AS DOUBLE) / (
        SELECT
          MAX(total)
        FROM histogram_s1
      )
      ELSE 0
    END AS work
  FROM turned_s1 AS cell
  LEFT JOIN (
    SELECT
      code AS "at",
      area
    FROM histogram_s1
  ) AS before
    ON before."at" = cell.code - 1
  LEFT JOIN (
    SELECT
      code AS "at",
      area
    FROM histogram_s1
  ) AS turning
    ON turning."at" = cell.turn
  LEFT JOIN (
    SELECT
      code AS "at",
      area
    FROM histogram_s1
  ) AS ending
    ON ending."at" = cell.until
), classes AS MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    CAST(SUM(n) AS BIGINT) AS n,
    CAST(SUM(c) AS BIGINT) AS people,
    COUNT(*) AS a1,
    MAX(c) AS a2,
    CAST(SUM(c) AS BIGINT) AS a3,
    SUM(c * LN(CAST(c AS DOUBLE))) AS a4,
    COUNT(CASE WHEN largest * 1 < tail * 3 THEN 1 END) AS a5,
    MAX(CASE WHEN TRUE THEN c ELSE 0 END) AS a6,
    SUM(ABS(p - q)) AS a7,
    CAST(SUM(t) AS BIGINT) AS a8,
    SUM(work) AS a9,
    MAX(CASE WHEN p > q THEN (
      p - q
    ) / q ELSE 0 END) AS a10,
    MAX(CASE WHEN p > q AND (
      p - q
    ) / q > -LN(q) THEN 1 ELSE 0 END) AS a11,
    MAX(ABS(LN(p / q))) AS a12
  FROM work_s1
  GROUP BY
    q1,
    q2,
    q3
), valued AS (
  SELECT
    *,
    CASE WHEN q1 IS NULL OR q2 IS NULL OR q3 IS NULL THEN n ELSE 0 END AS null_rows,
    a1 AS raw1,
    CAST(people AS DOUBLE) / (
      GREATEST(a2, 1)
    ) AS raw2,
    CASE WHEN a3 > 0 THEN EXP(LN(CAST(a3 AS DOUBLE)) - a4 / a3) ELSE 0 END AS raw3,
    a5 AS raw4,
    CAST(a6 AS DOUBLE) / (
      GREATEST(people, 1)
    ) AS raw5,
    CASE
      WHEN a3 > 0
      THEN (
        a7 + (
          (
            SELECT
              MAX(total)
            FROM histogram_s1
          ) - a8
        ) / CAST((
          SELECT
            MAX(total)
          FROM histogram_s1
        ) AS DOUBLE)
      ) / 2
      ELSE 0
    END AS raw6,
    CASE
      WHEN a3 > 0 AND (
        SELECT
          MAX(domain)
        FROM histogram_s1
      ) > 1
      THEN a9 / (
        (
          SELECT
            MAX(domain)
          FROM histogram_s1
        ) - 1
      )
      ELSE 0
    END AS raw7,
    a10 AS raw8,
    CASE WHEN a11 > 0 THEN CAST('Infinity' AS DOUBLE) ELSE a10 END AS raw9,
    a12 AS raw10
  FROM classes
), rounded AS (
  SELECT
    *,
    raw1 AS v1,
    raw2 AS v2,
    CASE
      WHEN raw3 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw3 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw3 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw3) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw3) / LN(CAST(10 AS DOUBLE))))
      ELSE raw3
    END AS v3,
    raw4 AS v4,
    raw5 AS v5,
    CASE
      WHEN raw6 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw6 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw6 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw6) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw6) / LN(CAST(10 AS DOUBLE))))
      ELSE raw6
    END AS v6,
    CASE
      WHEN raw7 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw7 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw7 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw7) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw7) / LN(CAST(10 AS DOUBLE))))
      ELSE raw7
    END AS v7,
    CASE
      WHEN raw8 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw8 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw8 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw8) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw8) / LN(CAST(10 AS DOUBLE))))
      ELSE raw8
    END AS v8,
    CASE
      WHEN raw9 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw9 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw9 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw9) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw9) / LN(CAST(10 AS DOUBLE))))
      ELSE raw9
    END AS v9,
    CASE
      WHEN raw10 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw10 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(
        raw10 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw10) / LN(CAST(10 AS DOUBLE))))
      ) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw10) / LN(CAST(10 AS DOUBLE))))
      ELSE raw10
    END AS v10
  FROM valued
), rated AS MATERIALIZED (
  SELECT
    *,
    people AS d1_0,
    a1 AS d1_1,
    people AS d2_0,
    a2 AS d2_1,
    people AS d3_0,
    a3 AS d3_1,
    people AS d4_0,
    a5 AS d4_1,
    people AS d5_0,
    a6 AS d5_1,
    people AS d6_0,
    a3 AS d6_1,
    a8 AS d6_2,
    people AS d7_0,
    a3 AS d7_1,
    people AS d8_0,
    people AS d9_0,
    a11 AS d9_1,
    people AS d10_0
  FROM rounded
)
SELECT
  CAST(people AS DOUBLE) AS value,
  COUNT(*) AS c1,
  CAST(SUM(n) AS BIGINT) AS c2,
  CAST(SUM(null_rows) AS BIGINT) AS c3,
  COUNT(CASE WHEN n = 1 THEN 1 END) AS c4,
  CAST(SUM(n * (
    n - 1
  )) AS DECIMAL(38, 0)) AS c5,
  0 AS part
FROM rated
GROUP BY
  people
UNION ALL
SELECT
  CAST(MIN(v1) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  1 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v1
      END
    ),
    MAX(v1)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  2 AS part
FROM (
  SELECT
    v1,
    CAST(SUM(SUM(n)) OVER (ORDER BY v1 NULLS FIRST) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v1
) AS reached
UNION ALL
SELECT
  *,
  3 AS part
FROM (
  SELECT
    CAST(v1 AS DOUBLE) AS value,
    d1_0 AS c1,
    d1_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v1 NULLS FIRST,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MIN(v2) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  4 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v2
      END
    ),
    MAX(v2)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  5 AS part
FROM (
  SELECT
    v2,
    CAST(SUM(SUM(n)) OVER (ORDER BY v2 NULLS FIRST) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v2
) AS reached
UNION ALL
SELECT
  *,
  6 AS part
FROM (
  SELECT
    CAST(v2 AS DOUBLE) AS value,
    d2_0 AS c1,
    d2_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v2 NULLS FIRST,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MIN(v3) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  7 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v3
      END
    ),
    MAX(v3)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  8 AS part
FROM (
  SELECT
    v3,
    CAST(SUM(SUM(n)) OVER (ORDER BY v3 NULLS FIRST) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v3
) AS reached
UNION ALL
SELECT
  *,
  9 AS part
FROM (
  SELECT
    CAST(v3 AS DOUBLE) AS value,
    d3_0 AS c1,
    d3_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v3 NULLS FIRST,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MIN(v4) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  10 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v4
      END
    ),
    MAX(v4)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  11 AS part
FROM (
  SELECT
    v4,
    CAST(SUM(SUM(n)) OVER (ORDER BY v4 NULLS FIRST) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v4
) AS reached
UNION ALL
SELECT
  *,
  12 AS part
FROM (
  SELECT
    CAST(v4 AS DOUBLE) AS value,
    d4_0 AS c1,
    d4_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v4 NULLS FIRST,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v5) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  13 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v5
      END
    ),
    MIN(v5)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  14 AS part
FROM (
  SELECT
    v5,
    CAST(SUM(SUM(n)) OVER (ORDER BY v5 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v5
) AS reached
UNION ALL
SELECT
  *,
  15 AS part
FROM (
  SELECT
    CAST(v5 AS DOUBLE) AS value,
    d5_0 AS c1,
    d5_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v5 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v6) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  16 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v6
      END
    ),
    MIN(v6)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  17 AS part
FROM (
  SELECT
    v6,
    CAST(SUM(SUM(n)) OVER (ORDER BY v6 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v6
) AS reached
UNION ALL
SELECT
  *,
  18 AS part
FROM (
  SELECT
    CAST(v6 AS DOUBLE) AS value,
    d6_0 AS c1,
    d6_1 AS c2,
    d6_2 AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v6 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v7) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  19 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v7
      END
    ),
    MIN(v7)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  20 AS part
FROM (
  SELECT
    v7,
    CAST(SUM(SUM(n)) OVER (ORDER BY v7 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v7
) AS reached
UNION ALL
SELECT
  *,
  21 AS part
FROM (
  SELECT
    CAST(v7 AS DOUBLE) AS value,
    d7_0 AS c1,
    d7_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v7 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v8) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  22 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v8
      END
    ),
    MIN(v8)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  23 AS part
FROM (
  SELECT
    v8,
    CAST(SUM(SUM(n)) OVER (ORDER BY v8 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v8
) AS reached
UNION ALL
SELECT
  *,
  24 AS part
FROM (
  SELECT
    CAST(v8 AS DOUBLE) AS value,
    d8_0 AS c1,
    CAST(NULL AS BIGINT) AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v8 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v9) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  25 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v9
      END
    ),
    MIN(v9)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  26 AS part
FROM (
  SELECT
    v9,
    CAST(SUM(SUM(n)) OVER (ORDER BY v9 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v9
) AS reached
UNION ALL
SELECT
  *,
  27 AS part
FROM (
  SELECT
    CAST(v9 AS DOUBLE) AS value,
    d9_0 AS c1,
    d9_1 AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v9 DESC,
    n DESC
  LIMIT 1
) AS example
UNION ALL
SELECT
  CAST(MAX(v10) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  28 AS part
FROM rated
UNION ALL
SELECT
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST((
          SELECT
            CAST(SUM(n) AS BIGINT)
          FROM rated
        ) AS DECIMAL(38, 0)) * 1
        THEN v10
      END
    ),
    MIN(v10)
  ) AS DOUBLE) AS value,
  CAST(NULL AS BIGINT) AS c1,
  CAST(NULL AS BIGINT) AS c2,
  CAST(NULL AS BIGINT) AS c3,
  CAST(NULL AS BIGINT) AS c4,
  CAST(NULL AS BIGINT) AS c5,
  29 AS part
FROM (
  SELECT
    v10,
    CAST(SUM(SUM(n)) OVER (ORDER BY v10 DESC) AS BIGINT) AS gone
  FROM rated
  GROUP BY
    v10
) AS reached
UNION ALL
SELECT
  *,
  30 AS part
FROM (
  SELECT
    CAST(v10 AS DOUBLE) AS value,
    d10_0 AS c1,
    CAST(NULL AS BIGINT) AS c2,
    CAST(NULL AS BIGINT) AS c3,
    CAST(NULL AS BIGINT) AS c4,
    CAST(NULL AS BIGINT) AS c5
  FROM rated
  ORDER BY
    v10 DESC,
    n DESC
  LIMIT 1
) AS example;
