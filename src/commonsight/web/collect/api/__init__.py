"""The verbs of collecting as JSON, for programs: the same rules, the same refusals, typed both ways.

A program signs in at `/api/sign-in` and sends the token it gets as `Authorization: Bearer …`. The schema is
at `/openapi.json`. Amounts of money are whole numbers of ten-thousandths, times are microseconds since 1970.
"""
