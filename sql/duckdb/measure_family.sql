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
), whole_s1 AS NOT MATERIALIZED (
  SELECT
    s1,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    s1
), ranked_s1 AS NOT MATERIALIZED (
  SELECT
    s1 AS v,
    c AS t,
    ROW_NUMBER() OVER (ORDER BY s1) AS code,
    CAST(SUM(c) OVER () AS BIGINT) AS total,
    COUNT(*) OVER () AS domain,
    CAST(SUM(c) OVER (ORDER BY s1) AS BIGINT) AS reach
  FROM (
    SELECT
      s1,
      n AS c
    FROM whole_s1
  ) AS counted
  WHERE
    c > 0
), histogram_s1 AS MATERIALIZED (
  SELECT
    *,
    CAST(SUM(reach) OVER (ORDER BY code NULLS FIRST) AS BIGINT) AS area
  FROM ranked_s1
), counted_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1,
    n,
    n AS c
  FROM facts
), cells_s1 AS NOT MATERIALIZED (
  SELECT
    q1,
    q2,
    q3,
    s1 AS v,
    n,
    c
  FROM counted_s1
), tails_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    MAX(c) OVER (PARTITION BY q1, q2, q3) AS largest,
    CAST(SUM(c) OVER (
      PARTITION BY q1, q2, q3
      ORDER BY c NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS BIGINT) AS tail
  FROM cells_s1
), joined_s1 AS NOT MATERIALIZED (
  SELECT
    cell.*,
    COALESCE(
      known.t,
      (
        SELECT
          t
        FROM histogram_s1
        WHERE
          v IS NOT DISTINCT FROM NULL
      )
    ) AS t,
    COALESCE(
      known.code,
      (
        SELECT
          code
        FROM histogram_s1
        WHERE
          v IS NOT DISTINCT FROM NULL
      )
    ) AS code,
    CAST(SUM(cell.c) OVER (PARTITION BY cell.q1, cell.q2, cell.q3) AS BIGINT) AS size
  FROM tails_s1 AS cell
  LEFT JOIN histogram_s1 AS known
    ON cell.v IS NOT DISTINCT FROM known.v
), shares_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    CAST(c AS DOUBLE) / size AS p,
    CAST(t AS DOUBLE) / (
      SELECT
        MAX(total)
      FROM histogram_s1
    ) AS q
  FROM joined_s1
), placed_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    CAST(SUM(c) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS DOUBLE) / size AS height,
    LEAD(code) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS next_code,
    LAG(code) OVER (PARTITION BY q1, q2, q3 ORDER BY code NULLS FIRST) AS last_code
  FROM shares_s1
), merged_s1 AS NOT MATERIALIZED (
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
), passed_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    MAX(CASE WHEN is_cell = 0 THEN code ELSE 0 END) OVER (
      ORDER BY height NULLS FIRST, is_cell NULLS FIRST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS passed
  FROM merged_s1
), stretch_s1 AS NOT MATERIALIZED (
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
), turned_s1 AS NOT MATERIALIZED (
  SELECT
    *,
    LEAST(GREATEST(passed, code - 1), until) AS turn
  FROM stretch_s1
), work_s1 AS NOT MATERIALIZED (
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
), classes AS NOT MATERIALIZED (
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
), valued AS NOT MATERIALIZED (
  SELECT
    *,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS has_null,
    people AS raw1,
    a1 AS raw2,
    CAST(people AS DOUBLE) / (
      GREATEST(a2, 1)
    ) AS raw3,
    CASE WHEN a3 > 0 THEN EXP(LN(CAST(a3 AS DOUBLE)) - a4 / a3) ELSE 0 END AS raw4,
    a5 AS raw5,
    CAST(a6 AS DOUBLE) / (
      GREATEST(people, 1)
    ) AS raw6,
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
    END AS raw7,
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
    END AS raw8,
    a10 AS raw9,
    CASE WHEN a11 > 0 THEN CAST('Infinity' AS DOUBLE) ELSE a10 END AS raw10,
    a12 AS raw11
  FROM classes
), rounded AS MATERIALIZED (
  SELECT
    *,
    raw1 AS v1,
    raw2 AS v2,
    raw3 AS v3,
    CASE
      WHEN raw4 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw4 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(raw4 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw4) / LN(CAST(10 AS DOUBLE))))) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw4) / LN(CAST(10 AS DOUBLE))))
      ELSE raw4
    END AS v4,
    raw5 AS v5,
    raw6 AS v6,
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
    END AS v10,
    CASE
      WHEN raw11 < 1e-12
      THEN CAST(0 AS DOUBLE)
      WHEN raw11 < CAST('Infinity' AS DOUBLE)
      THEN ROUND(
        raw11 * POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw11) / LN(CAST(10 AS DOUBLE))))
      ) / POWER(CAST(10 AS DOUBLE), 11 - FLOOR(LN(raw11) / LN(CAST(10 AS DOUBLE))))
      ELSE raw11
    END AS v11
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
  CAST(MIN(v1) AS DOUBLE) AS x6,
  CAST(MIN(v2) AS DOUBLE) AS x7,
  CAST(MIN(v3) AS DOUBLE) AS x8,
  CAST(MIN(v4) AS DOUBLE) AS x9,
  CAST(MIN(v5) AS DOUBLE) AS x10,
  CAST(MAX(v6) AS DOUBLE) AS x11,
  CAST(MAX(v7) AS DOUBLE) AS x12,
  CAST(MAX(v8) AS DOUBLE) AS x13,
  CAST(MAX(v9) AS DOUBLE) AS x14,
  CAST(MAX(v10) AS DOUBLE) AS x15,
  CAST(MAX(v11) AS DOUBLE) AS x16
FROM rounded
UNION ALL
SELECT
  1 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v1
      END
    ),
    MAX(v1)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v1,
    SUM(SUM(n)) OVER (ORDER BY v1 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v1
) AS reached
UNION ALL
SELECT
  2 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people
  FROM rounded
  ORDER BY
    v1 NULLS FIRST,
    people DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  3 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v2
      END
    ),
    MAX(v2)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v2,
    SUM(SUM(n)) OVER (ORDER BY v2 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v2
) AS reached
UNION ALL
SELECT
  4 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a1 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a1
  FROM rounded
  ORDER BY
    v2 NULLS FIRST,
    people DESC,
    a1 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  5 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v3
      END
    ),
    MAX(v3)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v3,
    SUM(SUM(n)) OVER (ORDER BY v3 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v3
) AS reached
UNION ALL
SELECT
  6 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a2 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a2
  FROM rounded
  ORDER BY
    v3 NULLS FIRST,
    people DESC,
    a2 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  7 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v4
      END
    ),
    MAX(v4)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v4,
    SUM(SUM(n)) OVER (ORDER BY v4 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v4
) AS reached
UNION ALL
SELECT
  8 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a3 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a3
  FROM rounded
  ORDER BY
    v4 NULLS FIRST,
    people DESC,
    a3 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  9 AS part,
  CAST(COALESCE(
    MIN(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v5
      END
    ),
    MAX(v5)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v5,
    SUM(SUM(n)) OVER (ORDER BY v5 NULLS FIRST) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v5
) AS reached
UNION ALL
SELECT
  10 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a5 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a5
  FROM rounded
  ORDER BY
    v5 NULLS FIRST,
    people DESC,
    a5 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  11 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v6
      END
    ),
    MIN(v6)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v6,
    SUM(SUM(n)) OVER (ORDER BY v6 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v6
) AS reached
UNION ALL
SELECT
  12 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a6 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a6
  FROM rounded
  ORDER BY
    v6 DESC,
    people DESC,
    a6 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  13 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v7
      END
    ),
    MIN(v7)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v7,
    SUM(SUM(n)) OVER (ORDER BY v7 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v7
) AS reached
UNION ALL
SELECT
  14 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a3 AS DOUBLE) AS x2,
  CAST(a8 AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a3,
    a8
  FROM rounded
  ORDER BY
    v7 DESC,
    people DESC,
    a3 DESC,
    a8 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  15 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v8
      END
    ),
    MIN(v8)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v8,
    SUM(SUM(n)) OVER (ORDER BY v8 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v8
) AS reached
UNION ALL
SELECT
  16 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a3 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a3
  FROM rounded
  ORDER BY
    v8 DESC,
    people DESC,
    a3 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  17 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v9
      END
    ),
    MIN(v9)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v9,
    SUM(SUM(n)) OVER (ORDER BY v9 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v9
) AS reached
UNION ALL
SELECT
  18 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people
  FROM rounded
  ORDER BY
    v9 DESC,
    people DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  19 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v10
      END
    ),
    MIN(v10)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v10,
    SUM(SUM(n)) OVER (ORDER BY v10 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v10
) AS reached
UNION ALL
SELECT
  20 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(a11 AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people,
    a11
  FROM rounded
  ORDER BY
    v10 DESC,
    people DESC,
    a11 DESC
  LIMIT 1
) AS worst
UNION ALL
SELECT
  21 AS part,
  CAST(COALESCE(
    MAX(
      CASE
        WHEN CAST(gone AS DECIMAL(38, 0)) * 100 > CAST(all_rows AS DECIMAL(38, 0)) * 1
        THEN v11
      END
    ),
    MIN(v11)
  ) AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    v11,
    SUM(SUM(n)) OVER (ORDER BY v11 DESC) AS gone,
    SUM(SUM(n)) OVER () AS all_rows
  FROM rounded
  GROUP BY
    v11
) AS reached
UNION ALL
SELECT
  22 AS part,
  CAST(people AS DOUBLE) AS x1,
  CAST(NULL AS DOUBLE) AS x2,
  CAST(NULL AS DOUBLE) AS x3,
  CAST(NULL AS DOUBLE) AS x4,
  CAST(NULL AS DOUBLE) AS x5,
  CAST(NULL AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16
FROM (
  SELECT
    people
  FROM rounded
  ORDER BY
    v11 DESC,
    people DESC
  LIMIT 1
) AS worst;
