"""All that writes review's rows; one transaction each.

- `rounds`: planning, drawing, opening, closing · `grading`: slots, drafts, submissions, skips, flags
- `disputes`: adjudication and tickets · `agreement`: a round's figures, live and frozen · `marks`: Verified and its log
"""
