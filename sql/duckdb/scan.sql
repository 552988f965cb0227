-- What is each column, and how many rows stand alone by some of them? Nobody knows yet.
-- $ sqldiag scan hospital.duckdb hospital --qi age,sex,zip
-- Written by `make sql`; nothing reads it at run time.

-- profile of 7 columns
WITH head AS MATERIALIZED (
  SELECT
    "patient_id" AS q1,
    "age" AS q2,
    "sex" AS q3,
    "zip" AS q4,
    "admission_date" AS q5,
    "ward" AS q6,
    "diagnosis" AS q7
  FROM "main"."hospital"
  LIMIT 1000
), texts AS NOT MATERIALIZED (
  SELECT
    1 AS number,
    CAST(q1 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q1 IS NULL
  GROUP BY
    q1
  UNION ALL
  SELECT
    2 AS number,
    CAST(q2 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q2 IS NULL
  GROUP BY
    q2
  UNION ALL
  SELECT
    3 AS number,
    CAST(q3 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q3 IS NULL
  GROUP BY
    q3
  UNION ALL
  SELECT
    4 AS number,
    CAST(q4 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q4 IS NULL
  GROUP BY
    q4
  UNION ALL
  SELECT
    6 AS number,
    CAST(q6 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q6 IS NULL
  GROUP BY
    q6
  UNION ALL
  SELECT
    7 AS number,
    CAST(q7 AS TEXT) AS t,
    COUNT(*) AS n
  FROM head
  WHERE
    NOT q7 IS NULL
  GROUP BY
    q7
)
SELECT
  CAST(1 AS INT) AS part,
  CAST(g AS INT) AS number,
  CAST(SUM(n) AS DOUBLE) AS x1,
  CAST(SUM(n) FILTER(WHERE
    blank) AS DOUBLE) AS x2,
  CAST(COUNT(*) FILTER(WHERE
    NOT blank) AS DOUBLE) AS x3,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x4,
  CAST(MAX(n) FILTER(WHERE
    NOT blank) AS DOUBLE) AS x5,
  CAST(SUM(n * LN(n)) AS DOUBLE) AS x6,
  CAST(NULL AS DOUBLE) AS x7,
  CAST(NULL AS DOUBLE) AS x8,
  CAST(NULL AS DOUBLE) AS x9,
  CAST(NULL AS DOUBLE) AS x10,
  CAST(NULL AS DOUBLE) AS x11,
  CAST(NULL AS DOUBLE) AS x12,
  CAST(NULL AS DOUBLE) AS x13,
  CAST(NULL AS DOUBLE) AS x14,
  CAST(NULL AS DOUBLE) AS x15,
  CAST(NULL AS DOUBLE) AS x16,
  CAST(NULL AS DOUBLE) AS x17
FROM (
  SELECT
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
    ) * 5 + (
      1 - GROUPING(q6)
    ) * 6 + (
      1 - GROUPING(q7)
    ) * 7 AS g,
    q1 IS NULL
    AND q2 IS NULL
    AND q3 IS NULL
    AND q4 IS NULL
    AND q5 IS NULL
    AND q6 IS NULL
    AND q7 IS NULL AS blank,
    COUNT(*) AS n
  FROM (
    SELECT
      "patient_id" AS q1,
      "age" AS q2,
      "sex" AS q3,
      "zip" AS q4,
      "admission_date" AS q5,
      "ward" AS q6,
      "diagnosis" AS q7
    FROM "main"."hospital"
  ) AS rows_
  GROUP BY
    GROUPING SETS (
      (q1),
      (q2),
      (q3),
      (q4),
      (q5),
      (q6),
      (q7)
    )
) AS groups
GROUP BY
  g
UNION ALL
SELECT
  CAST(2 AS INT) AS part,
  CAST(number AS INT) AS number,
  CAST(SUM(n) AS DOUBLE) AS x1,
  CAST(SUM(LENGTH(t) * n) / SUM(n) AS DOUBLE) AS x2,
  CAST(MAX(LENGTH(t)) AS DOUBLE) AS x3,
  CAST(SUM(n) FILTER(WHERE
    shape = 1) AS DOUBLE) AS x4,
  CAST(SUM(n) FILTER(WHERE
    shape = 2) AS DOUBLE) AS x5,
  CAST(SUM(n) FILTER(WHERE
    shape = 3) AS DOUBLE) AS x6,
  CAST(SUM(n) FILTER(WHERE
    shape = 4) AS DOUBLE) AS x7,
  CAST(SUM(n) FILTER(WHERE
    shape = 5) AS DOUBLE) AS x8,
  CAST(SUM(n) FILTER(WHERE
    shape = 6) AS DOUBLE) AS x9,
  CAST(SUM(n) FILTER(WHERE
    shape = 7) AS DOUBLE) AS x10,
  CAST(SUM(n) FILTER(WHERE
    shape = 8) AS DOUBLE) AS x11,
  CAST(SUM(n) FILTER(WHERE
    shape = 9) AS DOUBLE) AS x12,
  CAST(SUM(n) FILTER(WHERE
    shape = 10) AS DOUBLE) AS x13,
  CAST(SUM(n) FILTER(WHERE
    shape = 11) AS DOUBLE) AS x14,
  CAST(SUM(n) FILTER(WHERE
    shape = 12) AS DOUBLE) AS x15,
  CAST(SUM(n) FILTER(WHERE
    shape = 13) AS DOUBLE) AS x16,
  CAST(SUM(n) FILTER(WHERE
    shape = 14) AS DOUBLE) AS x17
FROM (
  SELECT
    number,
    t,
    n,
    CASE
      WHEN REGEXP_MATCHES(t, '^(?:[0-9]+)$')
      THEN 1
      WHEN t LIKE '%@%' AND REGEXP_MATCHES(t, '^(?:[^@ ]+@[^@ ]+[.][^@ .]+)$')
      THEN 2
      WHEN t LIKE '%://%' AND REGEXP_MATCHES(t, '^(?:[a-z]+://[^ ]+)$')
      THEN 3
      WHEN REGEXP_MATCHES(t, '^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$')
      THEN 4
      WHEN REGEXP_MATCHES(t, '^(?:(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2})$')
      THEN 5
      WHEN REGEXP_MATCHES(
        t,
        '^(?:(?:[0-9]{1,3}[.]){3}[0-9]{1,3}(?:/[0-9]+)?|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7})$'
      )
      THEN 6
      WHEN REGEXP_MATCHES(
        t,
        '^(?:(?:18|19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[ T].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:(?:18|19|20)[0-9]{2}|[0-9]{2}))$'
      )
      THEN 7
      WHEN REGEXP_MATCHES(
        t,
        '^(?:[0-9]{3}-[0-9]{2}-[0-9]{4}|[A-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]|[0-9]{6}(?:[0-9]{2})?[-+A][0-9]{3}[0-9A-Z]|[0-9XYZ][0-9]{7}-?[A-Z]|[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]|[12] ?[0-9]{2} ?[01][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2})$'
      )
      THEN 8
      WHEN REGEXP_MATCHES(
        t,
        '^(?:[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?|[0-9]{4}(?:[ -]?[0-9]{4}){3})$'
      )
      THEN 9
      WHEN REGEXP_MATCHES(
        t,
        '^(?:(?:[+]|00)[0-9][0-9 ()./-]{6,}|[(]?[0-9]{2,5}[)]?[ ./-] ?[0-9]{3,4}[ ./-]?[0-9]{2,}(?:[ ./-]?[0-9]+)*)$'
      )
      THEN 10
      WHEN REGEXP_MATCHES(
        t,
        '^(?:[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]|[0-9]{4} ?[A-Z]{2}|[0-9]{5}-[0-9]{4})$'
      )
      THEN 11
      WHEN REGEXP_MATCHES(t, '^(?:[0-9a-fA-F]{32,})$')
      THEN 12
      WHEN REGEXP_MATCHES(t, '^(?:[A-Z][a-z]+(?:-[A-Z][a-z]+)?,? (?:[A-Z][.] )?[A-Z][A-Za-z''-]+)$')
      THEN 13
      WHEN t LIKE '% % % %'
      THEN 14
      ELSE 0
    END AS shape
  FROM texts
) AS shaped
GROUP BY
  shaped.number;

-- crowds of 4 sets
WITH facts AS MATERIALIZED (
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
    q3
)
SELECT
  CAST(7 AS BIGINT) AS g,
  CAST(SUM(n) AS DOUBLE) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n > 0) AS DOUBLE) AS x2,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x3,
  CAST(SUM(n) FILTER(WHERE
    blank) AS DOUBLE) AS x4,
  CAST(SUM(n * LN(GREATEST(n, 1))) AS DOUBLE) AS x5
FROM (
  SELECT
    n,
    q1 IS NULL OR q2 IS NULL OR q3 IS NULL AS blank
  FROM facts
) AS classes
UNION ALL
SELECT
  CAST(g AS BIGINT) AS g,
  CAST(SUM(n) AS DOUBLE) AS x1,
  CAST(COUNT(*) FILTER(WHERE
    n > 0) AS DOUBLE) AS x2,
  CAST(COUNT(*) FILTER(WHERE
    n = 1) AS DOUBLE) AS x3,
  CAST(SUM(n) FILTER(WHERE
    blank) AS DOUBLE) AS x4,
  CAST(SUM(n * LN(GREATEST(n, 1))) AS DOUBLE) AS x5
FROM (
  SELECT
    (
      1 - GROUPING(q1)
    ) * CAST(1 AS BIGINT) + (
      1 - GROUPING(q2)
    ) * CAST(2 AS BIGINT) + (
      1 - GROUPING(q3)
    ) * CAST(4 AS BIGINT) AS g,
    (
      GROUPING(q1) = 0 AND q1 IS NULL
    )
    OR (
      GROUPING(q2) = 0 AND q2 IS NULL
    )
    OR (
      GROUPING(q3) = 0 AND q3 IS NULL
    ) AS blank,
    CAST(SUM(n) AS BIGINT) AS n
  FROM facts
  GROUP BY
    GROUPING SETS (
      (q1, q2),
      (q1, q3),
      (q2, q3)
    )
) AS classes
GROUP BY
  classes.g;
